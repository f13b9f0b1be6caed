"""Share out the columns and rows of a terminal. Pure."""

from typing import Final, NamedTuple

from crossroom_clients.tui.board_render import MARGIN, SIZES, largest
from crossroom_engine.core.board import Layout

SIDE_COLUMNS: Final = 44
"""Columns that a board leaves to what stands beside it, when it grows."""
MIN_SIDE_COLUMNS: Final = 30
"""Columns that even the smallest squares leave."""
OTHER_ROWS: Final = 8
"""Rows above and below a board: the bar, the rack, the lines at the bottom."""
WIDE_SIDE_COLUMNS: Final = 80
"""Columns beside the board from which log and talk stand side by side."""
RACK_COLUMNS: Final = 36
"""Columns of the largest rack."""


class LayoutShares(NamedTuple):
    """Columns of the left side, rows of the board, and whether the right side is wide."""

    board_columns: int
    board_rows: int
    is_wide: bool


def share_out(layout: Layout | None, columns: int, rows: int) -> LayoutShares:
    """Share a terminal of so many *columns* and *rows* out."""
    if layout is None:
        return LayoutShares(0, 1, columns >= WIDE_SIDE_COLUMNS)
    size = largest(layout, columns - SIDE_COLUMNS, rows - OTHER_ROWS)
    whole = MARGIN + layout.width * size.columns
    wide = min(whole, columns - MIN_SIDE_COLUMNS) if size == SIZES[0] else whole
    wide = max(wide, min(RACK_COLUMNS, columns - MIN_SIDE_COLUMNS))
    high = min(1 + layout.height * size.rows, max(3, rows - OTHER_ROWS))
    return LayoutShares(wide, high, columns - wide >= WIDE_SIDE_COLUMNS)
