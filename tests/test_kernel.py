"""The kernel against its twin, and against everything that nobody should give it."""

import gc
import os
import subprocess
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crossroom_engine import data, generators, lexica, matches, movegen
from crossroom_engine.board import PREMIUMS, Board, Layout
from crossroom_engine.errors import BadRules, BadText
from crossroom_engine.generators import kernel
from crossroom_engine.leaves import Leaves
from crossroom_engine.lexicon import Lexicon
from crossroom_engine.rules import PRESETS, Ruleset
from crossroom_engine.tiles import BLANK, Letter, TileKind, Tiles, TileSet, multiset
from crossroom_engine.twin import Twin
from tests.engines import agreed, needs_kernel

OFFICIAL = PRESETS["official"]
ENGLISH = lexica.find("english")
EMPTY = Board.empty(OFFICIAL.layout)

DICE = st.randoms(use_true_random=True)


# Positions of all kinds: layouts of any shape, alphabets up to 62 letters, tiles of several
# characters, racks up to nine, of blanks too.


def any_tiles(random: Random) -> TileSet:
    """A tile set of ours, or one of many letters, or one of few, so that words are many."""
    if random.random() < 0.3:
        return data.tileset(random.choice(data.names("tiles", ".csv")))
    count = random.choice([2, 3, 4, 31, 32, 33, 62])
    names = [chr(ord("A") + number) for number in range(26)] + [f"X{n}" for n in range(36)]
    points = [random.choice([0, 1, 5, 1000]) for _ in range(count)]
    kinds = [TileKind(name, 20, point) for name, point in zip(names[:count], points, strict=True)]
    return TileSet("any", (*kinds, TileKind(BLANK, 9, 0)))


def any_layout(random: Random) -> Layout:
    width, height = (random.choice([2, 3, 5, 8, 15, 21]) for _ in range(2))
    squares = random.choices(sorted(set(PREMIUMS) - {"*"}), k=width * height)
    squares[random.randrange(width * height)] = "*"
    rows = ("".join(squares[at : at + width]) for at in range(0, width * height, width))
    return Layout("any", tuple(rows))


def any_word(random: Random, letters: Tiles) -> Tiles:
    return tuple(random.choices(letters, k=random.choice([1, 2, 2, 3, 3, 4, 5, 7, 9, 21])))


def any_board(random: Random, layout: Layout, letters: Tiles, words: list[Tiles]) -> Board:
    """Words that lie about, across and down; or nothing."""
    board = Board.empty(layout)
    for _ in range(random.choice([0, 1, 3, 6, 15])):
        word = random.choice(words) if random.random() < 0.9 else any_word(random, letters)
        row, column = random.randrange(layout.height), random.randrange(layout.width)
        down, up = random.choice([(0, 1), (1, 0)])
        squares = [(row + down * step, column + up * step) for step in range(len(word))]
        board = Board(
            board.width,
            tuple(
                Letter(word[squares.index(square)], random.random() < 0.2)
                if (square := divmod(place, layout.width)) in squares
                else lying
                for place, lying in enumerate(board.squares)
            ),
        )
    return board


def any_rack(random: Random, letters: Tiles) -> Tiles:
    count = random.choice([0, 1, 3, 7, 7, 7, 9])
    blanks = random.choice([0, 0, 0, 0, 1, 1, 1, 2])
    return multiset((*random.choices(letters, k=count), *[BLANK] * blanks)[-9:])


def any_position(random: Random) -> tuple[Ruleset, Board, Tiles, Lexicon]:
    tiles, layout = any_tiles(random), any_layout(random)
    some = random.sample(tiles.letters, min(len(tiles.letters), random.choice([2, 4, 8])))
    words = [any_word(random, tuple(some)) for _ in range(random.choice([1, 30, 300]))]
    lexicon = Lexicon.from_words("any", map(spelt, words), tiles)
    rules = replace(
        OFFICIAL, layout=layout, tiles=tiles, rack=random.randint(2, 9), bingo=50, players=2
    )
    return (
        rules,
        any_board(random, layout, tuple(some), words),
        any_rack(random, tuple(some)),
        lexicon,
    )


