"""What this server keeps of one person: all of it to take along, or nothing any more."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from functools import reduce
from typing import Any, Final, NamedTuple

from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.moderation import Banned
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LOG_ENTRY, LogEntry, SeatLeft
from crossroom_server.identity import names
from crossroom_server.room.log_replay import read_log
from crossroom_server.store.contract import Store, Unavailable
from crossroom_server.store.rows import FINISHED_JSON
from crossroom_server.table.erasure import Eraser, bearers, last_alias, mentions
from crossroom_server.table.results import ended_games
from crossroom_server.table.state import Table
from crossroom_server.table.table import apply

GAMES_PER_BATCH: Final = 50
"""Finished games that are looked through at a time: a few ms, in which nothing else is done."""

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

    async def export(self, who: Whose) -> dict[str, Any]:
        """Return all that is kept of them, for JSON; tiles of games are at the pages of these.

        Raises:
            Refusal: the store is out of order.
        """
        try:
            games, _ = await self._games(who)
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
                "log": {
                    room: await asyncio.to_thread(_about, await self._log(room), who.key)
                    for room in rooms
                },
            }
        except (Unavailable, CorruptLog) as error:
            raise Refusal("INTERNAL", str(error)) from None

    async def check(self, who: Whose) -> None:
        """Check that nothing is in the way of forgetting them.

        Raises:
            Refusal: ``GAME_ON``, one of their games is not over; ``NAME_TAKEN``, somebody else had
                the name in this room, too; or the store is out of order.
        """
        try:
            games, _ = await self._games(who)
            for room in await self._rooms(who, games):
                await self._check(room, who)
        except (Unavailable, CorruptLog) as error:
            raise Refusal("INTERNAL", str(error)) from None

    async def erase(self, who: Whose) -> str:
        """Forget them, after :meth:`check`; return their name in stored games from now on.

        Raises:
            Refusal: the store is out of order; a part may be done, and all can be done again.
        """
        try:
            games, last = await self._games(who)
            rooms = await self._rooms(who, games)
            for room in rooms:  # not all who were forgotten there have finished a game
                entries = await self._log(room)
                found = await asyncio.to_thread(last_alias, entries, names.FORMER_PLAYER)
                last = max(last, found)
            alias = f"{names.FORMER_PLAYER}{last + 1}"
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
        entries = await self._log(room)
        if await asyncio.to_thread(_is_playing, entries, who.key):
            prose = Phrase("your game in {room} is not over; finish it or resign first")
            raise Refusal("GAME_ON", prose, room=room)
        if who.room is not None:
            codes = await self._store.people.codes({who.name})
            members = {code.member for code in codes if code.room == room}
            if len(members | await asyncio.to_thread(bearers, entries, who.key)) > 1:
                prose = Phrase("somebody else was called {name} here, too; ask the host")
                raise Refusal("NAME_TAKEN", prose, name=who.name)

    async def _rewrite(self, room: str, who: Whose, alias: str) -> None:
        entries = await self._log(room)
        found = await asyncio.to_thread(_erased, room, entries, who.key, alias)
        await self._store.people.rewrite(room, found.changed, found.games, found.names | {who.name})
        if found.left:
            await self._store.append(room, entries[-1].seq, found.left)

    async def _log(self, room: str) -> list[LogEntry]:
        return [entry async for entry in read_log(self._store, room)]

    async def _games(self, who: Whose) -> tuple[list[FinishedGame], int]:
        """Return the finished games that are theirs, and the greatest number of a former player."""
        games, after, last = list[FinishedGame](), 0, 0
        while batch := await self._store.finished(after, GAMES_PER_BATCH):
            after = batch[-1][0]
            for _, game in batch:
                for player in game.players:
                    number = player.name.removeprefix(names.FORMER_PLAYER)
                    if number != player.name and number.isdecimal():
                        last = max(last, int(number))
                    elif (
                        who.room in (None, game.room)
                        and (player.registered or who.room is not None)
                        and names.comparison_key(player.name) == who.key
                    ):
                        games.append(game)
        return games, last

    async def _rooms(self, who: Whose, games: list[FinishedGame]) -> list[str]:
        if who.room is not None:
            return [who.room]
        codes = await self._store.people.codes({who.name})
        return sorted(
            {game.room for game in games} | {code.room for code in codes if code.registered}
        )


# What takes long in a long log, so that a thread does it.


class _Erased(NamedTuple):
    """What becomes of a log: what changes, names whose codes are to be deleted, new entries."""

    changed: list[LogEntry]
    games: list[FinishedGame]
    names: set[str]
    left: list[LogEntry]


def _erased(room: str, entries: Sequence[LogEntry], key: str, alias: str) -> _Erased:
    eraser = Eraser(key, alias)
    after = [eraser.erase(entry) for entry in entries]
    changed = [new for new, old in zip(after, entries, strict=True) if new is not old]
    games = [
        game
        for game in ended_games(room, Table(), after)
        if any(player.name == alias for player in game.players)
    ]
    table, left = reduce(apply, after, Table()), list[LogEntry]()
    if table.playing is None:
        seats = [at for at, seat in enumerate(table.seats) if seat.name == alias]
        left = [
            LogEntry(table.seq + number, after[-1].at, SeatLeft(at, alias))
            for number, at in enumerate(reversed(seats), start=1)
        ]
    return _Erased(changed, games, eraser.names, left)


def _is_playing(entries: Sequence[LogEntry], key: str) -> bool:
    """Tell whether they play in a game that is not over."""
    table = reduce(apply, entries, Table())
    return table.playing is not None and any(
        names.comparison_key(table.seats[seat].name) == key for seat in table.playing.active
    )


def _about(entries: Sequence[LogEntry], key: str) -> list[Any]:
    """Return the entries that name them, for JSON."""
    return [
        LOG_ENTRY.dump_python(_without_address(entry), mode="json")
        for entry in mentions(entries, key)
    ]


def _without_address(entry: LogEntry) -> LogEntry:
    what = entry.what
    return replace(entry, what=replace(what, address=None)) if isinstance(what, Banned) else entry
