"""What this server keeps of one person: all of it to take along, or nothing any more."""

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any, Final, NamedTuple

from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.moderation import Banned
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LOG_ENTRY, LogEntry, SeatLeft
from crossroom_server.identity import names
from crossroom_server.lobby.leaderboard import Leaderboard
from crossroom_server.room.log_replay import read_log
from crossroom_server.store.contract import Store, Unavailable
from crossroom_server.store.rows import FINISHED_JSON
from crossroom_server.table.erasure import Eraser, bearers, mentions
from crossroom_server.table.results import ended_games
from crossroom_server.table.state import Table
from crossroom_server.table.table import apply

MAX_ALIAS: Final = 100_000
GAMES_PER_BATCH: Final = 500
"""Finished games that are looked through at a time."""

HeldClosed = Callable[[str], AbstractAsyncContextManager[None]]
"""Holds the room of that name closed; who is in it has to come back afterwards."""


class Whose(NamedTuple):
    """The person: a registered name, which they have proved, or a guest in one room."""

    name: str
    room: str | None
    """None: the name is theirs on the whole server."""

    @property
    def key(self) -> str:
        """The comparison key of their name."""
        return names.comparison_key(self.name)


class PersonalData:
    """Exports and erases what is kept of a person; every method may refuse.

    Args:
        store: Keeps it.
        held_closed: Holds rooms closed while they are rewritten.
    """

    def __init__(self, store: Store, held_closed: HeldClosed) -> None:
        self._store, self._held_closed = store, held_closed
        self._leaderboard = Leaderboard(store)

    async def export(self, who: Whose) -> dict[str, Any]:
        """Return all that is kept of them, for JSON; tiles of games are at the pages of these.

        Raises:
            Refusal: the store is out of order.
        """
        try:
            games = [game async for game in self._games(who)]
            rooms = await self._rooms(who, games)
            account = await self._store.find_account(who.key) if who.room is None else None
            codes = [
                {"room": code.room, "name": code.name, "last_used": code.since or None}
                for code in await self._store.people.codes({who.name})
                if code.room in rooms
            ]
            return {
                "name": who.name,
                "registered": None if account is None else account.since,
                "codes": codes,
                "games": [FINISHED_JSON.dump_python(game, mode="json") for game in games],
                "log": {room: await self._entries(room, who.key) for room in rooms},
            }
        except (Unavailable, CorruptLog) as error:
            raise Refusal("INTERNAL", str(error)) from None

    async def _entries(self, room: str, key: str) -> list[Any]:
        entries = [entry async for entry in read_log(self._store, room)]
        return [
            LOG_ENTRY.dump_python(_without_address(entry), mode="json")
            for entry in mentions(entries, key)
        ]

    async def check(self, who: Whose) -> None:
        """Check that nothing is in the way of forgetting them.

        Raises:
            Refusal: ``GAME_ON``, one of their games is not over; ``NAME_TAKEN``, somebody else had
                the name in this room, too; or the store is out of order.
        """
        try:
            for room in await self._rooms(who, [game async for game in self._games(who)]):
                await self._check(room, who)
        except (Unavailable, CorruptLog) as error:
            raise Refusal("INTERNAL", str(error)) from None

    async def erase(self, who: Whose) -> str:
        """Forget them, after :meth:`check`; return their name in stored games from now on.

        Raises:
            Refusal: the store is out of order; a part may be done, and all can be done again.
        """
        try:
            games = [game async for game in self._games(who)]
            rooms = await self._rooms(who, games)
            alias = f"{names.FORMER_PLAYER}{secrets.randbelow(MAX_ALIAS)}"
            for room in rooms:
                async with self._held_closed(room):
                    await self._rewrite(room, who, alias)
            if who.room is None:
                await self._store.people.forget_account(who.key)
        except (Unavailable, CorruptLog) as error:
            raise Refusal("INTERNAL", str(error)) from None
        return alias

    async def _check(self, room: str, who: Whose) -> None:
        """Check that nothing is in the way of erasing them in a room."""
        entries = [entry async for entry in read_log(self._store, room)]
        table = Table()
        for entry in entries:
            table = apply(table, entry)
        game = table.playing
        if game is not None and any(
            names.comparison_key(table.seats[seat].name) == who.key for seat in game.active
        ):
            prose = Phrase("your game in {room} is not over; finish it or resign first")
            raise Refusal("GAME_ON", prose, room=room)
        if who.room is not None:
            codes = await self._store.people.codes({who.name})
            members = {code.member for code in codes if code.room == room}
            if len(members | bearers(entries, who.key)) > 1:
                prose = Phrase("somebody else was called {name} here, too; ask the host")
                raise Refusal("NAME_TAKEN", prose, name=who.name)

    async def _rewrite(self, room: str, who: Whose, alias: str) -> None:
        eraser, table = Eraser(who.key, alias), Table()
        entries: list[LogEntry] = []
        changed: list[LogEntry] = []
        async for entry in read_log(self._store, room):
            entries.append(eraser.erase(entry))
            table = apply(table, entries[-1])
            if entries[-1] is not entry:
                changed.append(entries[-1])
        games = [
            game
            for game in ended_games(room, Table(), entries)
            if any(player.name == alias for player in game.players)
        ]
        await self._store.people.rewrite(room, changed, games, eraser.names | {who.name})
        seats = [at for at, seat in enumerate(table.seats) if seat.name == alias]
        if seats and table.playing is None:
            now = entries[-1].at
            left = [
                LogEntry(table.seq + 1 + number, now, SeatLeft(at, alias))
                for number, at in enumerate(reversed(seats))
            ]
            await self._store.append(room, table.seq, left)

    async def _games(self, who: Whose) -> AsyncIterator[FinishedGame]:
        """Yield the finished games that are theirs."""
        after = 0
        while batch := await self._store.finished(after, GAMES_PER_BATCH):
            after = batch[-1][0]
            for _, game in batch:
                if who.room in (None, game.room) and any(
                    names.comparison_key(player.name) == who.key
                    and (player.registered or who.room is not None)
                    for player in game.players
                ):
                    yield game

    async def _rooms(self, who: Whose, games: list[FinishedGame]) -> list[str]:
        if who.room is not None:
            return [who.room]
        codes = await self._store.people.codes({who.name})
        return sorted(
            {game.room for game in games} | {code.room for code in codes if code.registered}
        )


def _without_address(entry: LogEntry) -> LogEntry:
    what = entry.what
    return replace(entry, what=replace(what, address=None)) if isinstance(what, Banned) else entry
