"""Choose the board to show: now, with the person's own tiles, or after an earlier move. Pure."""

from crossroom_clients.tui.board_render import BoardScene, Piece
from crossroom_clients.tui.placement import TentativePlay
from crossroom_clients.tui.prompts import tentative_line
from crossroom_clients.tui.state import TableState
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


def caption(state: TableState, tentative: TentativePlay) -> Piece:
    """The line below it: the move that is looked back at; or what the laid tiles would earn."""
    if state.moment is not None:
        return state.history.moments[state.moment].line, "name"
    return tentative_line(tentative, state)
