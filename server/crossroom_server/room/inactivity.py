"""What a room does when time goes by and nobody acts.

Offers lapse, clocks that run down are spoken of, and a player who is gone is waited for no longer
than the rules say. All of that is read from the table as it is; after a restart it begins anew, but
who was gone long before is gone still.
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
"""Seconds before anything is said of somebody who is on turn and away: most are back by then."""
NUDGE_INTERVAL_S: Final = 60.0
"""Seconds between two nudges in a room."""

TimedDecision: TypeAlias = Callable[[Table, Collection[str], Sources], tuple[RoomEvent, ...]]
"""What happens at a table where these members are present."""


class NotifyMembers(Protocol):
    """Tells everybody, or one *member*, what is not part of the log."""

    def __call__(self, about: str, *lines: str, member: str | None = None) -> None:
        """Tell it."""


def absentee(table: Table, present: Collection[str]) -> int | None:
    """The seat that is on turn and away while another player is there to wait for it."""
    game = table.playing
    if game is None or game.since is None or game.phase != "playing":
        return None
    people, member = table.people_playing, table.seats[game.on_turn].member
    if member not in people or member in present or not people.intersection(present):
        return None
    return game.on_turn


class InactivityMonitor:
    """The timers of one room.

    Args:
        note: Tells people what is not part of the log.
        post: Has a decision carried out, in its turn.
        sources: For the time.
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
        """Nobody is here yet, and nobody was since the newest entry, of the time *last*.

        Everybody has a while to come back, though: the server may have been away, and not they.
        """
        if table.playing is None or last is None:
            return
        at_least = max(0.0, table.playing.rules.absence_after - RETURN_GRACE_S)
        since = _loop_time() - min((self._sources.now() - last) / 1000, at_least)
        self._away = {chair.member: since for chair in table.seats if chair.bot is None}

    def update(self, table: Table, present: Collection[str]) -> None:
        """Look at the table as it is now, where these members are present."""
        self._table, self._present = table, frozenset(present)
        now = self._sources.now()
        offer = table.offer
        self._timers.set("offer", (offer.until - now) / 1000 if offer is not None else None)
        self._note_absences()
        self._await_absentee()
        self._watch_clock(now)

    def absent_members(self, table: Table) -> set[str]:
        """The members who have been away for longer than anybody has to wait."""
        if table.playing is None:
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
        """Do nothing any more."""
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

    # Those who are gone.

    def _note_absences(self) -> None:
        seated = {chair.member for chair in self._table.seats if chair.bot is None}
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
        """Somebody has been waited for long enough: what the rules say (RULES 6.13)."""
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
    table: Table, person: Person, vigil: InactivityMonitor, present: Collection[str]
) -> str:
    """Return what to tell everybody when *person* reminds whoever the game waits for.

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
    chairs = [table.seats[seat] for seat in late if table.seats[seat].bot_level is None]
    others = [chair for chair in chairs if chair.member != person.member]
    if not others:
        if chairs:
            raise Refusal("BAD_ARGS", "the game waits for you")
        raise Refusal("BAD_ARGS", "the game waits for a bot")
    vigil.count_nudge()
    away = [chair.name for chair in others if chair.member not in present]
    told = [
        gettext(
            "{name} reminds {names}", name=person.name, names=join_and([it.name for it in others])
        )
    ]
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
        "{name} is on turn and away: if that is so for {within}, {then}",
        name=name,
        within=within,
        then=then,
    )


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
