"""Rooms full of people who play and talk, on one loop, and what they find out about the server."""

import asyncio
from array import array
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count
from typing import Final, TypeAlias

from crossroom_clients.bench.load_client import LoadClient, connect
from crossroom_clients.connection.address import Address
from crossroom_clients.connection.dial import TAGS_SUBPROTOCOL
from crossroom_engine.core.board import Board
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import multiset
from crossroom_engine.movegen import best
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.encoding import tags

RULES: Final = PRESETS["official"]
"""The rules of a new room."""
REMARK_MARK: Final = b"~"
"""Stands in front of the number of a remark."""
REMARK: Final = "is that really a word, or did you make it up?"
REMARK_PREFIX_BYTES: Final = 9
"""Bytes in front of a remark."""
READY_TIMEOUT_S: Final = 60.0
"""Seconds for everybody to come in, and for the last lines to arrive."""

Clock: TypeAlias = Callable[[], float]


class Findings:
    """Measurements. Times are in seconds, and count from when a line was meant to be sent."""

    def __init__(self) -> None:
        self.latencies = array("d")
        """Until everybody in the room had been told, the sender included."""
        self.lateness = array("d")
        """Until the line was sent: what the load itself could not keep up with."""
        self.deliveries = self.octets = self.moves = self.refused = 0
        """Entries told to somebody, their bytes, moves told to everybody, refusals."""


class ChatRoom:
    """A room in which people talk.

    Args:
        addresses: Of the room, at one server or at each of several nodes.
        people: How many; they go to one address after the other.
        watchers: How many more, who say nothing.
    """

    def __init__(self, addresses: Sequence[Address], people: int, watchers: int = 0) -> None:
        self.findings = Findings()
        self.goes_on = False
        """Say the next thing as soon as everybody has heard the last?"""
        self._addresses, self._people, self._all = addresses, people, people + watchers
        self._subprotocol: str | None = None
        self._peers: list[LoadClient] = []
        self._said: dict[int, tuple[float, int]] = {}
        self._numbers = count()
        self._now: Clock = asyncio.get_running_loop().time
        self.remark = REMARK

    async def open(self) -> None:
        """Let everybody come in.

        Raises:
            OSError: they cannot.
        """
        for who in range(self._all):
            address = self._addresses[who % len(self._addresses)]
            self._peers.append(await connect(address, self._hearer(who), self._subprotocol))

    def close(self) -> None:
        """Let everybody vanish."""
        for peer in self._peers:
            peer.close()

    @property
    def is_quiet(self) -> bool:
        """Has everything been heard by everybody?"""
        return not self._said

    @property
    def lost(self) -> int:
        """Connections that the server has closed."""
        return sum(peer.is_lost for peer in self._peers)

    def stop(self) -> None:
        """Do nothing more by itself."""
        self.goes_on = False

    def say(self, due: float) -> None:
        """Let somebody say something that was due then."""
        number = next(self._numbers)
        self._said[number] = due, self._all
        self.findings.lateness.append(self._now() - due)
        self._peers[number % self._people].say(f"~{number:07} {self.remark}")

    def _hearer(self, who: int) -> Callable[[bytes], None]:
        return lambda frame: self._hear(who, frame)

    def _hear(self, who: int, frame: bytes) -> None:
        findings = self.findings
        findings.deliveries += 1
        findings.octets += len(frame)
        self._heard_remark(frame)

    def _heard_remark(self, frame: bytes) -> None:
        at = frame.rindex(REMARK_MARK) + 1
        number = int(frame[at : at + 7])
        due, left = self._said[number]
        if left > 1:
            self._said[number] = due, left - 1
            return
        del self._said[number]
        now = self._now()
        self.findings.latencies.append(now - due)
        if self.goes_on:
            self.say(now)


