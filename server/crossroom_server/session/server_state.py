"""State shared by all connections of a server: the lobby, limits, bans and sessions."""

import asyncio
import time
from collections import Counter
from typing import Final, Protocol

from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.units import DAY_S, HOUR_S, MINUTE_S
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.notices import AnyNotice, Note
from crossroom_server.config.limits import Limits
from crossroom_server.identity.banlist import BanList
from crossroom_server.identity.client_address import is_loopback, rate_limit_keys
from crossroom_server.identity.invitations import PREFIX, Invitations
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.net.admission import ConnectionLimiter
from crossroom_server.net.forwarded_headers import Proxies
from crossroom_server.net.guess_limiter import GuessLimiter
from crossroom_server.net.rate_limits import SlidingWindowLimiter
from crossroom_server.session.word_filter import WordFilter
from crossroom_server.store.contract import Unavailable
from crossroom_server.table.moderation import CLOSE_SENT_AWAY

CROWD_DIVISOR: Final = 4
"""Other nodes are told of an address from this fraction (1/n) of its allowed connections on."""
PERSONAL_PER_HOUR: Final = 5
"""Times that one address may ask for, or delete, all that is kept of somebody."""
CUT_OFF: Final = Phrase("this server is cut off from the others; come back in a moment")
"""Said to newcomers at a node that has lost the bus."""


class Peer(Protocol):
    """One connection, as the whole server sees it."""

    address: str

    @property
    def unread(self) -> int:
        """Bytes that wait for the peer."""
        ...

    def tell(self, *notices: AnyNotice) -> None:
        """Tell the peer something."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Hang up."""
        ...

    def abandon(self) -> None:
        """Hang up at once."""
        ...

    def check(self, now: float) -> None:
        """Cut the peer off if they have stopped reading; *now* in seconds."""
        ...


class OtherNodes:
    """The other nodes of a cluster, which share limits, bans and announcements; alone: none.

    The methods that wait raise :exc:`Unavailable` if the database cannot be reached.
    """

    def count(self, what: str, address: str) -> None:
        """Count an event of a limit at the other nodes, too."""

    def announce(self, text: str) -> None:
        """Send an announcement of the host to everybody there."""

    async def ban(self, network: str) -> None:
        """Ban a network there, too."""

    async def lift(self, network: str) -> None:
        """Lift a ban there, too."""