def spelt(word: Tiles) -> str:
    return "".join(f"[{tile}]" for tile in word)


def any_leaves(random: Random, tiles: TileSet) -> Leaves:
    kinds = [kind.tile for kind in tiles.kinds]
    singles = {tile: random.randint(-9000, 9000) for tile in kinds}
    pairs = {
        (random.choice(kinds), random.choice(kinds)): random.randint(-3000, 3000) for _ in kinds
    }
    return Leaves("any", singles, pairs, random.choice([0, 90_000]))


@settings(max_examples=150, deadline=None)
@given(DICE)
def test_kernel_and_twin_agree_on_every_question(dice: Random) -> None:
    position = any_position(dice)
    rules, _, rack, _ = position
    found = agreed(movegen.plays, *position)
    assert len(set(found)) == len(found)
    points = [play.points for play in found]
    assert agreed(movegen.count, *position) == (len(found), max(points, default=None))
    assert agreed(movegen.is_any_play_left, *position) == bool(found)
    leaves = dice.choice([None, any_leaves(dice, rules.tiles)])
    number = dice.choice([1, 2, 10, 10_000])
    best = agreed(movegen.best, *position, number, leaves)
    assert best == sorted(found, key=lambda play: -value(play, rack, leaves))[:number]


def value(play: movegen.Play, rack: Tiles, leaves: Leaves | None) -> int:
    kept = list(rack)
    for tile in play.tiles:
        kept.remove(tile)
    return 1000 * play.points + (leaves.value(tuple(kept)) if leaves else 0)


@settings(max_examples=50, deadline=None)
@given(DICE)
def test_kernel_and_twin_agree_on_plays_that_take_blanks_back(dice: Random) -> None:
    rules, board, rack, lexicon = any_position(dice)
    blanks = [(square, letter.letter) for square, letter in board.items() if letter.blank]
    chosen = dice.sample(blanks, min(2, len(blanks)))
    reclaimable = [square for square, _ in chosen]
    position = rules, board, multiset((*rack[:5], *(letter for _, letter in chosen))), lexicon
    found = agreed(movegen.plays, *position, reclaimable)
    tally = agreed(movegen.count, *position, reclaimable)
    assert tally == (len(found), max((play.points for play in found), default=None))
    leaves = any_leaves(dice, rules.tiles)
    best = agreed(movegen.best, *position, 4, leaves, reclaimable)
    assert set(best) <= set(found)
    assert len(best) == min(4, len(found))
    assert agreed(movegen.is_any_play_left, *position, reclaimable) == bool(found)


def positions(count: int) -> Iterator[tuple[Ruleset, Board, Tiles, Lexicon]]:
    """Positions of a game, each with the rack of the one to move."""
    for seed in range(count):
        random = Random(seed)
        board, bag = EMPTY, list(OFFICIAL.tiles.distribution)
        random.shuffle(bag)
        for _ in range(seed % 18):
            rack, bag = multiset(bag[:7]), bag[7:]
            for play in islice(Twin(OFFICIAL, ENGLISH).best(board, rack, 1, None), 1):
                board = lay(board, play)
        yield OFFICIAL, board, multiset(bag[:7]), ENGLISH


def lay(board: Board, play: movegen.Play) -> Board:
    letters = [
        Letter(character.upper(), character.islower())
        for character in play.text
        if character != "."
    ]
    squares = [play.spot.step(step) for step in range(len(play.text))]
    free = [square for square in squares if board[square] is None]
    return board.with_letters(dict(zip(free, letters, strict=True)))


@needs_kernel
def test_kernel_and_twin_agree_in_english() -> None:
    for position in positions(20):
        agreed(movegen.plays, *position)
        agreed(movegen.best, *position, 5, ENGLISH_LEAVES)


