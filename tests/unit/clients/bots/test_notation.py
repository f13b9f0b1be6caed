"""Moves as text, and back."""

import pytest

from crossroom_clients.bots.notation import parse_move, read_ucgi, write_ucgi
from crossroom_clients.bots.turn import move_line
from crossroom_engine.analysis.position import TurnMove
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.moves import Exchange, Pass, Place
from tests.support.game_driver import GameDriver

TABLE = GameDriver(racks=["", ""], board={"8G": "CaT"})
RULES, BOARD = TABLE.rules, TABLE.game.board


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("8H HORN", Place(Spot.parse("8H"), "HORN")),
        ("play H8 HoRN", Place(Spot.parse("H8"), "HoRN")),
        ("/play 8H HORN", Place(Spot.parse("8H"), "HORN")),
        ("exchange AB?", Exchange(("?", "A", "B"))),
        ("PASS", Pass()),
    ],
)
def test_a_move_as_people_type_it(text: str, move: TurnMove) -> None:
    assert parse_move(text, RULES.tiles) == move


@pytest.mark.parametrize("text", ["", "8H", "resign yes now", "99 HORN", "exchange 7", "pass 8H"])
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(BadText):
        parse_move(text, RULES.tiles)


def test_a_move_as_it_is_sent() -> None:
    assert move_line(Place(Spot.parse("8H"), "HoRN")) == "/play 8H HoRN"
    assert move_line(Place(Spot.parse("H8"), ".X", (Spot.parse("8H").square,))).endswith("swap=8H")
    assert move_line(Exchange(("?", "A"))) == "/exchange ?A"
    assert move_line(Exchange(())) == "/exchange none"
    assert move_line(Pass()) == "/pass"


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Place(Spot.parse("8J"), "S"), "h7.CaTS"),
        (Place(Spot.parse("H7"), "B.T"), "8g.BaT"),
        (Exchange(("?", "A")), "ex.?A"),
        (Pass(), "pass"),
    ],
)
def test_ucgi(move: TurnMove, text: str) -> None:
    assert write_ucgi(RULES, BOARD, move) == text


def test_ucgi_is_read_as_it_is_written() -> None:
    assert read_ucgi(RULES, BOARD, "h7.CaTS") == Place(Spot.parse("8G"), "...S")
    assert read_ucgi(RULES, BOARD, "8g.BaT") == Place(Spot.parse("H7"), "B.T")
    assert read_ucgi(RULES, BOARD, "ex.A?") == Exchange(("?", "A"))
    assert read_ucgi(RULES, BOARD, "pass") == Pass()


@pytest.mark.parametrize("text", ["", "h7", "h15.HORN", "16h.HORN", "h7.C!", "resign", "z9.AB"])
def test_what_is_no_ucgi(text: str) -> None:
    with pytest.raises(BadText):
        read_ucgi(RULES, BOARD, text)
