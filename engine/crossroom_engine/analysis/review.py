"""Review a finished game: every turn beside the best that its player could do.

Each turn is judged by what its player knew then, and by equity: the points, and the value of the
tiles kept. Nobody looks ahead here, so a plan for the next turn may look like a mistake.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Literal, NamedTuple, Self, TypeAlias

from crossroom_engine.analysis.position import (
    Candidate,
    Position,
    candidates,
    leave_values,
    rules_as_begun,
)
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.errors import CorruptLog, IllegalMove
from crossroom_engine.core.events import (
    Event,
    Exchanged,
    Passed,
    Played,
    Seat,
    TurnSkipped,
    Withdrawn,
)
from crossroom_engine.core.moves import Exchange, Pass, Place, seats_from
from crossroom_engine.core.placement import place
from crossroom_engine.core.tiles import Tiles, multiset, take_tiles
from crossroom_engine.game.game import Game, apply, initial_game
from crossroom_engine.game.undo import without_undone
from crossroom_engine.game.views import view
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.movegen.play import Play
from crossroom_engine.records import gcg
from crossroom_engine.records.gcg import GcgEntry, Record
from crossroom_engine.records.replay import RecordedPlay, ReplayCheck
from crossroom_engine.words.lexicon import Lexicon

TurnFate: TypeAlias = Literal["stood", "phony", "withdrawn", "forfeited"]
"""The fate of a turn.

