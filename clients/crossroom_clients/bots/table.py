"""A seat at a table for a program. What is no decision of the game is done for it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from crossroom_clients.bots.turn import CommandRefused, Turn
from crossroom_clients.connection.address import parse_address
from crossroom_clients.connection.clocks import ServerTime
from crossroom_clients.connection.json_codec import JsonCodec, NoticeMessage
from crossroom_clients.connection.reconnecting import Closed, Connection, NotSent
from crossroom_clients.connection.resume_state import ResumeState
from crossroom_engine.core.events import Started
from crossroom_engine.game.views import View
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.events.room import Moved, RulesChanged
from crossroom_protocol.notices import (
    AnyNotice,
    CaughtUp,
    Happened,
    RoomView,
    Welcome,
    YourState,
    YourTurn,
)

if TYPE_CHECKING:
    from crossroom_engine.core.rules import Ruleset


@asynccontextmanager
async def connect(
    address: str,
    name: str,
    *,
    resume_code: str | None = None,
    open_lexicon: Callable[[str], Lexicon] = catalog.open_lexicon,
    challenges: bool = True,
) -> AsyncIterator["BotTable"]:
    """Take a seat, and leave it at the end of the block.

    A connection that drops is made again, and the seat is still there.

    Args:
        address: The room, as for ``crossroom join``: ``ws://localhost:8765/t/kitchen``.
        name: What the program is called there.
        resume_code: Comes back to a seat, as :attr:`BotTable.resume_code` told it.
        open_lexicon: Opens the word list that the rules name.
        challenges: Whether to challenge every word that is not in the list, where that is allowed.

    Raises:
        BadAddress: the address cannot be understood.
        ServerUnreachable: nobody answers there.
        CommandRefused: the name or the room cannot be had.
    """
    connection = Connection(
        parse_address(address), ResumeState(code=resume_code), name, codec=JsonCodec()
    )
    await connection.open()
    table = BotTable(connection, open_lexicon, challenges=challenges)
    listening = asyncio.create_task(table._listen())
    try:
        await table._come_in()
        yield table
    finally:
        await connection.close()
        await asyncio.gather(listening)


class BotTable:
    """A table at which a program sits; :func:`connect` makes it."""

    def __init__(
        self, connection: Connection, open_lexicon: Callable[[str], Lexicon], *, challenges: bool
    ) -> None:
        self._connection, self._open_lexicon = connection, open_lexicon
        self._challenges = challenges
        self._time, self._changed = ServerTime(), asyncio.Event()
        self._refused: CommandRefused | None = None
        self._done: dict[str, object] = {}  # by what was done, its latest occasion
        self.room: RoomView | None = None
        """The room as the seat sees it now."""
        self.rules: Ruleset | None = None
        """The rules of the game on the table, or of the next one."""
        self._playing: int | None = None  # the number of the game that is being played
        self._ended = 0  # games
        self.closed: Closed | None = None
        """Why the connection is over for good; None while it is not."""

    @property
    def resume_code(self) -> str | None:
        """The secret that brings the program back to its seat."""
        return self._connection.resume.code

    async def turns(self, games: int | None = None) -> AsyncIterator[Turn]:
        """Yield each turn of this seat, game after game, until the connection is over.

        With *games*, stop when so many have ended.

        Meanwhile the program says that it is one, agrees to the rules and to each next game,
        accepts last words, agrees when somebody wants to end or to adjourn the game, and declines
        to take turns back. A turn that was not used is yielded again when something has happened
        in the room.
        """
        ended = self._ended
        while self.closed is None and (games is None or self._ended - ended < games):
            self._changed.clear()
            if (turn := await self._decide()) is not None:
                yield turn
            else:
                await self._changed.wait()

    async def say(self, text: str) -> None:
        """Say something to all in the room."""
        await self.ask(f"/say {text}")

    async def ask(self, line: str) -> None:
        """Give a command, as people type it, and wait until it is carried out.

        If the connection is lost meanwhile, this returns, and what the room shows next tells
        whether it was carried out.

        Raises:
            CommandRefused: it was not carried out.
        """
        with suppress(NotSent):
            answer = await (await self._connection.send(line, typed=False))
            if answer is not None and answer.mark == "!":
                raise CommandRefused(answer.tags.get("code", ""), answer.text)
            return
        await self._connection.connected.wait()

    # What comes in.

    async def _listen(self) -> None:
        async for item in self._connection.listen():
            match item:
                case Closed():
                    self.closed = item
                case NoticeMessage(notice=notice) if notice is not None:
                    if item.is_entry_refused:
                        self._refused = CommandRefused(item.tags.get("code", ""), item.text)
                    self._learn(notice)
            if not self._connection.connected.is_set():
                self._done.clear()  # what was asked for may not have been done
        self._connection.entered.set()
        self._changed.set()

    async def _come_in(self) -> None:
        await self._connection.entered.wait()
        if self._refused is not None:
            raise self._refused
        if self.closed is not None:
            raise CommandRefused(str(self.closed.code), self.closed.reason)

    def _learn(self, notice: AnyNotice) -> None:
        match notice:
            case Welcome(room=room, rules=rules):
                self.room, self.rules = room, rules
            case CaughtUp(rules=rules):
                self.rules = rules
            case YourState(room=room) | YourTurn(room=room):
                self.room = room
            case Happened(room=room, event=event, at=at):
                self.room = room
                self._time.observe(at, _now())
                if isinstance(event, RulesChanged):
                    self.rules = event.rules
                for step in event.events if isinstance(event, Moved) else ():
                    self.rules = step.rules if isinstance(step, Started) else self.rules
            case _:
                return
        self._count_games()
        self._changed.set()

    def _count_games(self) -> None:
        if self.room is None or self.room.game is None:
            return
        if self.room.game.phase != "over":
            self._playing = self.room.games
        elif self._playing == self.room.games:
            self._playing, self._ended = None, self._ended + 1

    # What is to be done.

    async def _decide(self) -> Turn | None:
        """Do what is no decision of the game; return the turn, if it is this seat's."""
        room = self.room
        if room is None or room.seat is None or self.rules is None:
            return None
        if (line := self._due_line(room)) is not None:
            with suppress(CommandRefused):
                await self.ask(line)
            return None
        game = room.game
        if game is None or "place" not in game.options or not self._is_new("turn", room.seq):
            return None
        lexicon = self._open_lexicon(self.rules.lexicon)
        return Turn(game, self.rules, lexicon, self._seconds_left(game), self.ask)

    def _due_line(self, room: RoomView) -> str | None:
        """Return a command that is due, once for each occasion."""
        assert room.seat is not None
        game, offer = room.game, room.offer
        if offer is not None and room.name in offer.waiting and self._is_new("offer", offer.until):
            return "/decline" if offer.what == "undo" else "/agree"
        if not room.seats[room.seat].program and self._is_new("program", room.seq):
            return "/bot me"
        if game is None or game.phase == "over" or game.adjourned:
            is_ready = room.seats[room.seat].ready
            return "/ready" if not is_ready and self._is_new("ready", room.seq) else None
        turn = f"turn={game.turn}"
        if "challenge" in game.options and self._sees_phony(room.games, game):
            return f"/challenge {turn}"
        if "accept" in game.options and self._is_new("accept", room.seq):
            return f"/accept {turn}"
        return None

    def _sees_phony(self, number: int, game: View) -> bool:
        play = game.open_play
        if not self._challenges or play is None or self.rules is None:
            return False
        if not self._is_new("challenge", (number, game.turn)):
            return False
        return bool(self._open_lexicon(self.rules.lexicon).phonies(play.words))

    def _is_new(self, what: str, occasion: object) -> bool:
        """Tell whether this was not done before, and note that it is done now."""
        known, self._done[what] = self._done.get(what), occasion
        return known != occasion

    def _seconds_left(self, game: View) -> float | None:
        assert game.seat is not None
        player = game.players[game.seat]
        limit = self.rules.turn_limit if self.rules is not None else None
        now = self._time.at(_now())
        running = max(0, now - game.since) if game.since is not None else 0
        left = [] if player.allowed is None else [player.allowed - player.used - running]
        left += [] if limit is None else [1000 * limit - running]
        return min(left) / 1000 if left else None


def _now() -> int:
    return time.time_ns() // 1_000_000
