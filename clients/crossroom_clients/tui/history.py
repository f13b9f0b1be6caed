"""The games of a room move by move, from the entries of its log, to look back at. Pure.

What happened is put on the board as it was told; nothing is judged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.events import (
    Awarded,
    Drew,
    Event,
    Exchanged,
    Passed,
    Played,
    RackReturned,
    Started,
    Undone,
    Withdrawn,
)
from crossroom_engine.core.tiles import BLANK, HIDDEN, Tile
from crossroom_protocol.events.room import Moved, RoomEvent


@dataclass(frozen=True)
class Moment:
    """The table after one entry of the log: the board, what was just laid, the scores.

    ``seat`` is who moved, None for the server; ``line`` tells of it. ``racks`` are those of all
    seats, as far as they were told; ``used`` the tiles that left the rack of ``seat`` in this move.
    """

    seq: int
    seat: int | None
    line: str
    board: Board
    laid: frozenset[Square]
    scores: tuple[int, ...]
    racks: tuple[tuple[Tile, ...], ...] = ()
    used: tuple[Tile, ...] = ()


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
            racks: tuple[tuple[Tile, ...], ...] = ((),) * len(began.players)
            now = Moment(seq, None, line, board, frozenset(), scores, racks)
            for step in event.events:
                now = self._after(now, step)
            self.moments, self._turns = [now], []
        elif self.moments:
            now = replace(self.moments[-1], seq=seq, seat=event.seat, line=line, used=())
            for step in event.events:
                now = self._after(now, step)
            self.moments.append(now)

    def _after(self, now: Moment, step: Event) -> Moment:
        match step:
            case Played(seat=seat, points=points):
                self._turns.append(now)
                tiles = {tile.square: tile.letter for tile in (*step.laid, *step.swapped)}
                now = replace(now, board=now.board.with_letters(tiles), laid=frozenset(tiles))
                gone = tuple(tile.letter.tile for tile in (*step.laid, *step.swapped))
                now = _redraw(now, seat, gone, (BLANK,) * len(step.swapped))
                return _award(replace(now, used=gone), seat, points)
            case Exchanged(seat=seat, tiles=gone, drew=drawn):
                self._turns.append(now)
                return replace(_redraw(now, seat, gone, drawn), used=gone)
            case Passed():
                self._turns.append(now)
            case Drew(seat=seat, tiles=drawn):
                return _redraw(now, seat, (), drawn)
            case RackReturned(seat=seat):
                return _redraw(now, seat, now.racks[seat], ())
            case Withdrawn(seat=seat, points=points):
                before = self._turns[-1]
                now = replace(now, board=before.board, laid=frozenset())
                now = _redraw(now, seat, now.racks[seat], before.racks[seat])
                return _award(now, seat, -points)
            case Undone():
                before = self._turns.pop()
                return replace(before, seq=now.seq, seat=now.seat, line=now.line)
            case Awarded(seat=seat, points=points):
                return _award(now, seat, points)
        return now


def _redraw(now: Moment, seat: int, gone: Sequence[Tile], drawn: Sequence[Tile]) -> Moment:
    """Let tiles leave a rack and others come; of a hidden rack, any tile may be the one."""
    rack = list(now.racks[seat])
    for tile in gone:
        for such in (tile, HIDDEN):
            if such in rack:
                rack.remove(such)
                break
    racks = list(now.racks)
    racks[seat] = (*rack, *drawn)
    return replace(now, racks=tuple(racks))


def _award(now: Moment, seat: int, points: int) -> Moment:
    scores = list(now.scores)
    scores[seat] += points
    return replace(now, scores=tuple(scores))
