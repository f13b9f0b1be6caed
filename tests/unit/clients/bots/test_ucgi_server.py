"""The dialogue of an engine: what is written for what is read."""

import pytest

from crossroom_clients.bots.ucgi_server import UcgiServer
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon

EMPTY = "/".join(["15"] * 15)
POSITION = f"position cgp {EMPTY} AEINRST/ 0/0 0 lex english;"


def dialogue(*lines: str) -> list[str]:
    """What is answered to these lines."""
    told: list[str] = []

    def open_lexicon(name: str | None) -> Lexicon:
        return catalog.open_lexicon(name or "english")

    UcgiServer(told.append, open_lexicon).serve(lines)
    return told


def test_it_introduces_itself() -> None:
    told = dialogue("ucgi", "isready")
    assert told[0] == "id name crossroom"
    assert told[-2:] == ["ucgiok", "readyok"]


@pytest.mark.parametrize("level", ["solid", "expert"])
def test_it_finds_a_move(level: str) -> None:
    (told,) = dialogue(f"setoption name level value {level}", POSITION, "go movetime 200", "stop")
    word = told.rpartition(".")[2]
    assert told.startswith("bestmove h")
    assert sorted(word) == sorted("AEINRST")


def test_the_end_of_the_input_ends_the_thinking() -> None:
    (told,) = dialogue(POSITION, "go movetime 60000")
    assert told.startswith("bestmove ")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("go", "there is no position"),
        ("position cgp nonsense", "a position is one line"),
        (f"position cgp {EMPTY} / 0/0 0", "has no tiles"),
        (f"{POSITION} moves h4.TRAIN", "moves after a position are not understood"),
        (f"position cgp {EMPTY} AEINRST/ 0/0 0 lex nosuchlist;", "nosuchlist"),
        ("teach me", "not understood: teach me"),
        ("go movetime soon", "movetime is a number"),
    ],
)
def test_what_it_cannot_do_it_says(line: str, told: str) -> None:
    begun = (POSITION,) if line.endswith("soon") else ()
    (answer,) = dialogue(*begun, line, "quit", "isready")
    assert answer.startswith("info string")
    assert told in answer
