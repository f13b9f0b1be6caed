"""QR codes in a terminal."""

from typing import Final

import pytest

from crossroom_protocol.text.qr_text import qr_lines

SQUARES: Final = {"█": ("0", "0"), "▀": ("0", "1"), "▄": ("1", "0"), " ": ("1", "1")}


@pytest.mark.parametrize(
    "rows", [("1",), ("10", "01"), ("110", "001", "111"), ("0000", "1111", "0101", "1010")]
)
def test_each_square_is_drawn_and_a_light_border_around_them(rows: tuple[str, ...]) -> None:
    width = len(rows[0]) + 4
    drawn = [
        "".join(SQUARES[block][half] for block in line.ljust(width))
        for line in qr_lines(rows)
        for half in (0, 1)
    ]
    border = ["0" * width] * 2
    expected = [*border, *(f"00{row}00" for row in rows), *border]
    assert drawn[: len(expected)] == expected
    assert all(set(row) == {"1"} for row in drawn[len(expected) :])
