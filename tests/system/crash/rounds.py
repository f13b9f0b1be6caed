"""Rounds of a crash test: play, kill, perhaps cut the power, compare, come back."""

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from struct import unpack_from
from typing import Any, Final

from crossroom_protocol.events.room import LogEntry, Said
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.identity.codes import code_digest
from crossroom_server.room.audience import Audience
from crossroom_server.room.client import Identity
from crossroom_server.store.audit import audit
from crossroom_server.store.sqlite.backup import back_up
from crossroom_server.store.sqlite.file import read_snapshot
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.store.sqlite.table_dump import SqliteDump
from crossroom_server.table.results import ended_games
from crossroom_server.table.state import Person, Table
from crossroom_server.table.table import apply
from tests.system.crash.fork_server import ForkedServer, ForkServer
from tests.system.crash.players import CrashPlayer, LostEvent, essence
from tests.system.crash.power_cut import PowerCut

EVENING: Final = 25
"""Rounds with the same people and the same file."""


@dataclass
class CrashCounts:
    """What was tried so far."""

    rounds: int = 0
    cuts: int = 0
    undone: int = 0
    torn: int = 0
    copies: int = 0
    told: int = 0
    stored: int = 0
    acknowledged: int = 0
    resumed: int = 0

    def __str__(self) -> str:
        return (
            f"{self.rounds} kills, {self.cuts} of them with a power cut ({self.undone} writes "
            f"undone or torn), {self.torn} torn logs, {self.copies} backups; "
            f"{self.stored} entries stored, {self.told} tellings compared, "
            f"{self.acknowledged} acknowledged lines found, {self.resumed} seats resumed"
        )