It ``stood``; or it was a ``phony`` that stood as well; or a play that was ``withdrawn``, which
leaves as much as a pass; or the turn was ``forfeited``, lost to a challenge like a pass.
"""


class TurnAnalysis(NamedTuple):
    """A turn, beside the best its player could do.

    Attributes:
        turn: The number of the turn, from 1.
        seat: The player.
        fate: What became of the turn.
        position: The position as the player knew it.
        done: The candidate that the player chose, or tried.
        earned: The equity that came of it, in thousandths of a point.
        best: The best candidate, by equity.
    """

    turn: int
    seat: Seat
    fate: TurnFate
    position: Position
    done: Candidate
    earned: int
    best: Candidate

    @property
    def lost(self) -> int:
        """The equity that the best would have earned beyond that, in thousandths of a point.

        Below 0 for a phony that earned more than any word could.
        """
        return self.best.equity - self.earned


class Analysis(NamedTuple):
    """A game: its turns in order, and the equity that each seat lost, in 1/1000 of a point."""

    turns: tuple[TurnAnalysis, ...]
    lost: tuple[int, ...]

    @classmethod
    def from_turns(cls, turns: Iterable[TurnAnalysis], players: int) -> Self:
        """Add up what each of so many *players* lost in these turns."""
        turns, lost = tuple(turns), [0] * players
        for turn in turns:
            lost[turn.seat] += turn.lost
        return cls(turns, tuple(lost))


def analyze(log: Sequence[Event], lexicon: Lexicon, leaves: Leaves) -> Analysis:
    """Set every turn of a game beside the best.

    Args:
        log: The events of the whole game as it was, nothing hidden; finished or not.
        lexicon: The word list of the game.
        leaves: The values of kept tiles.

    Raises:
        CorruptLog: the events do not form a game.
    """
    return Analysis.from_turns(analyze_turns(log, lexicon, leaves), len(_begun(log).players))


def analyze_turns(log: Sequence[Event], lexicon: Lexicon, leaves: Leaves) -> Iterator[TurnAnalysis]:
    """Yield the turns of :func:`analyze` one by one, each worked out on demand, undone ones not.

    Raises:
        CorruptLog: the events do not form a game.
    """
    game, log = _begun(log), without_undone(log)
    for at, event in enumerate(log[1:], 1):
        if isinstance(event, Played | Exchanged | Passed | TurnSkipped):
            fate = _fate(event, log[at + 1 :], lexicon)
            position = Position.from_view(view(game, event.seat), game.rules, lexicon)
            if isinstance(event, Played):
                swaps = tuple(swap.square for swap in event.swapped)
                done = _play(position, Place(event.spot, event.text, swaps), event.points, leaves)
            else:
                given = event.tiles if isinstance(event, Exchanged) else ()
                done = _unplayed(position, given, leaves)
            yield _turn(game.turn, event.seat, fate, position, done, leaves)
        game = apply(game, event)


def _begun(log: Sequence[Event]) -> Game:
    if not log:
        raise CorruptLog("an empty log")
    return initial_game(log[0])


def _fate(event: Event, later: Iterable[Event], lexicon: Lexicon) -> TurnFate:
    if isinstance(event, TurnSkipped):
        return "forfeited"
    if not isinstance(event, Played):
        return "stood"
    if isinstance(next((e for e in later if isinstance(e, Played | Withdrawn)), None), Withdrawn):
        return "withdrawn"
    return "phony" if lexicon.phonies(event.words) else "stood"


def _turn(
    turn: int, seat: Seat, fate: TurnFate, position: Position, done: Candidate, leaves: Leaves
) -> TurnAnalysis:
    earned = done.equity
    if fate == "withdrawn":
        earned = leave_values(position, leaves).value(position.rack)
    (best,) = candidates(position, leaves, 1)
    return TurnAnalysis(turn, seat, fate, position, done, earned, best)


def _play(position: Position, move: Place, points: int, leaves: Leaves) -> Candidate:
    placed = place(position.rules, position.board, move.spot, move.text, move.swaps)
    play = Play(move.spot, move.text, placed.tiles, points, move.swaps)
    return position.as_candidate(play, leave_values(position, leaves))


def _unplayed(position: Position, given: Tiles, leaves: Leaves) -> Candidate:
    kept = take_tiles(given, position.rack)
    move = Exchange(given) if given else Pass()
    equity = leave_values(position, leaves).value(kept)
    return Candidate(move, 0, position.board, kept, given, equity)


def analyze_record(record: Record, lexicon: Lexicon, leaves: Leaves) -> Iterator[TurnAnalysis]:
    """Yield the turns of a recorded game one by one, as far as they can be judged.

    Left out, but counted, are turns whose racks are not written down in full, and those that
    contradict the rules or the tiles there are. Only records of ours tell a turn that was lost to a
    challenge from a pass.
    """
    replay, number = ReplayCheck(record), 0
    last: RecordedPlay | None = None
    for entry, answer in zip_longest(record.entries, record.entries[1:]):
        if isinstance(entry.action, gcg.GcgPlay | gcg.GcgExchange | gcg.GcgPass):
            number += 1
            with suppress(_Unclear, IllegalMove):
                seat, position = _recorded(replay, last, entry, lexicon)
                done = _recorded_move(position, entry, leaves)
                fate = _recorded_fate(entry, answer, position)
                yield _turn(number, seat, fate, position, done, leaves)
        replay.follow_entry(entry)
        if not isinstance(entry.action, gcg.Bonus):
            last = replay.last


class _Unclear(Exception):
    """A record does not say enough."""


def _recorded(
    replay: ReplayCheck, last: RecordedPlay | None, entry: GcgEntry, lexicon: Lexicon
) -> tuple[Seat, Position]:
    """Return whose turn an entry is, and the position as that player knew it."""
    now, rules, seats = replay.state, replay.rules, replay.record.seats_named(entry.name)
    unseen = replay.unseen()
    unseen.subtract(entry.rack)
    hidden = multiset(unseen.elements())
    if len(seats) != 1 or now.out is not None or min(unseen.values()) < 0:
        raise _Unclear
    (seat,) = seats
    order = seats_from(seat, len(now.hands))
    active = [other for other in order if other not in now.retired]
    others = tuple(now.hands[other] for other in active[1:])
    if len(entry.rack) != now.hands[seat] or len(hidden) != sum(others) + now.bag:
        raise _Unclear
    return seat, Position(
        rules=rules_as_begun(rules, len(now.hands)),
        lexicon=lexicon,
        board=now.board,
        rack=multiset(entry.rack),
        unseen=hidden,
        bag=now.bag,
        others=others,
        scores=tuple(now.scores[other] for other in active),
        scoreless=now.scoreless,
        reclaimable=_reclaimable(replay, last, seat),
        begins=active.index(min(active)),  # a record names the player who begins first
    )


def _reclaimable(replay: ReplayCheck, last: RecordedPlay | None, seat: Seat) -> tuple[Square, ...]:
    match replay.rules.reclaim:
        case "any":
            return replay.state.board.blanks
        case "next" if last is not None and last.seat != seat and last.placement is not None:
            return tuple(laid.square for laid in last.placement.laid if laid.letter.blank)
        case _:
            return ()


def _recorded_move(position: Position, entry: GcgEntry, leaves: Leaves) -> Candidate:
    match entry.action:
        case gcg.GcgPlay(spot, text, swaps):
            return _play(position, Place(spot, text, swaps), entry.points, leaves)
        case gcg.GcgExchange(tiles=None):
            raise _Unclear
        case action:
            given = action.tiles if isinstance(action, gcg.GcgExchange) else None
            return _unplayed(position, given or (), leaves)


def _recorded_fate(entry: GcgEntry, answer: GcgEntry | None, position: Position) -> TurnFate:
    match entry.action:
        case gcg.GcgPlay(spot, text, swaps):
            if answer is not None and isinstance(answer.action, gcg.Withdrawal):
                return "withdrawn"
            placed = place(position.rules, position.board, spot, text, swaps)
            return "phony" if position.lexicon.phonies(placed.words) else "stood"
        case gcg.GcgPass(lost=True):
            return "forfeited"
        case _:
            return "stood"
