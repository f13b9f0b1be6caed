"""What all connections of a server have in common."""

import asyncio
import time
from collections import Counter
from typing import TYPE_CHECKING, Final

from crossroom_engine.phrases import Phrase
from crossroom_protocol.refusals import Refusal
from crossroom_server.addresses import Addresses
from crossroom_server.door import Door
from crossroom_server.forwarded import Proxies
from crossroom_server.guesses import MINUTE, Guesses
from crossroom_server.limits import Limits, Window, is_own, neighbourhood
from crossroom_server.lobby import Lobby
from crossroom_server.mask import Mask

if TYPE_CHECKING:
    from crossroom_server.session import Session

DAY: Final = 24 * 60 * MINUTE


class House:
    """The rooms, the people at the door and in them, and what one address may ask for.

    Args:
        lobby: The rooms.
        limits: The numbers.
        url: Where friends reach this server, as ``ws://host:8765``; None: where they came in.
        proxies: Who is believed about the addresses of others.
        is_secure: Is TLS spoken here?
    """

    def __init__(
        self,
        lobby: Lobby,
        limits: Limits,
        url: str | None = None,
        proxies: Proxies | None = None,
        is_secure: bool = False,
    ) -> None:
        self.lobby, self.limits, self.url = lobby, limits, url
        self.metrics = lobby.metrics
        self.proxies, self.is_secure = proxies or Proxies(), is_secure
        self.door = Door(limits, lambda address: address in self.proxies or self._is_free(address))
        self.sessions: dict[Session, asyncio.Task[object]] = {}
        self.closing = self.draining = False
        self.banned = Addresses()
        self.mask = Mask()
        self._connected: Counter[str] = Counter()
        self._arrivals = Window(2 * limits.connections, 10 * MINUTE)
        self._openings = Window(limits.rooms, 10 * MINUTE)
        self.guesses = Guesses(limits.wrong_codes)
        self._claims = Window(limits.names, DAY)

    def check_arrival(self, address: str) -> None:
        """Count a new connection.

        Raises:
            Refusal: ``TOO_MANY`` from this address, it is ``BANNED``, or ``SHUTTING_DOWN``.
        """
        if self.closing:
            raise Refusal("SHUTTING_DOWN", "the server is stopping; come back in a moment")
        if self._is_free(address):
            return
        if address in self.banned:
            raise Refusal("BANNED", "the host of this server has banned your address")
        if self._connected[neighbourhood(address)] >= self.limits.connections:
            raise Refusal(
                "TOO_MANY", "{count} connections are open from there", count=self.limits.connections
            )
        if wait := self._arrivals.take(address, time.monotonic()):
            raise Refusal("TOO_MANY", "too many new connections; wait {wait:.0f} s", wait=wait)

    def arrive(self, session: "Session") -> None:
        """Somebody is at the door; the task that calls this is theirs."""
        self.metrics.arrived += 1
        task = asyncio.current_task()
        assert task is not None
        self.sessions[session] = task
        self._connected[neighbourhood(session.address)] += 1

    def depart(self, session: "Session") -> None:
        """Somebody is gone."""
        del self.sessions[session]
        place = neighbourhood(session.address)
        self._connected[place] -= 1
        if not self._connected[place]:
            del self._connected[place]

    def check_newcomer(self) -> None:
        """May people come in who were not here before, and games begin?

        Raises:
            Refusal: ``SHUTTING_DOWN``.
        """
        if self.draining:
            raise Refusal("SHUTTING_DOWN", "the server stops soon; only games that are on go on")

    def check_opening(self, address: str, room: str) -> None:
        """Count a room that somebody enters first.

        Raises:
            Refusal: ``TOO_MANY`` from this address.
        """
        if self._is_free(address) or self.lobby.is_open(room):
            return
        if wait := self._openings.take(address, time.monotonic()):
            prose = Phrase("you have opened many rooms; wait {wait:.0f} s for another")
            raise Refusal("TOO_MANY", prose, wait=wait)

    def check_registration(self, address: str) -> None:
        """Count a name that somebody registers.

        Raises:
            Refusal: ``TOO_MANY`` from this address.
        """
        if self._is_free(address):
            return
        if wait := self._claims.take(address, time.monotonic()):
            hours = -(-wait // (60 * MINUTE))
            prose = Phrase("many names were registered from there; wait {hours:.0f} h")
            raise Refusal("TOO_MANY", prose, hours=hours)

    def _is_free(self, address: str) -> bool:
        """Is this the machine itself, which has no limits? A proxy on it speaks for others."""
        return is_own(address) and not self.limits.own and address not in self.proxies
