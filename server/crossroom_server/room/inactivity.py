"""Acts when time passes in a room: lapses offers, warns of clocks, ends waits for the absent.

The timers follow from the table; after a restart they begin anew, but members who were absent long
before still count as absent.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Final, Protocol, TypeAlias

from crossroom_engine.core.moves import Adjourn, Forfeit
from crossroom_engine.game.game import Game
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext, join_texts
from crossroom_protocol.base.wording import format_duration, join_and
from crossroom_protocol.events.offers import StoodIn
from crossroom_protocol.events.room import RoomEvent
from crossroom_server.net.weakrefs import weak_callback
from crossroom_server.room.clock_tasks import RETURN_GRACE_S
from crossroom_server.room.time_warnings import clock_warnings
from crossroom_server.room.timers import Timers
from crossroom_server.table.offer_rules import lapse_if_due
from crossroom_server.table.state import Person, Sources, Table
from crossroom_server.table.table import apply_official

STAND_IN_LEVEL: Final = "regular"
"""The level of the bot that plays for somebody who stays away."""
ABSENCE_GRACE_S: Final = 5.0
"""Seconds before a warning that the player on turn is away: most are back by then."""
NUDGE_INTERVAL_S: Final = 60.0
"""Seconds between two nudges in a room."""

TimedDecision: TypeAlias = Callable[[Table, Collection[str], Sources], tuple[RoomEvent, ...]]
"""Decides events from the table and the members present."""


class NotifyMembers(Protocol):
    """Sends a note, which is not logged, to everybody or one *member*."""

    def __call__(self, about: str, *lines: str, member: str | None = None) -> None:
        """Send it."""


def absentee(table: Table, present: Collection[str]) -> int | None:
    """Return the seat on turn, if its player is away while another waits."""
    game = table.playing
    if game is None or game.since is None or game.phase != "playing":
        return None
    if not game.rules.needs_presence:
        return None
    people, member = table.people_playing, table.seats[game.on_turn].member
    if member not in people or member in present or not people.intersection(present):
        return None
    return game.on_turn


class InactivityMonitor:
    """The timers of one room.

    Args:
        note: Sends people notes.
        post: Queues a decision in the mailbox of the room.
        sources: The time.
    """

    def __init__(
        self,
        note: NotifyMembers,
        post: Callable[[TimedDecision], Awaitable[None]],
        sources: Sources,
    ) -> None:
        self._note, self._post, self._sources = note, post, sources
        self._timers = Timers(weak_callback(self._ring))
        self._table, self._present = Table(), frozenset[str]()
        self._away: dict[str, float] = {}
        self._awaited: tuple[int, int, str] | None = None
        self._clock: tuple[int, int, int | None] | None = None
        self._warned = 0
        self._nudged = float("-inf")

    def start(self, table: Table, last: int | None) -> None:
        """Count all as absent since *last*, the time of the newest entry, in ms since 1970.

        Everybody keeps a while to come back: the server may have been down.
        """
        if table.playing is None or last is None:
            return
        at_least = max(0.0, table.playing.rules.absence_after - RETURN_GRACE_S)
        since = _loop_time() - min((self._sources.now() - last) / 1000, at_least)
        self._away = {
            seat_state.member: since for seat_state in table.seats if seat_state.bot is None
        }

    def update(self, table: Table, present: Collection[str]) -> None:
        """Set the timers for the *table* and the members *present*."""
        self._table, self._present = table, frozenset(present)
        now = self._sources.now()
        offer = table.offer
        self._timers.set("offer", (offer.until - now) / 1000 if offer is not None else None)
        self._note_absences()
        self._await_absentee()
        self._watch_clock(now)

    def absent_members(self, table: Table) -> set[str]:
        """Return the members who have been away for longer than the rules make others wait."""
        if table.playing is None or not table.playing.rules.needs_presence:
            return set()
        latest = _loop_time() - table.playing.rules.absence_after
        return {member for member, since in self._away.items() if since <= latest}

    def count_nudge(self) -> None:
        """Count a nudge.

        Raises:
            Refusal: ``SLOW_DOWN``.
        """
        wait = self._nudged + NUDGE_INTERVAL_S - _loop_time()
        if wait > 0:
            raise Refusal("SLOW_DOWN", "one nudge a minute; wait {wait:.0f} s", wait=wait + 0.5)
        self._nudged = _loop_time()

    def __len__(self) -> int:
        return len(self._timers)

    def close(self) -> None:
        """Cancel the timers."""
        self._timers.close()

    async def _ring(self, name: str) -> None:
        match name:
            case "offer":
                await self._post(lambda table, _, sources: lapse_if_due(table, sources.now()))
            case "warning":
                self._warn_of_absence()
            case "absence":
                await self._post(self._give_up)
        self.update(self._table, self._present)

    # Absence.

    def _note_absences(self) -> None:
        seated = {seat_state.member for seat_state in self._table.seats if seat_state.bot is None}
        away = seated - self._present
        self._away = {member: self._away.get(member, _loop_time()) for member in away}

    def _await_absentee(self) -> None:
        seat, game = absentee(self._table, self._present), self._table.playing
        awaited = None
        if seat is not None and game is not None:
            awaited = self._table.games, game.turn, self._table.seats[seat].member
        if awaited == self._awaited:
            return
        self._awaited = awaited
        self._timers.set("absence", None)
        self._timers.set("warning", None if awaited is None else ABSENCE_GRACE_S)

    def _warn_of_absence(self) -> None:
        seat, game = absentee(self._table, self._present), self._table.playing
        if seat is not None and game is not None:
            self._note("absence", _absence_warning(game, self._table.seats[seat].name))
            self._timers.set("absence", game.rules.absence_after)

    def _give_up(
        self, table: Table, present: Collection[str], sources: Sources
    ) -> tuple[RoomEvent, ...]:
        """End the wait for an absent player as the rules say (RULES 6.13)."""
        seat, game = absentee(table, present), table.playing
        if seat is None or game is None:
            return ()
        name = table.seats[seat].name
        match game.rules.absence:
            case "wait":
                after = format_duration(game.rules.absence_after)
                line = gettext(
                    "{name} has been away for {after}; /adjourn or /abort does not need them",
                    name=name,
                    after=after,
                )
                self._note("absence", line)
                return ()
            case "forfeit":
                return apply_official(table, Forfeit(seat), sources)
            case "adjourn":
                return apply_official(table, Adjourn("absent"), sources)
            case "bot":
                return (StoodIn(seat, name, STAND_IN_LEVEL),)

    # The clock.

    def _watch_clock(self, now: int) -> None:
        game = self._table.playing
        if game is None:
            self._timers.set("clock", None)
            return
        clock = self._table.games, game.turn, game.since
        if clock != self._clock:
            self._clock, self._warned = clock, now
        told = clock_warnings(game)
        for warning in told:
            if self._warned < warning.at <= now:
                member = None if warning.to_all else self._table.seats[game.on_turn].member
                self._note("clock", warning.line, member=member)
        self._warned = max(now, self._warned)
        following = min((one.at for one in told if one.at > now), default=None)
        self._timers.set("clock", None if following is None else (following - now) / 1000)


def reminder(
    table: Table, person: Person, inactivity: InactivityMonitor, present: Collection[str]
) -> str:
    """Return the note with which *person* reminds the players the game waits for.

    Raises:
        Refusal: there is nobody to remind, or somebody has just done it.
    """
    game = table.playing
    if game is None:
        raise Refusal("NO_GAME", "no game is being played; nobody is late")
    if game.adjourned:
        raise Refusal("ADJOURNED", "the game is adjourned; nobody is late")
    if table.seat_of(person.member) is None:
        raise Refusal("NEED_SEAT", "you are watching; the players remind each other")
    late = game.awaited or (game.on_turn,)
    late_seats = [table.seats[seat] for seat in late if table.seats[seat].bot_level is None]
    others = [seat_state for seat_state in late_seats if seat_state.member != person.member]
    if not others:
        if late_seats:
            raise Refusal("WRONG_PHASE", "the game waits for you")
        raise Refusal("WRONG_PHASE", "the game waits for a bot")
    inactivity.count_nudge()
    away = [seat_state.name for seat_state in others if seat_state.member not in present]
    reminded = join_and([it.name for it in others])
    told = [gettext("{name} reminds {names}", name=person.name, names=reminded)]
    if away:
        told.append(gettext("{names} cannot hear it", names=join_and(away)))
    return join_texts("; ", told)


def _absence_warning(game: Game, name: str) -> str:
    within = format_duration(game.rules.absence_after)
    match game.rules.absence:
        case "wait":
            then = gettext("you may /adjourn or /abort without {name}", name=name)
        case "forfeit":
            then = gettext("{name} loses the game", name=name)
        case "adjourn":
            then = gettext("the game is adjourned")
        case "bot":
            then = gettext("a bot plays for {name}", name=name)
    return gettext(
        "{name} is on turn but away; unless they return within {within}, {then}",
        name=name,
        within=within,
        then=then,
    )


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
