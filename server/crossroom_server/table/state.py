"""The state of a table: its seats, its rules and its game."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol, TypeAlias

from crossroom_engine.core.events import Event
from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.game.game import Game
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.offers import OfferKind
from crossroom_protocol.events.room import RoomEvent
from crossroom_server.table.permissions import Permissions


@dataclass(frozen=True)
class Person:
    """Somebody with a name in this room; ``member`` stays the same when they come back.

    ``registered``: the name is theirs on this server.
    """

    member: str
    name: str
    registered: bool = False


@dataclass(frozen=True)
class Target:
    """Somebody a command is about; ``address`` is None while they are not connected."""

    person: Person
    address: str | None = None


@dataclass(frozen=True)
class SeatState:
    """A taken seat; a bot is always ready.

    ``stand_in`` is the level of the bot that plays while its player stays away; ``failed_offers``
    maps a kind of offer to when they last made one that came to nothing, in ms since 1970;
    ``program``: they have said that they are one.
    """

    member: str
    name: str
    bot: str | None = None
    agreed: bool = False
    stand_in: str | None = None
    failed_offers: Mapping[OfferKind, int] = field(default_factory=dict)
    registered: bool = False
    program: bool = False

    @property
    def bot_level(self) -> str | None:
        """The level of the bot that plays here now; None: a person does."""
        return self.bot or self.stand_in

    @property
    def ready(self) -> bool:
        """Do they agree to begin?"""
        return self.agreed or self.bot is not None


@dataclass(frozen=True)
class Offer:
    """An offer of ``seat``, until ``until`` in ms since 1970; ``waiting`` have still to agree."""

    what: OfferKind
    seat: int
    name: str
    waiting: tuple[int, ...]
    until: int

    def is_open(self, now: int) -> bool:
        """May it still be answered at the time *now*, in ms since 1970?"""
        return now < self.until


@dataclass(frozen=True)
class Table:
    """A table after ``seq`` entries of its log.

    ``members`` are the people of the game, by game seat; while it is played they are those on the
    ``seats``. ``record`` holds the events of the game, secrets included; it ``began`` with that
    entry of the log, and ``starting_seats`` are the seats as they were then.
    """

    rules: Ruleset = PRESETS["official"]
    seats: tuple[SeatState, ...] = ()
    games: int = 0
    game: Game | None = None
    members: tuple[str, ...] = ()
    began: int = 0
    starting_seats: tuple[SeatState, ...] = ()
    record: tuple[Event, ...] = field(default=(), repr=False)
    offer: Offer | None = None
    seq: int = 0
    permissions: Permissions = field(default_factory=Permissions)

    @property
    def playing(self) -> Game | None:
        """The game, while it is not over."""
        return self.game if self.game is not None and self.game.phase != "over" else None

    @property
    def people_playing(self) -> set[str]:
        """The members whom the game cannot go on without, present or not."""
        seats = self.playing.active if self.playing is not None else ()
        return {self.seats[seat].member for seat in seats if self.seats[seat].bot_level is None}

    @property
    def all_ready(self) -> bool:
        """Do all who sit here, two or more, agree to begin?"""
        return len(self.seats) > 1 and all(seat_state.ready for seat_state in self.seats)

    def seat_of(self, member: str | None) -> int | None:
        """Return the seat of a member, 0-based."""
        for at, seat_state in enumerate(self.seats):  # a hot path: once per reader of each entry
            if seat_state.member == member:
                return at
        return None

    def game_seat_of(self, member: str | None) -> int | None:
        """Return the seat of a member in the game on the table, over or not."""
        return self.members.index(member) if member in self.members else None


class Lexica(Protocol):
    """The word lists of this server."""

    def get(self, name: str, digest: str | None = None) -> Lexicon:
        """Return the list of that name or, given a *digest*, the list of exactly those words.

        Raises:
            Refusal: ``NO_LEXICON``, saying what there is.
        """
        ...


@dataclass(frozen=True)
class Sources:
    """All that a decision may consult besides the table; ``now`` gives ms since 1970.

    ``seed`` gives the secret that a new game's bag is sealed with, "" to leave it unsealed.
    """

    lexica: Lexica
    random: Random
    now: Callable[[], int]
    seed: Callable[[], str] = lambda: ""


@dataclass(frozen=True)
class CommandContext:
    """The inputs for deciding a command, besides the command itself.

    ``target`` is the person it names, None if nobody here is called so. ``absent`` are the members
    who have been away for longer than the rules make others wait.
    """

    table: Table
    person: Person
    sources: Sources
    target: Target | None = None
    absent: Container[str] = ()

    @property
    def seat(self) -> int:
        """Return their seat, 0-based.

        Raises:
            Refusal: ``NEED_SEAT``.
        """
        seat = self.table.seat_of(self.person.member)
        if seat is None:
            raise Refusal("NEED_SEAT", "you are watching; /sit takes a free seat between games")
        return seat


Events: TypeAlias = tuple[RoomEvent, ...]
"""Events that a command brings about, not yet applied."""


def with_seat(table: Table, seat: int, **changes: Any) -> Table:
    """Return *table* with *changes* to one seat."""
    seats = list(table.seats)
    seats[seat] = replace(seats[seat], **changes)
    return replace(table, seats=tuple(seats))
