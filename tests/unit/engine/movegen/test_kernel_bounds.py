"""What nobody should give the kernel or its twin, and what lies just within bounds."""

from array import array
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from crossroom_engine import movegen
from crossroom_engine.core.board import Board
from crossroom_engine.core.errors import BadRules, BadText
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import BLANK, Letter, TileKind, Tiles, TileSet
from crossroom_engine.movegen import backends
from crossroom_engine.movegen.backends import kernel
from crossroom_engine.movegen.python_backend import PythonBackend
from crossroom_engine.words.lexicon import Lexicon
from tests.support.engines import needs_kernel, same_in_all
from tests.support.positions import EMPTY, ENGLISH, OFFICIAL


def words(**changes: Any) -> Any:
    good = {
        "letters": 26,
        "child_masks": ENGLISH.child_masks,
        "accept_masks": ENGLISH.accept_masks,
        "bases": ENGLISH.bases,
        "children": ENGLISH.children,
    }
    from crossroom_engine import _kernel

    return _kernel.Words(**{**good, **changes})


@needs_kernel
@pytest.mark.parametrize(
    "changes",
    [
        {"letters": 0},
        {"letters": 63},
        {"letters": 25},
        {"letters": 33},
        {"child_masks": b""},
        {"child_masks": b"odd"},
        {"bases": array("I", [2**32 - 1] * len(ENGLISH.bases))},
        {"bases": array("I", [len(ENGLISH.children) - 1] * len(ENGLISH.bases))},
        {"children": array("I", [0] * len(ENGLISH.children))},  # a circle
        {"children": array("I", [len(ENGLISH.bases)] * len(ENGLISH.children))},
        {"children": ENGLISH.children[:-40]},
    ],
)
def test_refuses_word_lists_that_would_lead_astray(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"letters|column|contradict"):
        words(**changes)


@needs_kernel
def test_a_broken_word_list_is_told_as_any_other() -> None:
    lexicon = Lexicon.from_words("broken", ["AB", "CAB"], OFFICIAL.tiles)
    lexicon.children = memoryview(array("I", [0] * len(lexicon.children)))
    with pytest.raises(BadText, match="broken"):
        movegen.plays(OFFICIAL, EMPTY, ("A", "B"), lexicon)


@needs_kernel
@pytest.mark.parametrize(
    ("worths", "error"),
    [
        (([0] * 63, [0] * 4096), "tiles"),
        (([0] * 64, [0] * 4095), "pairs"),
        (([2**31 - 1] * 64, [0] * 4096), "worth"),
        (([0] * 64, [0, 1, *[0] * 4094]), "two worths"),
    ],
)
def test_refuses_leaves_of_another_shape(worths: tuple[list[int], list[int]], error: str) -> None:
    from crossroom_engine import _kernel

    with pytest.raises(ValueError, match=error):
        _kernel.Leaves(array("i", worths[0]), array("i", worths[1]))


@pytest.mark.parametrize("engine", [PythonBackend, pytest.param(kernel, marks=needs_kernel)])
@pytest.mark.parametrize(
    ("board", "rack"),
    [
        (EMPTY, ("A",) * 10),
        (EMPTY, ("CH",)),
        (Board(15, EMPTY.squares[:-15]), ("A",)),
        (Board(25, EMPTY.squares), ("A",)),
        (EMPTY.with_letters({OFFICIAL.layout.start: Letter("CH")}), ("A",)),
    ],
)
def test_refuses_what_no_game_has(
    engine: Callable[[Ruleset, Lexicon], backends.Generator], board: Board, rack: Tiles
) -> None:
    generator = engine(OFFICIAL, ENGLISH)
    for question in (generator.plays, generator.count, generator.any):
        with pytest.raises(ValueError, match=r"tile|letter|board|rack"):
            question(board, rack)
    with pytest.raises(ValueError, match=r"tile|letter|board|rack"):
        generator.best(board, rack, 1, None)


@needs_kernel
@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (EMPTY,),
        (None, ("A",)),
        (EMPTY, ["A"]),
        (EMPTY, ("A", 7)),
        (EMPTY, ("A", [])),
        (EMPTY, ("A",), "one"),
        (replace(EMPTY, squares=list(EMPTY.squares)), ("A",)),  # type: ignore[arg-type]
        (replace(EMPTY, squares=("A",) * 225), ("A",)),  # type: ignore[arg-type]
        (replace(EMPTY, squares=(("A", False, 0),) * 225), ("A",)),  # type: ignore[arg-type]
        (replace(EMPTY, squares=((["A"], False),) * 225), ("A",)),  # type: ignore[arg-type]
        (replace(EMPTY, width="15"), ("A",)),  # type: ignore[arg-type]
    ],
)
def test_refuses_what_is_no_position_at_all(arguments: tuple[Any, ...]) -> None:
    engine = kernel(OFFICIAL, ENGLISH)
    questions: list[Callable[..., object]] = [engine.plays, engine.count, engine.any]
    for question in questions:
        with pytest.raises((TypeError, ValueError, AttributeError)):
            question(*arguments)


@pytest.mark.parametrize("engine", [PythonBackend, pytest.param(kernel, marks=needs_kernel)])
def test_refuses_to_look_for_no_play(
    engine: Callable[[Ruleset, Lexicon], backends.Generator],
) -> None:
    with pytest.raises(ValueError, match="at least one"):
        engine(OFFICIAL, ENGLISH).best(EMPTY, ("A",), 0, None)


@pytest.mark.parametrize("engine", [PythonBackend, pytest.param(kernel, marks=needs_kernel)])
@pytest.mark.parametrize(
    "kinds",
    [
        [TileKind("A", 100, 1_000_001)],
        [TileKind(f"X{number}", 2, 1) for number in range(64)],
    ],
)
def test_rules_beyond_the_engine_are_refused(
    engine: Callable[[Ruleset, Lexicon], backends.Generator], kinds: list[TileKind]
) -> None:
    tiles = TileSet("beyond", tuple(kinds))
    rules = replace(OFFICIAL, tiles=tiles)
    with pytest.raises(BadRules, match="more than"):
        engine(rules, ENGLISH)


def test_a_blank_stands_for_letters_of_its_tile_set_only() -> None:
    tiles = TileSet("few", (TileKind("A", 60, 1), TileKind(BLANK, 2, 0)))
    rules = replace(OFFICIAL, tiles=tiles)
    lexicon = Lexicon.from_words("ab", ["AA", "AB"], OFFICIAL.tiles)
    found = same_in_all(movegen.plays, rules, EMPTY, ("?", "A"), lexicon)
    assert {play.text for play in found} == {"aA", "Aa"}


def test_a_word_of_one_letter_is_no_play() -> None:
    lexicon = Lexicon.from_words("one", ["A", "AB"], OFFICIAL.tiles)
    board = EMPTY.with_letters({OFFICIAL.layout.start: Letter("B")})
    found = same_in_all(movegen.plays, OFFICIAL, board, ("A",), lexicon)
    assert {str(play.spot) for play in found} == {"8G", "H7"}
