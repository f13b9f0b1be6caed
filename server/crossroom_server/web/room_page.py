"""The page of a room before its script runs: the board already drawn, and room for what comes.

The script takes the squares over, so the board is drawn once, and stays where it is when players or
seats are written above it. Everything here is empty or a picture; nothing tells of a game.
"""

from functools import cache
from html import escape
from typing import Final

from crossroom_engine.core.board import Layout, Premium, Square
from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.base.translate import current_language, gettext
from crossroom_protocol.text.premiums import premium_mark
from crossroom_server.lobby.lobby import RoomSummary

USUAL: Final = PRESETS["official"].layout
"""What nearly every room has; where it is another, the script draws that."""
_PLAYER: Final = (
    '<li class="player"><span class="name">&nbsp;</span><span class="score">&nbsp;</span>'
    '<span class="facts">&nbsp;</span><span class="clock">&nbsp;</span></li>'
)
_WAITING_ROOM: Final = (
    '<section class="waiting-room panel"><h2>&nbsp;</h2><p class="note">&nbsp;</p>'
    '<ul class="seats">{seats}</ul><div class="button-row"></div>'
    '<div class="add-bot"></div></section>'
)
_HAND: Final = (
    '<p class="status">&nbsp;</p><div class="rack"></div><div class="move-buttons"></div>'
)


def skeleton(name: str, line: RoomSummary | None, now: int) -> str:
    """The header and the body of a room's page.

    Args:
        name: The room's name.
        line: What is known of the room; None: nobody is there.
        now: The time in ms since 1970, as the clocks of devices may be wrong.
    """
    seated, playing = (line.seated, line.playing) if line else (0, False)
    beside = (
        f'<ol class="players" data-count="{seated}">{_PLAYER * seated}</ol>'
        if playing
        else _WAITING_ROOM.format(seats="<li></li>" * max(seated, 1))
    )
    tables = gettext("All tables")
    return (
        f'<header class="bar"><a href="../" class="home" aria-label="{tables}">&lsaquo;</a>'
        f"<h1>{escape(name)}</h1></header>"
        f'<main aria-busy="true" data-now="{now}"><div class="left">{beside}</div>'
        f'<div class="play-area"><div class="board-frame">{board(USUAL)}</div>'
        f"{_HAND if playing else ''}</div>"
        '<div class="right"></div></main>'
    )


def board(layout: Layout) -> str:
    """An empty board as the script draws it, too; 15 columns are what the style sheet expects."""
    return _board(layout, current_language())


@cache
def _board(layout: Layout, language: str) -> str:
    heads = "".join(f"<span>{chr(ord('A') + col)}</span>" for col in range(layout.width))
    rows = "".join(_row(layout, row) for row in range(layout.height))
    drawn, name = escape("\n".join(layout.rows)), gettext("Board")
    return (
        f'<div class="board" role="grid" aria-label="{name}" data-layout="{drawn}">'
        '<div role="presentation"><div class="heads" aria-hidden="true"><span></span>'
        f"{heads}</div></div>{rows}</div>"
    )


def _row(layout: Layout, row: int) -> str:
    squares = "".join(_square(layout, Square(row, col)) for col in range(layout.width))
    return f'<div role="row"><span class="side" aria-hidden="true">{row + 1}</span>{squares}</div>'


def _square(layout: Layout, at: Square) -> str:
    kind, written = "square", ""
    if (premium := layout.premium(at)) != Premium():
        times, what = max((premium.letter, "letter"), (premium.word, "word"))
        is_start = at == layout.start
        kind = f"square {what}{times}{' start' if is_start else ''}"
        text = "★" if is_start else premium_mark(premium)
        written = f'<span class="premium" data-text="{text}"></span>'
    return f'<div class="{kind}" role="gridcell" tabindex="-1" data-at="{at}">{written}</div>'
