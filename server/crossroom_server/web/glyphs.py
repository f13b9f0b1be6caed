"""Capitals of other alphabets, for a font that has Latin letters only."""

# ruff: noqa: RUF001 - that they look alike is the point

from typing import Final

ALIKE: Final = dict(zip("АВЕКМНОРСТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEKMHOPCTXABEZHIKMNOPTYX", strict=True))
"""Capitals that are drawn like a Latin one."""

_LINES: Final = {
    "Б": "50 00 08 48 67 65 54 04",
    "Г": "60 00 08",
    "Д": "09 07 67 69, 17 20 50 57",
    "Ж": "30 38, 00 34 08, 60 34 68",
    "З": "01 10 50 61 63 54 24, 54 65 67 58 18 07",
    "И": "00 08 60 68",
    "Л": "08 18 20 60 68",
    "П": "08 00 60 68",
    "У": "00 34, 60 28 08",
    "Ф": "30 38, 12 03 05 16 56 65 63 52 12",
    "Ц": "00 08 68 69, 50 58",
    "Ч": "00 03 14 64, 60 68",
    "Ш": "00 08 68 60, 30 38",
    "Щ": "00 08 78 79, 30 38, 60 68",
    "Ъ": "00 20 28 58 67 65 54 24",
    "Ы": "00 08 38 47 45 34 04, 60 68",
    "Ь": "00 08 48 67 65 54 04",
    "Э": "01 10 40 62 66 48 18 07, 24 64",
    "Ю": "00 08, 04 24, 40 22 26 48 58 76 72 50 40",
    "Я": "68 60 20 11 13 24 64, 34 08",
    "Γ": "60 00 08",
    "Δ": "08 30 68 08",
    "Θ": "20 02 06 28 48 66 62 40 20, 24 44",
    "Λ": "08 30 68",
    "Ξ": "00 60, 14 54, 08 68",
    "Π": "08 00 60 68",
    "Σ": "60 00 34 08 68",
    "Φ": "30 38, 12 03 05 16 56 65 63 52 12",
    "Ψ": "30 38, 00 03 15 55 63 60",
    "Ω": "08 28 26 03 11 20 40 51 63 46 48 68",
}
"""Lines through points, each a column and a row; the top is row 0, the base line row 8."""

STROKES: Final = {
    letter: [
        [(int(at[0]) / 8, int(at[1]) / 8) for at in line.split()] for line in lines.split(", ")
    ]
    for letter, lines in _LINES.items()
}
"""The others: lines through points, in heights of a capital from its upper left corner."""

WIDTH: Final = 0.7
"""How much room such a letter takes, in sizes of the font."""
