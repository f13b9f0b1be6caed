"""One-time links that take a seat to another device.

They live in memory, with their room: after a restart, another link is made.
"""

from typing import Final
from urllib.parse import urlsplit

import segno

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.tokens import SEAT_TOKEN
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.notices import SeatLink
from crossroom_server.identity.client_address import is_loopback
from crossroom_server.identity.codes import code_digest, new_code
from crossroom_server.identity.urls import http_url
from crossroom_server.table.state import Person

LIFETIME_S: Final = 600


class SeatLinks:
    """The links of a room that may be used; a member's newest replaces the one before."""

    def __init__(self) -> None:
        self._valid: dict[str, tuple[str, int, Person]] = {}
        """By member: the digest of the token, its end in ms since 1970, and who they are."""

    def issue(self, person: Person, now: int) -> str:
        """Return the token of a new link; *now* in ms since 1970."""
        self._valid = {who: link for who, link in self._valid.items() if link[1] > now}
        code, digest = new_code()
        self._valid[person.member] = digest, now + LIFETIME_S * 1000, person
        return SEAT_TOKEN + code

    def redeem(self, token: str, now: int) -> Person:
        """Return whose link it is, which can be used no more; *now* in ms since 1970.

        Raises:
            Refusal: ``BAD_TOKEN``.
        """
        digest = code_digest(token.removeprefix(SEAT_TOKEN))
        for member, (valid, until, person) in self._valid.items():
            if valid == digest and now < until:
                del self._valid[member]
                return person
        raise Refusal(
            "BAD_TOKEN", "this link was used, or is older than ten minutes: /link makes another"
        )


def seat_link(base_url: str, room: str, token: str) -> SeatLink:
    """Return what opens a seat on another device, in the current language.

    The token goes behind ``#``, which clients do not send in a request, so that no server logs it.
    """
    address = f"{base_url}/t/{room}"
    page = f"{http_url(address)}#{token}"
    lines = [
        gettext("your seat on another device, once, within ten minutes; keep this to yourself"),
        gettext("in a browser: {page}", page=page),
        gettext("in a terminal that is connected: /join {room} {token}", room=room, token=token),
    ]
    host = urlsplit(base_url).hostname or ""
    if host == "localhost" or is_loopback(host):
        then = Phrase("{host} is this machine alone: on another, put the server's address there")
        lines.append(gettext(then, host=host))
    return SeatLink(page=page, lines=tuple(lines), squares=_qr_rows(page))


def _qr_rows(text: str) -> tuple[str, ...]:
    matrix = segno.make(text, error="l", micro=False).matrix
    return tuple("".join(map(str, row)) for row in matrix)
