"""Resume codes on disk, so that a person comes back to the same seat in a new terminal.

One private file for each seat, in the folder ``seats`` of the data folder. A code is as good as a
password for one seat in one room of one server; it opens nothing else.
"""

import json
import os
import unicodedata
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Final

from crossroom_clients.connection.resume_state import ResumeState
from crossroom_clients.support.file_locks import lock

SEATS_FOLDER: Final = "seats"


class SavedSeats:
    """The seats that this user has on one server.

    Args:
        data: The data folder.
        server: What tells the server from others: its URL.
    """

    def __init__(self, data: Path, server: str) -> None:
        self._folder, self._server = data / SEATS_FOLDER, server
        self._held: IO[str] | None = None

    def find(
        self, room: str | None = None, name: str | None = None, *, held: bool = False
    ) -> ResumeState | None:
        """The seat in that room under that name, or, where None, the latest used one.

        A seat that another client of this user holds is found by its name, or if *held* ones will
        do: otherwise two terminals are two people.
        """
        for path in self._newest_first():
            resume = self._read(path)
            if resume is None or (room is not None and resume.room != room):
                continue
            if name is not None and _name_key(resume.name or "") == _name_key(name):
                return resume
            if name is None and (held or not _is_held(path)):
                return resume
        return None

    def save(self, resume: ResumeState) -> None:
        """Write a seat down, and hold it until another is kept or none is needed (:meth:`close`).

        Raises:
            OSError: it cannot be written.
        """
        if resume.seat is None:
            return
        room, name, code = resume.seat
        path = self._path(room, name)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = path.with_suffix(f".{os.getpid()}.new")
        fresh.unlink(missing_ok=True)
        kept: dict[str, str | int | None] = {"server": self._server, "room": room, "name": name}
        kept |= {"code": code, "seq": resume.seq}
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            json.dump(kept, file, ensure_ascii=False)
        fresh.replace(path)
        self._lock_seat(path.with_suffix(".lock"))

    def close(self) -> None:
        """Let go of the seat that is held; it stays written down."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def remove(self, resume: ResumeState) -> None:
        """Throw a seat away: the server does not know it any more."""
        if resume.seat is not None:
            path = self._path(*resume.seat[:2])
            path.unlink(missing_ok=True)
            with suppress(OSError):  # which a system forbids where it is held
                path.with_suffix(".lock").unlink(missing_ok=True)

    def _path(self, room: str, name: str) -> Path:
        seat = "\n".join((self._server, room, _name_key(name)))
        return self._folder / f"{sha256(seat.encode()).hexdigest()[:24]}.json"

    def _newest_first(self) -> list[Path]:
        def age(path: Path) -> float:
            with suppress(FileNotFoundError):
                return -path.stat().st_mtime
            return 0.0

        return sorted(self._folder.glob("*.json"), key=age)

    def _read(self, path: Path) -> ResumeState | None:
        with suppress(OSError, ValueError, KeyError, TypeError):  # what is no seat seats nobody
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["server"] == self._server:
                return ResumeState(kept["room"], kept["name"], kept["code"], kept["seq"])
        return None

    def _lock_seat(self, path: Path) -> None:
        if self._held is not None and self._held.name == str(path):
            return
        self.close()
        file = path.open("w", encoding="utf-8")
        self._held = file if lock(file) else None
        if self._held is None:
            file.close()


def _name_key(name: str) -> str:
    """Return a key that is equal for all spellings of a name."""
    return unicodedata.normalize("NFKC", name).casefold()


def _is_held(path: Path) -> bool:
    held = path.with_suffix(".lock")
    if not held.exists():
        return False
    with held.open("a", encoding="utf-8") as file:
        return not lock(file)