class ServerState:
    """The lobby, the sessions, and the limits per address.

    Args:
        lobby: The rooms.
        limits: The limits.
        url: Public address of this server, as ``ws://host:8765``; None: as each client dialled it.
        proxies: The proxies whose forwarded addresses are trusted.
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
        self.connection_limiter = ConnectionLimiter(
            limits, lambda address: address in self.proxies or self._is_unlimited(address)
        )
        self.sessions: dict[Peer, asyncio.Task[object]] = {}
        self.closing = self.draining = self.is_cut_off = False
        self.ban_list = BanList()
        self.invitations = Invitations()
        self.is_private = False
        """May only those come in whom the host has invited, or who were here before?"""
        self.word_filter = WordFilter()
        self._connected: Counter[str] = Counter()
        self.guess_limiter = GuessLimiter(limits.wrong_codes)
        self._windows = {
            "arrival": SlidingWindowLimiter(2 * limits.connections, 10 * MINUTE_S),
            "opening": SlidingWindowLimiter(limits.rooms, 10 * MINUTE_S),
            "claim": SlidingWindowLimiter(limits.names, DAY_S),
            "personal": SlidingWindowLimiter(PERSONAL_PER_HOUR, HOUR_S),
            "written": SlidingWindowLimiter(limits.written, HOUR_S),
            "guess": self.guess_limiter.window,
        }
        self.other_nodes = OtherNodes()
        self.guess_limiter.on_wrong = lambda address: self.other_nodes.count("guess", address)

    def count_connection(self, address: str) -> None:
        """Count a new connection.

        Raises:
            Refusal: ``TOO_MANY`` from this address, it is ``BANNED``, or ``SHUTTING_DOWN``.
        """
        if self.closing:
            raise Refusal("SHUTTING_DOWN", "the server is stopping; come back in a moment")
        if self.is_cut_off:
            raise Refusal("SHUTTING_DOWN", CUT_OFF)
        if self._is_unlimited(address):
            return
        if address in self.ban_list:
            raise Refusal("BANNED", "the host of this server has banned your address")
        others, most = self.lobby.cluster, self.limits.connections
        for place, times in rate_limit_keys(address):
            elsewhere = others.connections_from(place) if others is not None else 0
            if self._connected[place] + elsewhere >= times * most:
                raise Refusal(
                    "TOO_MANY", "{count} connections are open from there", count=times * most
                )
        if wait := self._take("arrival", address):
            raise Refusal("TOO_MANY", "too many new connections; wait {wait:.0f} s", wait=wait)

    def add_session(self, session: Peer) -> None:
        """Register a session; the task that calls this is its own."""
        self.metrics.connections_opened += 1
        task = asyncio.current_task()
        assert task is not None
        self.sessions[session] = task
        self._connected.update(place for place, _ in rate_limit_keys(session.address))

    def remove_session(self, session: Peer) -> None:
        """Forget a session."""
        del self.sessions[session]
        for place, _ in rate_limit_keys(session.address):
            self._connected[place] -= 1
            if not self._connected[place]:
                del self._connected[place]

    def check_not_draining(self) -> None:
        """Check that newcomers may enter and games may begin.

        Raises:
            Refusal: ``SHUTTING_DOWN``.
        """
        if self.draining:
            raise Refusal("SHUTTING_DOWN", "the server stops soon; only games that are on go on")

    async def admit(self, address: str, key: str) -> bool:
        """Check the *key* of a newcomer, if it is an invitation of the host; return whether it is.

        Raises:
            Refusal: ``NEED_KEY``, it is no longer valid; or ``SLOW_DOWN``.
        """
        if not key.startswith(PREFIX):
            return False
        async with self.guess_limiter.attempt(address):
            if not self.invitations.is_valid(key, self.lobby.now()):
                raise Refusal("NEED_KEY", "this invitation is no longer valid; ask for another")
        return True

    def count_new_room(self, address: str, room: str) -> None:
        """Count a room that somebody enters first.

        Raises:
            Refusal: ``TOO_MANY`` from this address.
        """
        if self._is_unlimited(address) or self.lobby.is_open(room):
            return
        if wait := self._take("opening", address):
            prose = Phrase("you have opened many rooms; wait {wait:.0f} s for another")
            raise Refusal("TOO_MANY", prose, wait=wait)

    def count_registration(self, address: str) -> None:
        """Count a name that somebody registers.

        Raises:
            Refusal: ``TOO_MANY`` from this address.
        """
        if self._is_unlimited(address):
            return
        if wait := self._take("claim", address):
            hours = -(-wait // HOUR_S)
            prose = Phrase("many names were registered from there; wait {hours:.0f} h")
            raise Refusal("TOO_MANY", prose, hours=hours)

    def count_personal_data(self, address: str) -> None:
        """Count a request for all that is kept of somebody: it reads whole logs.

        Raises:
            Refusal: ``TOO_MANY`` from this address.
        """
        if self._is_unlimited(address):
            return
        if wait := self._take("personal", address):
            raise Refusal(
                "TOO_MANY", "that was asked often from there; wait {wait:.0f} s", wait=wait
            )

    def count_written_line(self, address: str) -> None:
        """Count a line that a room may write down for good: disks have an end.

        Raises:
            Refusal: ``SLOW_DOWN``.
        """
        if self._is_unlimited(address):
            return
        if wait := self._windows["written"].take(address, time.monotonic()):
            prose = Phrase("{most} lines in an hour came from there; wait {wait:.0f} s")
            raise Refusal("SLOW_DOWN", prose, most=self.limits.written, wait=wait)

    async def ban(self, text: str) -> tuple[str, int]:
        """Ban an address or a network; return it as kept, and the number of disconnected clients.

        Raises:
            Refusal: ``BAD_ARGS``, it is no address, or it is this machine.
            OSError: it cannot be written down.
        """
        network = self.ban_list.add(text)
        try:
            await self.other_nodes.ban(network)
        except Unavailable:
            self.ban_list.remove(network)
            raise
        return network, self.disconnect_banned()

    async def unban(self, text: str) -> str:
        """Lift a ban; return the network as it was kept.

        Raises:
            Refusal: ``BAD_ARGS``, it was not refused.
            OSError: it cannot be written down.
        """
        network = self.ban_list.remove(text)
        try:
            await self.other_nodes.lift(network)
        except Unavailable:
            self.ban_list.add(network)
            raise
        return network

    def disconnect_banned(self) -> int:
        """Disconnect all clients with a banned address; return their number."""
        there = [session for session in self.sessions if session.address in self.ban_list]
        for session in there:
            session.close(CLOSE_SENT_AWAY, gettext("the host has banned this address"))
        return len(there)

    def tell_all(self, text: str) -> None:
        """Send an announcement of the host to everybody."""
        for session in list(self.sessions):
            session.tell(
                Note(about="announcement", lines=(gettext("the host says: {text}", text=text),))
            )

    def record_elsewhere(self, what: str, address: str) -> None:
        """Count an event that another node has let happen."""
        if (window := self._windows.get(what)) is not None:
            window.record(address, time.monotonic())

    def crowded_addresses(self) -> dict[str, int]:
        """Return the rate-limit keys with many connections, and their numbers."""
        many = max(2, self.limits.connections // CROWD_DIVISOR)
        return {place: number for place, number in self._connected.items() if number >= many}

    def _take(self, what: str, address: str) -> float:
        """Count an event here and at the other nodes, or return the seconds until it may happen."""
        wait = self._windows[what].take(address, time.monotonic())
        if not wait:
            self.other_nodes.count(what, address)
        return wait

    def _is_unlimited(self, address: str) -> bool:
        """Is this the machine itself, which has no limits? A proxy on it speaks for others."""
        return is_loopback(address) and not self.limits.own and address not in self.proxies