class GameRoom(ChatRoom):
    """A room in which people play, always the play with the most points, game after game."""

    def __init__(
        self, addresses: Sequence[Address], people: int, lexicon: Lexicon, watchers: int = 0
    ) -> None:
        super().__init__(addresses, people, watchers)
        self._subprotocol = TAGS_SUBPROTOCOL
        self.plays_on = False
        """Make the next move as soon as everybody has heard of the last?"""
        self._lexicon = lexicon
        self._board = Board.empty(RULES.layout)
        self._newest = self._made = 0  # entries: the last one heard of, and that of the last move
        self._asked: deque[tuple[int, dict[str, str]]] = deque()  # who is to act, told how
        self._laid: Board | None = None
        self._due: deque[float] = deque()
        self._moving: tuple[float, int] | None = None
        self._seats: set[int] = set()  # the entries by which they were taken
        self._seated = asyncio.Event()
        self._begun = asyncio.Event()

    async def open(self) -> None:
        """See :meth:`ChatRoom.open`; returns when a game is on."""
        await super().open()
        async with asyncio.timeout(READY_TIMEOUT_S):
            for who, peer in enumerate(self._peers[: self._people]):
                peer.say(f"/name P{who}")
                while len(self._seats) <= who:
                    self._seated.clear()
                    await self._seated.wait()
            self._agree()
            await self._begun.wait()

    @property
    def is_quiet(self) -> bool:
        """See :attr:`ChatRoom.is_quiet`."""
        return super().is_quiet and self._moving is None and not self._due

    def stop(self) -> None:
        """See :meth:`ChatRoom.stop`."""
        super().stop()
        self.plays_on = False

    def move(self, due: float) -> None:
        """Let whoever is on turn make a move that was due then, as soon as they are."""
        self._due.append(due)
        self._move()

    def _agree(self) -> None:
        for peer in self._peers[: self._people]:
            peer.say("/ready")

    def _move(self) -> None:
        if not self._asked or self._moving is not None or not self._due:
            return
        who, asked = self._asked.popleft()
        due = self._due.popleft()
        line = self._line(asked)
        self._moving = due, self._all
        self.findings.lateness.append(max(0.0, self._now() - due))
        self._peers[who].say(line)

    def _line(self, asked: dict[str, str]) -> str:
        if asked["phase"] == "last_word":
            return "/accept"
        rack = multiset(RULES.tiles.parse_tiles(asked["rack"]))
        plays = best(RULES, self._board, rack, self._lexicon)
        if not plays:
            return "/pass"
        play = plays[0]
        laid = place(RULES, self._board, play.spot, play.text).laid
        self._laid = self._board.with_letters(dict(laid))
        return f"/play {play.spot} {play.text}"

    def _hear(self, who: int, frame: bytes) -> None:
        if frame.startswith(b"@seq="):
            self._hear_entry(who, frame)
        elif frame.startswith(b"@state=turn"):
            asked, _ = tags.parse_tags(frame.decode())
            if self._asked and self._asked[0][1]["turn"] != asked["turn"]:
                self._asked.clear()
            self._asked.append((who, asked))
            self._begun.set()
            self._move()
        elif frame.startswith(b"@code="):
            self.findings.refused += 1
            self._moving = None

    def _hear_entry(self, who: int, frame: bytes) -> None:
        findings = self.findings
        findings.deliveries += 1
        findings.octets += len(frame)
        if b";event=said;" in frame:
            self._heard_remark(frame)
        elif b";event=moved;" in frame:
            self._heard_move(frame)
        elif b";event=seat_taken;" in frame:
            self._seats.add(_number(frame))
            self._seated.set()

    def _heard_move(self, frame: bytes) -> None:
        entry = _number(frame)
        if entry > self._newest:  # whoever is on turn may have moved before others hear of the last
            self._newest = entry
            if self._moving is None:  # a game begins
                self._board = Board.empty(RULES.layout)
            else:
                self._made = entry
                self._board, self._laid = self._laid or self._board, None
        if self._moving is None or entry != self._made:
            return
        due, left = self._moving
        if left > 1:
            self._moving = due, left - 1
            return
        self._moving = None
        now = self._now()
        self.findings.latencies.append(now - due)
        self.findings.moves += 1
        if self.plays_on:
            self._due.append(now)
        if b";phase=over;" in frame:
            self._asked.clear()
            self._agree()
        self._move()


def _number(frame: bytes) -> int:
    """The number of the entry that is told."""
    return int(frame[len(b"@seq=") : frame.index(b";")])
