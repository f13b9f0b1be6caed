"""What is looked at: the board of now, with the person's own tiles, or a move gone by. Pure."""

from crossroom_clients.tui.board_render import Piece, Scene
from crossroom_clients.tui.placement import Laying
from crossroom_clients.tui.prompts import tentative
from crossroom_clients.tui.state import Situation
from crossroom_protocol.base.wording import split_squares


def scene(situation: Situation, laying: Laying, *, has_cursor: bool) -> Scene | None:
    """The board to draw; None while it is not known."""
    rules = situation.rules
    if rules is None:
        return None
    if situation.moment is not None:
        then = situation.history.moments[situation.moment]
        rows = [split_squares(row) for row in then.board.rows]
        return Scene(rules.layout, rules.tiles, rows, fresh=then.laid)
    if len(laying.board) != rules.layout.height:
        return None
    return Scene(
        rules.layout,
        rules.tiles,
        laying.board,
        laying.laid,
        laying.swapped,
        situation.fresh,
        laying.cursor if has_cursor else None,
        laying.across,
    )


def caption(situation: Situation, laying: Laying) -> Piece:
    """The line below it: the move that is looked back at; or what the laid tiles would earn."""
    if situation.moment is not None:
        return situation.history.moments[situation.moment].line, "name"
    return tentative(laying, situation)