ENGLISH_LEAVES = Leaves.read("english", "?,25\nS,8\nE,2\nQ,-7\nV,-5\nU,-4\nQU,9.5\nII,-3\nER,1.5\n")


@settings(max_examples=20, deadline=None)
@given(DICE)
def test_a_match_is_the_same_by_kernel_and_twin(dice: Random) -> None:
    tiles = TileSet("few", tuple(TileKind(tile, 9, 1 + dice.randint(0, 9)) for tile in "ABCDE"))
    tiles = replace(tiles, kinds=(*tiles.kinds, TileKind(BLANK, 2, 0)))
    words = [any_word(dice, tiles.letters) for _ in range(300)]
    rules = replace(
        OFFICIAL,
        tiles=tiles,
        players=2,
        rack=dice.choice([3, 7, 9]),
        exchange_bag=dice.choice([0, 7]),
        end_adjustment=dice.choice(["none", "sum", "double"]),
    )
    lexicon = Lexicon.from_words("any", map(spelt, words), tiles)
    players = any_leaves(dice, tiles), dice.choice([None, any_leaves(dice, tiles)])
    by_twin = matches.play_in_python(rules, lexicon, 2**64 - 7, players)
    assert by_twin.turns
    assert matches.play(rules, lexicon, 2**64 - 7, players) == by_twin


# What nobody should give it.


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


@pytest.mark.parametrize("engine", [Twin, pytest.param(kernel, marks=needs_kernel)])
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
    engine: Callable[[Ruleset, Lexicon], generators.Generator], board: Board, rack: Tiles
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


@pytest.mark.parametrize("engine", [Twin, pytest.param(kernel, marks=needs_kernel)])
def test_refuses_to_look_for_no_play(
    engine: Callable[[Ruleset, Lexicon], generators.Generator],
) -> None:
    with pytest.raises(ValueError, match="at least one"):
        engine(OFFICIAL, ENGLISH).best(EMPTY, ("A",), 0, None)


@pytest.mark.parametrize("engine", [Twin, pytest.param(kernel, marks=needs_kernel)])
@pytest.mark.parametrize(
    "kinds",
    [
        [TileKind("A", 100, 1_000_001)],
        [TileKind(f"X{number}", 2, 1) for number in range(64)],
    ],
)
def test_rules_beyond_the_engine_are_refused(
    engine: Callable[[Ruleset, Lexicon], generators.Generator], kinds: list[TileKind]
) -> None:
    tiles = TileSet("beyond", tuple(kinds))
    rules = replace(OFFICIAL, tiles=tiles)
    with pytest.raises(BadRules, match="more than"):
        engine(rules, ENGLISH)


def test_a_blank_stands_for_letters_of_its_tile_set_only() -> None:
    tiles = TileSet("few", (TileKind("A", 60, 1), TileKind(BLANK, 2, 0)))
    rules = replace(OFFICIAL, tiles=tiles)
    lexicon = Lexicon.from_words("ab", ["AA", "AB"], OFFICIAL.tiles)
    found = agreed(movegen.plays, rules, EMPTY, ("?", "A"), lexicon)
    assert {play.text for play in found} == {"aA", "Aa"}


def test_a_word_of_one_letter_is_no_play() -> None:
    lexicon = Lexicon.from_words("one", ["A", "AB"], OFFICIAL.tiles)
    board = EMPTY.with_letters({OFFICIAL.layout.start: Letter("B")})
    found = agreed(movegen.plays, OFFICIAL, board, ("A",), lexicon)
    assert {str(play.spot) for play in found} == {"8G", "H7"}


# How it behaves among others.


@needs_kernel
def test_other_threads_go_on_while_it_works() -> None:
    counted, done = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0)

    engine = kernel(OFFICIAL, ENGLISH)
    thread = threading.Thread(target=count)
    thread.start()
    try:
        began, before = time.perf_counter(), counted
        while time.perf_counter() - began < 0.2:
            engine.count(EMPTY, (BLANK,) * 7)
        calls_take = time.perf_counter() - began
        during = counted - before
    finally:
        done.set()
        thread.join()
    # Holding the interpreter, a call would let the other thread in once, at its end.
    assert during > 100 * calls_take / 0.2


