"""How the columns and rows of a terminal are shared out. Pure."""

from typing import Final, NamedTuple

from crossroom_clients.tui.board_render import MARGIN, SIZES, largest
from crossroom_engine.core.board import Layout

BESIDE: Final = 44
"""Columns that a board leaves to what stands beside it, when it grows."""
LEAST: Final = 30
"""Columns that even the smallest squares leave."""
BELOW: Final = 8
"""Rows above and below a board: the bar, the rack, the lines at the bottom."""
WIDE: Final = 80
"""Columns beside the board from which log and talk stand side by side."""
RACK: Final = 36
"""Columns of the largest rack."""


class Shares(NamedTuple):
    """Columns of the left side, rows of the board, and whether the right side is wide."""

    board_columns: int
    board_rows: int
    is_wide: bool


def fit(layout: Layout | None, columns: int, rows: int) -> Shares:
    """Share a terminal of so many *columns* and *rows* out."""
    if layout is None:
        return Shares(0, 1, columns >= WIDE)
    size = largest(layout, columns - BESIDE, rows - BELOW)
    whole = MARGIN + layout.width * size.columns
    wide = min(whole, columns - LEAST) if size == SIZES[0] else whole
    wide = max(wide, min(RACK, columns - LEAST))
    high = min(1 + layout.height * size.rows, max(3, rows - BELOW))
    return Shares(wide, high, columns - wide >= WIDE)
