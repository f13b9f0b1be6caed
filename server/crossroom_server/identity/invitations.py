"""The host's invitations to a private server, in a small file: who has one may come in."""

import hashlib
import os
import secrets
from pathlib import Path
from typing import Final, NamedTuple

from crossroom_protocol.base.refusals import Refusal

INVITATIONS_FILE: Final = "invitations.txt"
"""Its name, beside the games."""
PREFIX: Final = "host-"
"""How tokens begin, so that they are told from passwords of rooms."""
MAX_INVITATIONS: Final = 1000
# for the host alone, so in English
_TOO_MANY: Final = f"there are {MAX_INVITATIONS} invitations; take some back"
_NO_SUCH: Final = "no invitation has that number"


class Invitation(NamedTuple):
    """An invitation: its number, the digest of its token, its end in ms since 1970, and a note."""

    number: int
    digest: str
    until: int
    note: str


class Invitations:
    """The invitations of this server that are valid.

    Args:
        path: The file to keep them in, one a line; None keeps them in memory.

    Raises:
        OSError: the file cannot be read, or a line of it is no invitation.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._all: list[Invitation] = []
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._all.append(_read(path, line))

    def issue(self, until: int, note: str, now: int) -> str:
        """Return the token of a new invitation, which ends at *until*; times in ms since 1970.

        Raises:
            Refusal: ``TOO_MANY``.
            OSError: the file cannot be written.
        """
        valid = self.valid(now)
        if len(valid) >= MAX_INVITATIONS:
            raise Refusal("TOO_MANY", _TOO_MANY)
        token = f"{PREFIX}{secrets.token_urlsafe(12)}"
        number = max((one.number for one in self._all), default=0) + 1
        self._write([*valid, Invitation(number, _digest(token), until, note)])
        return token

    def is_valid(self, token: str, now: int) -> bool:
        """Tell whether this is the token of an invitation at that time."""
        digest = _digest(token)
        return any(one.digest == digest for one in self.valid(now))

    def valid(self, now: int) -> list[Invitation]:
        """Return the invitations that have not ended."""
        return [one for one in self._all if one.until > now]

    def revoke(self, number: int) -> None:
        """End an invitation; whoever is here stays.

        Raises:
            Refusal: ``NOBODY`` has one with that number.
            OSError: the file cannot be written.
        """
        left = [one for one in self._all if one.number != number]
        if len(left) == len(self._all):
            raise Refusal("NOBODY", _NO_SUCH)
        self._write(left)

    def _write(self, invitations: list[Invitation]) -> None:
        if self._path is not None:
            fresh = self._path.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            handle = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.writelines(
                    f"{one.number} {one.digest} {one.until} {one.note}\n" for one in invitations
                )
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        self._all = invitations


def _read(path: Path, line: str) -> Invitation:
    number, digest, until, note = (*line.split(" ", 3), "", "", "", "")[:4]
    try:
        return Invitation(int(number), digest, int(until), note)
    except ValueError:
        raise OSError(f"{path}: {line!r} is no invitation") from None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