@needs_kernel
def test_threads_share_one_generator() -> None:
    work = list(positions(12))
    engine = kernel(OFFICIAL, ENGLISH)
    alone = [engine.plays(board, rack) for _, board, rack, _ in work]
    answers: list[list[list[movegen.Play]]] = [[] for _ in range(4)]

    def run(answer: list[list[movegen.Play]]) -> None:
        for _ in range(5):
            answer[:] = [engine.plays(board, rack) for _, board, rack, _ in work]

    threads = [threading.Thread(target=run, args=(answer,)) for answer in answers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [alone] * 4


@needs_kernel
def test_keeps_nothing_that_it_was_given_or_gave() -> None:
    board, rack = next(islice(positions(9), 8, None))[1:3]
    lexicon = Lexicon.from_words("some", islice(ENGLISH, 2000), OFFICIAL.tiles)

    def ask() -> None:
        rules = replace(OFFICIAL, bingo=35)
        engine = generators.Kernel(rules, lexicon)
        assert engine.plays(board, rack)
        assert engine.best(board, rack, 3, ENGLISH_LEAVES)
        engine.count(board, rack)
        engine.any(board, rack)
        matches.play(rules, lexicon, 1, (ENGLISH_LEAVES, None))
        with pytest.raises(ValueError, match="tile"):
            engine.plays(board, ("CH",))

    ask()
    counts = []
    for _ in range(3):
        for _ in range(10):
            ask()
        generators._KERNELS.clear()
        gc.collect()
        counts.append((sys.getrefcount(rack), sys.getrefcount(board.squares), held()))
    assert counts[0] == counts[1] == counts[2]


def held() -> int:
    """The number of objects of the kinds that it makes."""
    from crossroom_engine import _kernel

    kinds = (movegen.Play, generators.Kernel, _kernel.Generator)
    return sum(isinstance(thing, kinds) for thing in gc.get_objects())


def test_kernels_live_no_longer_than_their_word_list() -> None:
    lexicon = Lexicon.from_words("short", ["AB"], OFFICIAL.tiles)
    movegen.plays(OFFICIAL, EMPTY, ("A", "B"), lexicon)
    before = len(generators._KERNELS), len(generators._WORDS)
    del lexicon
    gc.collect()
    after = len(generators._KERNELS), len(generators._WORDS)
    expected = 1 if generators.KERNEL == "c" else 0
    assert [was - now for was, now in zip(before, after, strict=True)] == [expected, expected]


@pytest.mark.parametrize(
    ("demanded", "answer"),
    [
        pytest.param("", "c", marks=needs_kernel),
        pytest.param("c", "c", marks=needs_kernel),
        ("python", "python"),
    ],
)
def test_the_environment_chooses_who_finds_plays(demanded: str, answer: str) -> None:
    done = ask_process(demanded)
    assert (done.returncode, done.stdout.split()) == (0, [answer, "True"])


def test_the_environment_cannot_choose_what_there_is_not() -> None:
    done = ask_process("rust")
    assert done.returncode
    assert "CROSSROOM_KERNEL may be c or python, not 'rust'" in done.stderr


def ask_process(demanded: str) -> subprocess.CompletedProcess[str]:
    script = (
        "from crossroom_engine import generators, lexica, movegen\n"
        "from crossroom_engine.board import Board\n"
        "from crossroom_engine.rules import PRESETS\n"
        "rules = PRESETS['official']\n"
        "position = rules, Board.empty(rules.layout), ('A', 'T'), lexica.find('english')\n"
        "print(generators.KERNEL, movegen.is_any_play_left(*position))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "CROSSROOM_KERNEL": demanded},
        capture_output=True,
        text=True,
        check=False,
    )
