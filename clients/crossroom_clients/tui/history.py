"""The games of a room move by move, from the entries of its log, to look back at. Pure.

What happened is put on the board as it was told; nothing is judged.
"""

from dataclasses import dataclass, field, replace

from crossroom_engine.core.board import Board, Square
from crossroom_engine.core.events import (
    Awarded,
    Event,
    Exchanged,
    Passed,
    Played,
    Started,
    Undone,
    Withdrawn,
)
from crossroom_protocol.events.room import Moved, RoomEvent


@dataclass(frozen=True)
class Moment:
    """The table after one entry of the log: the board, what was just laid, the scores.

    ``seat`` is who moved, None for the server; ``line`` tells of it.
    """

    seq: int
    seat: int | None
    line: str
    board: Board
    laid: frozenset[Square]
    scores: tuple[int, ...]


@dataclass
class History:
    """The moments of the newest game whose beginning was heard."""

    moments: list[Moment] = field(default_factory=list)
    _turns: list[Moment] = field(default_factory=list)
    """The moment before each turn that was not taken back."""

    def record(self, seq: int, event: RoomEvent, line: str) -> None:
        """Take in an entry of the log, and the *line* that tells of it; once is enough."""
        if not isinstance(event, Moved) or (self.moments and seq <= self.moments[-1].seq):
            return
        began = next((step for step in event.events if isinstance(step, Started)), None)
        if began is not None:
            board, scores = Board.empty(began.rules.layout), (0,) * len(began.players)
            self.moments, self._turns = [Moment(seq, None, line, board, frozenset(), scores)], []
        elif self.moments:
            now = replace(self.moments[-1], seq=seq, seat=event.seat, line=line)
            for step in event.events:
                now = self._after(now, step)
            self.moments.append(now)

    def _after(self, now: Moment, step: Event) -> Moment:
        match step:
            case Played(seat=seat, points=points):
                self._turns.append(now)
                tiles = {tile.square: tile.letter for tile in (*step.laid, *step.swapped)}
                now = replace(now, board=now.board.with_letters(tiles), laid=frozenset(tiles))
                return _award(now, seat, points)
            case Exchanged() | Passed():
                self._turns.append(now)
            case Withdrawn(seat=seat, points=points):
                now = replace(now, board=self._turns[-1].board, laid=frozenset())
                return _award(now, seat, -points)
            case Undone():
                before = self._turns.pop()
                return replace(before, seq=now.seq, seat=now.seat, line=now.line)
            case Awarded(seat=seat, points=points):
                return _award(now, seat, points)
        return now


def _award(now: Moment, seat: int, points: int) -> Moment:
    scores = list(now.scores)
    scores[seat] += points
    return replace(now, scores=tuple(scores))