@dataclass
class CrashRun:
    """People in some rooms of one server, which is killed again and again."""

    folder: Path
    fork_server: ForkServer
    power: PowerCut | None
    dice: Random
    rooms: int
    longest: float  # seconds that a server lives, from when it listens
    tally: CrashCounts
    people: list[CrashPlayer] = field(default_factory=list)
    compared: dict[CrashPlayer, int] = field(default_factory=dict)
    stored: int = 0
    copied_late: bool = False
    """Was the last server killed before it was copied, if it was?"""

    def __post_init__(self) -> None:
        for number in range(self.rooms):
            room, bot = f"room-{number}", "greedy" if number % 3 == 0 else None
            self.people.append(CrashPlayer(room, "ann", Random(self.dice.random()), bot))
            self.people.append(CrashPlayer(room, "bob", Random(self.dice.random())))

    def round(self) -> None:
        """Let them play, and kill the server at some moment.

        Raises:
            Loss: of something that somebody was told.
        """
        if self.power is not None:
            self.power.forget()
        server = self.fork_server.serve(self.folder)
        asyncio.run(self._play(server, self.dice.random() ** 2 * self.longest))
        self.tally.rounds += 1
        torn = self._torn(self._copy("torn"))
        if self.power is not None and self.dice.random() < 0.5:
            self.tally.cuts += 1
            self.tally.undone += self.power.cut(self.dice)
            if self.copied_late:  # it may hold what was written, but not synced and told to nobody
                self.copy.unlink(missing_ok=True)
        self._compare(self._copy("seen"), torn)  # it is the next server that mends the file

    async def _play(self, server: ForkedServer, seconds: float) -> None:
        playing = [asyncio.create_task(player.play(server.port)) for player in self.people]
        copying = asyncio.create_task(self._back_up(self.dice.random() * seconds))
        await asyncio.wait(playing, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        self.copied_late = not copying.done()
        server.kill()
        await copying
        async with asyncio.timeout(100):
            await asyncio.gather(*playing)

    async def _back_up(self, seconds: float) -> None:
        """Now and then, copy the store while the server runs; it may be killed meanwhile."""
        if self.dice.random() < 0.3:
            await asyncio.sleep(seconds)
            await asyncio.to_thread(back_up, self.folder / "games.db", self.copy, _unseen)
            self.tally.copies += 1

    # Comparing.

    def _copy(self, name: str) -> Path:
        copy = self.folder.with_name(name)
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.folder, copy, ignore=shutil.ignore_patterns("*.sock"))
        return copy

    def _compare(self, seen: Path, torn: Path) -> None:
        logs = asyncio.run(_logs(seen / "games.db"))
        self._compare_torn(torn, logs)
        if self.copy.exists():
            self._compare_copy(logs)
        members = asyncio.run(self._members(seen))
        for room, log in logs.items():
            people = [player for player in self.people if player.room == room]
            self._compare_said(log, people)
            self._compare_told(log, people, members)
        for player in self.people:
            if max(player.heard, default=0) > len(logs.get(player.room, ())):
                raise LostEvent(f"{player.name} was told more than the log of {player.room} holds")
        self.tally.stored += sum(map(len, logs.values())) - self.stored
        self.stored = sum(map(len, logs.values()))

    async def _members(self, seen: Path) -> dict[CrashPlayer, str]:
        """Who they are to the server; every code that was told leads there."""
        store, found = SqliteStore(seen / "games.db"), {}
        for player in self.people:
            member = await store.find_code(code_digest(player.code)) if player.code else None
            if player.code and (member is None or member.room != player.room):
                raise LostEvent(f"the code of {player.name} is not known")
            found[player] = member.member if member is not None else ""
        store.close()
        return found

    def _compare_said(self, log: Sequence[LogEntry], people: Sequence[CrashPlayer]) -> None:
        said = Counter(entry.what.text for entry in log if isinstance(entry.what, Said))
        for player in people:
            if lost := player.sure - said.keys():
                raise LostEvent(f"acknowledged, but not stored: {lost}")
            if twice := [text for text in player.tried if said[text] > 1]:
                raise LostEvent(f"stored twice: {twice}")

    def _compare_told(
        self,
        log: Sequence[LogEntry],
        people: Sequence[CrashPlayer],
        members: dict[CrashPlayer, str],
    ) -> None:
        """Was it told as it is stored? Each telling is compared once."""
        table = Table()
        for entry in log:
            table = apply(table, entry)
            for player in people:
                if entry.seq <= self.compared.get(player, 0) or entry.seq not in player.heard:
                    continue
                if essence(player.heard[entry.seq]) != expected(table, entry, members[player]):
                    raise LostEvent(f"{player.name} in {player.room} was told another {entry.seq}")
                self.tally.told += 1
        for player in people:
            self.compared[player] = max(player.heard, default=0)

    # A log whose end is torn off, or rubbish.

    def _torn(self, torn: Path) -> Path:
        wal, shm = torn / "games.db-wal", torn / "games.db-shm"
        if wal.exists() and shm.exists() and wal.stat().st_size > 32 and shm.stat().st_size > 136:
            self.tally.torn += 1
            index = shm.read_bytes()
            end = max(unpack_from("=I", index, 16) + unpack_from("=I", index, 64))
            (moved,) = unpack_from("=I", index, 128)  # into the database already, or nearly so
            keep = self.dice.randint(32 + min(moved, end) * 4120, 32 + end * 4120)
            text = wal.read_bytes()[:keep]
            rubbish = self.dice.choice([0, 1, 512, 4096, 4120])
            wal.write_bytes(text + self.dice.randbytes(rubbish))
        shm.unlink(missing_ok=True)
        return torn

    def _compare_torn(self, torn: Path, logs: dict[str, list[LogEntry]]) -> None:
        """Nothing is there by halves: each log is the beginning of the true one, or goes on."""
        for room, log in asyncio.run(_logs(torn / "games.db")).items():
            if any(one != other for one, other in zip(log, logs.get(room, []), strict=False)):
                raise LostEvent(f"torn off, the log of {room} is another")
            table = Table()
            for entry in log:
                table = apply(table, entry)

    def _compare_copy(self, logs: dict[str, list[LogEntry]]) -> None:
        """The last backup is sound, and each log in it is the beginning of the true one."""
        with read_snapshot(self.copy) as db:
            if damages := audit(SqliteDump(db), _unseen).damages:
                raise LostEvent(f"the backup is damaged: {damages}")
        shutil.copy(self.copy, self.folder.with_name("copied.db"))
        for room, log in asyncio.run(_logs(self.folder.with_name("copied.db"))).items():
            if log != logs[room][: len(log)]:
                raise LostEvent(f"in the backup, the log of {room} is another")

    @property
    def copy(self) -> Path:
        """Where backups go."""
        return self.folder.with_name("copy.db")

    def finish(self) -> None:
        """Count what the tally has not."""
        self.tally.acknowledged += sum(len(player.sure) for player in self.people)
        self.tally.resumed += sum(player.resumed for player in self.people)


def _unseen(_done: int, _total: int) -> None:
    """Nobody looks at the progress."""


class _JsonReader:
    """A client that reads JSON."""

    style, address, base_url = ReaderSettings("json"), "", ""

    def __init__(self) -> None:
        self.proven: set[str] = set()

    def send(self, frames: Sequence[str]) -> None:
        raise NotImplementedError

    def close(self, code: int, reason: str) -> None:
        raise NotImplementedError


def expected(table: Table, entry: LogEntry, member: str) -> tuple[Any, ...]:
    """What of :func:`essence` follows from the log, for one member."""
    audience, reader = Audience("room"), _JsonReader()
    audience.identify(reader, Identity(Person(member, "x"), ""))
    return essence(json.loads(audience.entry_for(table, entry, reader).model_dump_json()))


async def _logs(path: Path) -> dict[str, list[LogEntry]]:
    """All logs; with each end of a game, what is remembered of it must be there."""
    store = SqliteStore(path)
    try:
        logs = {room: await store.read(room) for room in await store.rooms(10_000)}
        kept = {game.page: game for _, game in await store.finished()}
        said = [game for room, log in logs.items() for game in ended_games(room, Table(), log)]
        if kept != {game.page: game for game in said}:
            raise LostEvent("the games that are over are not those of the logs")
        return logs
    finally:
        store.close()
