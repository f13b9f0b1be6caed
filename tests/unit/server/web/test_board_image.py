"""Board images: every letter can be read, and every name fits."""

import io
import struct
import unicodedata

import pytest
from PIL import Image

from crossroom_engine.core import data
from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import Letter
from crossroom_protocol.events.results import PlayerResult
from crossroom_server.web import board_image
from crossroom_server.web.board_font import CODE_POINTS, board_font, can_draw

MISSING = "\N{CJK UNIFIED IDEOGRAPH-4E00}"


def test_the_font_has_all_letters_that_are_drawn_with_it() -> None:
    font = board_font(25)
    missing = bytes(font.getmask(MISSING))
    assert not can_draw(MISSING)
    for points in CODE_POINTS:
        for char in map(chr, points):
            if unicodedata.category(char) in ("Lu", "Ll", "Nd"):
                assert bytes(font.getmask(char)) != missing, char
    for name in data.list_names("tiles", ".csv"):
        assert can_draw("".join(data.tileset(name).letters))


@pytest.mark.parametrize("name", data.list_names("tiles", ".csv"))
def test_every_tile_there_is_can_be_told_from_the_others_in_a_picture(name: str) -> None:
    rules, side = PRESETS["official"].override("tiles", name), board_image.CELL_PX
    squares = [Square(row, col) for row in range(15) for col in range(15)]
    laid = dict(zip(squares, rules.tiles.letters, strict=False))
    letters = {at: Letter(tile, blank=True) for at, tile in laid.items()}
    board = Board.empty(rules.layout).with_letters(letters)
    image = Image.open(io.BytesIO(board_image.board_png(rules, board, ()))).convert("RGB")
    left, top = (image.width - 15 * side) // 2, image.height - 15 * side - 30
    seen: dict[bytes, str] = {}
    for at, tile in laid.items():
        corner = (left + at.col * side, top + at.row * side)
        drawn = image.crop((*corner, corner[0] + side, corner[1] + side)).tobytes()
        assert drawn not in seen, f"{tile} looks like {seen.get(drawn)}"
        seen[drawn] = tile
    assert len(seen) == len(rules.tiles.letters)


@pytest.mark.parametrize("name", ["catalan", "croatian", "hungarian", "spanish", "welsh"])
def test_the_points_of_a_tile_of_several_letters_stand_clear_of_them(name: str) -> None:
    rules, side = PRESETS["official"].override("tiles", name), board_image.CELL_PX
    long = [tile for tile in rules.tiles.letters if len(tile) > 1]
    laid = {Square(7, col): Letter(tile, blank=True) for col, tile in enumerate(long)}
    board = Board.empty(rules.layout).with_letters(laid)
    image = Image.open(io.BytesIO(board_image.board_png(rules, board, ()))).convert("RGB")
    left, top = (image.width - 15 * side) // 2, image.height - 15 * side - 30
    for at, (tile, _) in laid.items():
        corner = (left + (at.col + 1) * side, top + (at.row + 1) * side)  # the lower right one
        points = image.crop((corner[0] - 17, corner[1] - 15, corner[0] - 3, corner[1] - 6))
        assert len(points.getcolors() or ()) == 1, f"{tile} lies where its points are"


def test_a_picture_holds_names_of_any_length_and_script() -> None:
    rules = PRESETS["official"]
    for name in ("x" * 20, "李小龙", "Zoë"):
        players = [PlayerResult(name, 1000)] * 4
        body = board_image.board_png(rules, Board.empty(rules.layout), players)
        width, _ = struct.unpack(">II", body[16:24])
        assert width == 15 * board_image.CELL_PX + 60
    board, named = Board.empty(rules.layout), PlayerResult("player 1", 5)
    drawn = [
        board_image.board_png(rules, board, [one]) for one in (named, PlayerResult("李小龙", 5))
    ]
    assert drawn[0] == drawn[1], "no question marks"
