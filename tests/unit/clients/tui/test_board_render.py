"""The table without a terminal: squares as text, windows, clocks, colours, how space is shared."""

import dataclasses

import pytest

from crossroom_clients.connection.clocks import ServerTime, clocks, is_short
from crossroom_clients.tui.board_render import (
    MARGIN,
    SIZES,
    BoardScene,
    SquareSize,
    Viewport,
    draw,
    largest,
    rack,
    viewport,
)
from crossroom_clients.tui.layout import share_out
from crossroom_engine.core import data
from crossroom_engine.core.board import Layout
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import Letter
from crossroom_engine.game.views import View, view
from crossroom_protocol.base.wording import split_squares
from tests.support.game_driver import GameDriver

STANDARD = data.layout("standard")
ENGLISH = data.tileset("english")
SPANISH = data.tileset("spanish")
TALL = Layout("tall", ("." * 21,) * 20 + ("*" + "." * 20,))
SMALL, NARROW, ROOMY, LARGE = SIZES


def scene(*rows: str, **more: object) -> BoardScene:
    """A small board: ``3W``, ``2L``, start, plain squares."""
    layout = Layout("tiny", ("='*", "...", "..."))
    return BoardScene(layout, SPANISH, [split_squares(row) for row in rows], **more)  # type: ignore[arg-type]


def text(of: BoardScene, size: SquareSize = SMALL) -> list[str]:
    part = Viewport(0, 0, of.layout.height, of.layout.width)
    return ["".join(piece for piece, _ in line).rstrip() for line in draw(of, size, part)]


def looks(of: BoardScene, size: SquareSize = SMALL) -> list[list[str]]:
    part = Viewport(0, 0, of.layout.height, of.layout.width)
    return [[look for _, look in line] for line in draw(of, size, part)]


def test_squares_say_what_they_are_without_colour() -> None:
    drawn = text(scene("...", "A[CH]b", "..."))
    assert drawn == ["   A B C", " 1 3W2L**", " 2 A CHb", " 3 · · ·"]


def test_larger_squares_show_what_tiles_are_worth() -> None:
    board = scene("...", "Q[CH]a", "...")
    assert text(board, NARROW)[2] == " 2 Q5 CH5a"
    assert text(board, ROOMY)[3:5] == [" 2  Q   CH  a", "      5   5"]
    assert len(text(board, LARGE)) == 1 + 3 * LARGE.rows


def test_looks_tell_tiles_apart() -> None:
    board = scene(
        "A..",
        "BC.",
        "...",
        laid={Square(2, 0): Letter("D")},
        fresh=frozenset([Square(1, 0)]),
        cursor=Square(2, 2),
        across=False,
    )
    drawn = looks(board)
    assert drawn[1] == ["label", "tile", "tile-points", "letter2", "word2"]
    assert drawn[2][1] == "fresh"
    assert "tile" in drawn[2]
    assert drawn[3][1] == "laid"
    assert drawn[3][-1] == "cursor"
    assert text(board)[3].endswith("↓")


def test_a_rack_shows_points_and_what_is_laid() -> None:
    drawn = rack([("CH", False), ("Q", True), ("?", False)], SPANISH)
    assert [above[0] for above, _ in drawn] == [" CH ", " ·  ", " ?  "]
    assert [below[0].strip() for _, below in drawn] == ["5", "", ""]
    assert drawn[1][0][1] == "gone"


@pytest.mark.parametrize(
    ("columns", "rows", "size"),
    [(33, 16, SMALL), (48, 16, NARROW), (63, 31, ROOMY), (62, 31, NARROW), (10, 5, SMALL)],
)
def test_the_largest_size_that_fits(columns: int, rows: int, size: SquareSize) -> None:
    assert largest(STANDARD, columns, rows) == size


def test_a_window_follows_the_cursor() -> None:
    shown = Viewport(0, 0, 0, 0)
    for row in range(21):
        shown = viewport(TALL, SMALL, 30, 11, Square(row, 0), shown)
        assert shown.row <= row < shown.row + shown.rows
        assert shown.rows == 10
    assert shown.row == 11
    shown = viewport(TALL, SMALL, 30, 11, Square(12, 20), shown)
    assert shown.row == 11, "it stays as long as it can"
    assert shown.column + shown.columns == 21
    assert viewport(TALL, SMALL, 30, 99, Square(12, 20), shown).row == 0


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (160, 50), (300, 100)])
@pytest.mark.parametrize("layout", [STANDARD, TALL])
def test_every_share_of_a_terminal_is_within_it(layout: Layout, size: tuple[int, int]) -> None:
    columns, rows = size
    shares = share_out(layout, columns, rows)
    assert columns - shares.board_columns >= 30
    assert 3 <= shares.board_rows <= rows - 8
    if layout is STANDARD:
        square = largest(layout, shares.board_columns, shares.board_rows)
        assert MARGIN + 15 * square.columns <= shares.board_columns
        assert 1 + 15 * square.rows == shares.board_rows, "nothing is cut off"


def test_a_terminal_of_80_by_24_shows_all_of_a_board() -> None:
    assert share_out(STANDARD, 80, 24) == (36, 16, False)


# Clocks.


def seen(now: int = 0, **rules: object) -> View:
    table = GameDriver(racks=("HORN", "MOB"), **rules)  # type: ignore[arg-type]
    return view(table.game, 0)


def with_clock(since: int | None, used: int, allowed: int | None) -> View:
    base = seen()
    player = dataclasses.replace(base.players[base.on_turn], used=used, allowed=allowed)
    players = list(base.players)
    players[base.on_turn] = player
    return dataclasses.replace(base, players=tuple(players), since=since)


def test_a_clock_runs_down_and_beyond() -> None:
    running = with_clock(1_000_000, 60_000, 120_000)
    at = running.on_turn
    assert clocks(running, None, 1_030_000)[at] == "0:30"
    assert clocks(running, None, 1_072_000)[at] == "-0:12"
    assert is_short(running, at, 1_030_000)
    assert not is_short(running, at, 1_000_000)
    assert clocks(with_clock(None, 60_000, 120_000), None, 9_999_999)[at] == "1:00"


def test_without_a_clock_there_is_no_time() -> None:
    running = with_clock(1_000_000, 60_000, None)
    assert clocks(running, None, 1_030_000)[running.on_turn] == ""
    assert not is_short(running, running.on_turn, 9_999_999)


def test_a_turn_that_may_take_only_so_long() -> None:
    rules = dataclasses.replace(PRESETS["official"], turn_limit=100)
    running = with_clock(1_000_000, 0, None)
    assert clocks(running, rules, 1_030_000)[running.on_turn] == "(1:10)"


def test_the_time_of_the_server_is_learnt_from_what_happens() -> None:
    time = ServerTime()
    assert time.at(5000) == 5000
    time.observe(at=90_000, now=400_000)  # told again, after a drop
    time.observe(at=301_000, now=401_000)
    time.observe(at=301_500, now=402_000)  # this one took its time
    assert time.at(410_000) == 310_000


def test_a_rack_has_room_for_the_widest_tile() -> None:
    (letters, points) = rack([("L·L", False)], data.tileset("catalan"))[0]
    assert (letters[0], points[0]) == (" L·L", " 10 ")
