"""The log in short lines, for narrow terminals: moves as they come, and those recalled. Pure.

A recalled entry comes without the view of the game at its time. For common moves what their lines
tell of it follows from the moves before; other entries keep the line of the server.
"""

from collections.abc import Iterable
from typing import Final

from crossroom_clients.tui.history import History, Moment
from crossroom_engine.core.events import (
    Awarded,
    Challenged,
    Drew,
    DrewForFirst,
    Exchanged,
    Passed,
    Played,
    Started,
    TurnBegan,
    TurnForfeited,
    TurnSkipped,
    Withdrawn,
)
from crossroom_engine.game.views import PlayerView, View
from crossroom_protocol.base.wording import split_squares
from crossroom_protocol.events.room import Moved
from crossroom_protocol.notices import AnyNotice, Happened, ReplayedEntry
from crossroom_protocol.text.board_text import EMPTY_SQUARE
from crossroom_protocol.text.short_move_text import short_move_line

_COMMON: Final = (
    *(Started, DrewForFirst, Drew, TurnBegan, Played, Exchanged, Passed),
    *(Challenged, Withdrawn, Awarded, TurnForfeited, TurnSkipped),
)
"""Events after which the game just goes on."""


def short_line(notice: AnyNotice | None) -> str | None:
    """The short line of a move that has happened; None for everything else."""
    match notice:
        case Happened(seq=seq, event=Moved() as moved, room=room) if room.game is not None:
            return short_move_line(seq, moved, room.game)
    return None


def recalled_lines(entries: Iterable[ReplayedEntry]) -> dict[int, str]:
    """The short lines of recalled moves, by the numbers of their entries."""
    lines, history = {}, History()
    started: Started | None = None
    for entry in entries:
        if not isinstance(moved := entry.event, Moved):
            continue
        history.record(entry.seq, moved, "")
        started = next((step for step in moved.events if isinstance(step, Started)), started)
        began = [step for step in moved.events if isinstance(step, TurnBegan)]
        is_common = all(isinstance(step, _COMMON) for step in moved.events)
        if started is not None and began and is_common:
            then = _view(started, history.moments[-1], began[-1])
            lines[entry.seq] = short_move_line(entry.seq, moved, then)
    return lines


def _view(started: Started, now: Moment, began: TurnBegan) -> View:
    """A game as far as a common move tells of it."""
    players = tuple(
        PlayerView(name, score, len(rack), None, used=0, forfeits=0, retired=False)
        for name, score, rack in zip(started.players, now.scores, now.racks, strict=True)
    )
    lying = sum(square != EMPTY_SQUARE for row in now.board.rows for square in split_squares(row))
    tiles = sum(kind.count for kind in started.rules.tiles.kinds)
    return View(
        seat=None,
        players=players,
        board=now.board.rows,
        bag=tiles - lying - sum(player.tiles for player in players),
        unseen=(),
        phase="playing",
        turn=began.turn,
        first=0,
        on_turn=began.seat,
        options=(),
        reclaimable=(),
        open_play=None,
        awaited=(),
        scoreless=0,
        scoreless_limit=0,
        target_by=None,
        since=None,
        due=None,
        ended=None,
        winners=(),
        version=0,
    )
