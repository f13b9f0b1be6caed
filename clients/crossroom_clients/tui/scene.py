"""What the board shows: the game as it is, with the tiles that are laid, or as it was. Pure."""

from crossroom_clients.tui.drawing import Scene
from crossroom_clients.tui.laying import Laying
from crossroom_clients.tui.situation import Situation
from crossroom_protocol.wording import letters


def scene(situation: Situation, laying: Laying, *, cursor: bool) -> Scene | None:
    """What is to be drawn, with or without the *cursor*; None while the board is not known."""
    rules = situation.rules
    if rules is None:
        return None
    if situation.moment is not None:
        then = situation.history.moments[situation.moment]
        rows = [letters(row) for row in then.board.rows]
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
        laying.cursor if cursor else None,
        laying.across,
    )
