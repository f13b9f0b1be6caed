"""The page of a room before its script runs: the board already drawn, and room for what comes.

The script takes the squares over, so the board is drawn once, and stays where it is when players or
seats are written above it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from markupsafe import Markup

from crossroom_engine.core.board import Layout, Premium
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.base.translate import current_language
from crossroom_protocol.text.premiums import premium_mark
from crossroom_server.identity.urls import http_url
from crossroom_server.lobby.lobby import RoomSummary
from crossroom_server.web.pages import PageLocation, join_commands
from crossroom_server.web.templating import render

USUAL_LAYOUT: Final = PRESETS["official"].layout
"""The board of nearly every room; where it is another, the script draws that."""


def room_page(
    url: str,
    name: str,
    rooms: Iterable[RoomSummary],
    line_port: int | None,
    now: int,
    page: PageLocation,
) -> str:
    """Render the page of one room, which need not be open yet.

    *now* is in ms since 1970, as the clocks of devices may be wrong.
    """
    return render(
        "room.html",
        page=page,
        name=name,
        line=next((line for line in rooms if line.name == name), None),
        commands=join_commands(url, name, line_port),
        url=http_url(url),
        now=now,
        board=_board_grid(USUAL_LAYOUT, current_language()),
    )


@dataclass(frozen=True)
class _GridSquare:
    at: Square
    classes: str = "square"
    mark: str = ""


@cache
def _board_grid(layout: Layout, language: str) -> Markup:
    rows = [
        [_grid_square(layout, Square(row, col)) for col in range(layout.width)]
        for row in range(layout.height)
    ]
    columns = [chr(ord("A") + col) for col in range(layout.width)]
    return render("board_grid.html", layout=layout, columns=columns, rows=rows)


def _grid_square(layout: Layout, at: Square) -> _GridSquare:
    if (premium := layout.premium(at)) == Premium():
        return _GridSquare(at)
    times, kind = max((premium.letter, "letter"), (premium.word, "word"))
    if at == layout.start:
        return _GridSquare(at, f"square {kind}{times} start", "★")
    return _GridSquare(at, f"square {kind}{times}", premium_mark(premium))
