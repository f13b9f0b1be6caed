"""Choose the board to show: now, with the person's own tiles, or after an earlier move. Pure."""

from collections.abc import Sequence

from crossroom_clients.tui.board_render import BoardScene, Piece
from crossroom_clients.tui.history import Moment
from crossroom_clients.tui.placement import TentativePlay
from crossroom_clients.tui.prompts import tentative_line
from crossroom_clients.tui.state import TableState
from crossroom_engine.core.tiles import HIDDEN, Tile
from crossroom_protocol.base.wording import split_squares


def scene(state: TableState, tentative: TentativePlay, *, has_cursor: bool) -> BoardScene | None:
    """The board to draw; None while it is not known."""
    rules = state.rules
    if rules is None:
        return None
    if state.moment is not None:
        then = state.history.moments[state.moment]
        rows = [split_squares(row) for row in then.board.rows]
        return BoardScene(rules.layout, rules.tiles, rows, fresh=then.laid)
    if len(tentative.board) != rules.layout.height:
        return None
    return BoardScene(
        rules.layout,
        rules.tiles,
        tentative.board,
        tentative.laid,
        tentative.swapped,
        state.fresh,
        tentative.cursor if has_cursor else None,
        tentative.across,
    )


def hand(state: TableState, tentative: TentativePlay) -> Sequence[tuple[Tile, bool]]:
    """The tiles of the rack, and which of them are laid; for an earlier move, the rack of then."""
    game, at = state.game, state.moment
    if at is None or game is None:
        return tentative.hand
    moments = state.history.moments
    return rack_at(moments, at, moments[at].seat if game.seat is None else game.seat)


def rack_at(moments: Sequence[Moment], at: int, seat: int | None) -> Sequence[tuple[Tile, bool]]:
    """The rack of a seat at a moment, and which of its tiles it has just used."""
    if seat is None:
        return ()
    then = moments[at]
    before = moments[max(0, at - 1)] if seat == then.seat else then
    tiles = [tile for tile in before.racks[seat] if tile != HIDDEN]
    used = list(then.used) if seat == then.seat else []
    drawn = []
    for tile in sorted(tiles):
        drawn.append((tile, tile in used))
        if tile in used:
            used.remove(tile)
    return drawn


def caption(state: TableState, tentative: TentativePlay) -> Piece:
    """The line below it: the move that is looked back at; or what the laid tiles would earn."""
    if state.moment is not None:
        return state.history.moments[state.moment].line, "name"
    return tentative_line(tentative, state)
