"""A table without a room: people type, and what follows is decided and applied."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random

import pytest

from crossroom_engine.core import data
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.events.room import LogEntry, RoomEvent
from crossroom_server.room.dispatch import route_of
from crossroom_server.table import table
from crossroom_server.table.state import CommandContext, Person, Sources, Table
from tests.support.game_driver import WORDS, word_list

ENGLISH = PRESETS["official"].tiles
TINY = word_list(WORDS, ENGLISH)
OLD = word_list("AT IT", ENGLISH)
GERMAN = word_list("AB DA", data.tileset("german"))
SPANISH = word_list("CHICO RARO", data.tileset("spanish"))
NOW = 1_700_000_000_000


class FakeLexica:
    """Word lists by name, and by digest whatever their name is now."""

    def __init__(self, **lists: Lexicon) -> None:
        self.by_name = lists
        self.kept = {lexicon.digest: lexicon for lexicon in lists.values()}

    def get(self, name: str, digest: str | None = None) -> Lexicon:
        found = self.kept.get(digest) if digest else self.by_name.get(name)
        if found is None:
            raise Refusal("NO_LEXICON", f"there is no {name}")
        return found


class TableDriver:
    """A table, people who type, and everything that has happened."""

    def __init__(self, *seated: str, **rules: object) -> None:
        self.lists = FakeLexica(tiny=TINY, old=OLD, german=GERMAN, spanish=SPANISH)
        self.now = NOW
        self.sources = Sources(self.lists, Random(3), lambda: self.now)
        self.table = Table(rules=replace(PRESETS["official"], **{"lexicon": "tiny"} | rules))  # type: ignore[arg-type]
        self.first_rules = self.table.rules
        self.log: list[LogEntry] = []
        for name in seated:
            self.type(name, "/sit")

    def record(self, *happenings: RoomEvent) -> tuple[RoomEvent, ...]:
        for what in happenings:
            entry = LogEntry(self.table.seq + 1, self.now, what)
            self.log.append(entry)
            self.table = table.apply(self.table, entry)
        return happenings

    def type(self, name: str, line: str, absent: Collection[str] = ()) -> tuple[RoomEvent, ...]:
        request = read_line(line, in_room=True)
        assert request is not None
        person, away = Person(f"id-{name}", name), {f"id-{one}" for one in absent}
        route = route_of(request.command, self.table)
        assert route.decide is not None
        context = CommandContext(self.table, person, self.sources, absent=away)
        return self.record(*route.decide(context, request.command))

    def add_bot(self, name: str = "bot") -> tuple[RoomEvent, ...]:
        bot = Person(f"id-{name}", name)
        return self.record(*table.seat_bot(self.table, bot, "greedy", self.sources))

    @contextmanager
    def refuses(self, code: str, prose: str | None = None) -> Iterator[None]:
        """What is tried inside is refused, and nothing has changed."""
        before = self.table
        with pytest.raises(Refusal, match=prose) as caught:
            yield
        assert caught.value.code == code
        assert self.table is before

    @property
    def names(self) -> list[str]:
        return [chair.name for chair in self.table.seats]

    @property
    def ready(self) -> list[bool]:
        return [chair.ready for chair in self.table.seats]


def table_in_game(**rules: object) -> TableDriver:
    """Ann and Bob in a game; Ann is to move."""
    driver = TableDriver("ann", "bob", first_player="seat", **rules)
    driver.type("ann", "/ready")
    driver.type("bob", "/ready")
    return driver


def table_after_game() -> TableDriver:
    driver = table_in_game()
    driver.type("ann", "/pass")
    driver.type("bob", "/resign yes")
    return driver


def with_rack(driver: TableDriver, rack: str) -> TableDriver:
    """The same game, with other tiles on the first rack; the bag does not know."""
    game = driver.table.game
    assert game is not None
    ann = replace(game.players[0], rack=game.rules.tiles.parse_tiles(rack))
    driver.table = replace(driver.table, game=replace(game, players=(ann, *game.players[1:])))
    return driver
