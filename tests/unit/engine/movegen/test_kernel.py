"""The kernel against its twin, and how it behaves among others."""

import gc
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine import movegen
from crossroom_engine.analysis import selfplay
from crossroom_engine.core.tiles import BLANK, TileKind, Tiles, TileSet, multiset
from crossroom_engine.movegen import backends
from crossroom_engine.movegen.backends import kernel
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.words.lexicon import Lexicon
from tests.support.engines import needs_kernel, same_in_all
from tests.support.examples import examples
from tests.support.positions import (
    EMPTY,
    ENGLISH,
    OFFICIAL,
    any_leaves,
    any_position,
    any_word,
    real_positions,
    spelt,
)

DICE = st.randoms(use_true_random=True)
ENGLISH_LEAVES = Leaves.from_csv(
    "english", "?,25\nS,8\nE,2\nQ,-7\nV,-5\nU,-4\nQU,9.5\nII,-3\nER,1.5\n"
)


@examples(150)
@given(DICE)
def test_kernel_and_twin_agree_on_every_question(dice: Random) -> None:
    position = any_position(dice)
    rules, _, rack, _ = position
    found = same_in_all(movegen.plays, *position)
    assert len(set(found)) == len(found)
    points = [play.points for play in found]
    assert same_in_all(movegen.count, *position) == (len(found), max(points, default=None))
    assert same_in_all(movegen.is_any_play_left, *position) == bool(found)
    leaves = dice.choice([None, any_leaves(dice, rules.tiles)])
    number = dice.choice([1, 2, 10, 10_000])
    best = same_in_all(movegen.best, *position, number, leaves)
    assert best == sorted(found, key=lambda play: -value(play, rack, leaves))[:number]


def value(play: movegen.Play, rack: Tiles, leaves: Leaves | None) -> int:
    kept = list(rack)
    for tile in play.tiles:
        kept.remove(tile)
    return 1000 * play.points + (leaves.value(tuple(kept)) if leaves else 0)


@examples(50)
@given(DICE)
def test_kernel_and_twin_agree_on_plays_that_take_blanks_back(dice: Random) -> None:
    rules, board, rack, lexicon = any_position(dice)
    blanks = [(square, letter.letter) for square, letter in board.items() if letter.blank]
    chosen = dice.sample(blanks, min(2, len(blanks)))
    reclaimable = [square for square, _ in chosen]
    position = rules, board, multiset((*rack[:5], *(letter for _, letter in chosen))), lexicon
    found = same_in_all(movegen.plays, *position, reclaimable)
    tally = same_in_all(movegen.count, *position, reclaimable)
    assert tally == (len(found), max((play.points for play in found), default=None))
    leaves = any_leaves(dice, rules.tiles)
    best = same_in_all(movegen.best, *position, 4, leaves, reclaimable)
    assert set(best) <= set(found)
    assert len(best) == min(4, len(found))
    assert same_in_all(movegen.is_any_play_left, *position, reclaimable) == bool(found)


@pytest.mark.slow
@needs_kernel
def test_kernel_and_twin_agree_in_english() -> None:
    for position in real_positions(20):
        same_in_all(movegen.plays, *position)
        same_in_all(movegen.best, *position, 5, ENGLISH_LEAVES)


@examples(20)
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
    by_twin = selfplay.play_match_in_python(rules, lexicon, 2**64 - 7, players)
    assert by_twin.turns
    assert selfplay.play_match(rules, lexicon, 2**64 - 7, players) == by_twin


# How it behaves among others.


@needs_kernel
@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="threads have no clocks")
def test_other_threads_go_on_while_it_works() -> None:
    clock, seen, done = time.pthread_getcpuclockid(threading.get_ident()), [0.0], threading.Event()

    def look() -> None:
        while not done.is_set():
            seen.append(time.clock_gettime(clock))
            time.sleep(0.001)

    engine = kernel(OFFICIAL, ENGLISH)
    thread = threading.Thread(target=look)
    thread.start()
    until, inside = time.monotonic() + 20, 0
    try:
        while inside < 5 and time.monotonic() < until:
            begun = time.thread_time()
            engine.count(EMPTY, (BLANK,) * 7)
            over = time.thread_time()
            # Holding the interpreter, a call would let others in before it and after it only.
            part = (over - begun) / 4
            inside += any(begun + part < at < over - part for at in seen)
            seen.clear()
    finally:
        done.set()
        thread.join()
    assert inside == 5


@needs_kernel
def test_threads_share_one_generator() -> None:
    work = list(real_positions(12))
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
    board, rack = next(islice(real_positions(9), 8, None))[1:3]
    lexicon = Lexicon.from_words("some", islice(ENGLISH, 2000), OFFICIAL.tiles)

    def ask() -> None:
        rules = replace(OFFICIAL, bingo=35)
        engine = backends.KernelBackend(rules, lexicon)
        assert engine.plays(board, rack)
        assert engine.best(board, rack, 3, ENGLISH_LEAVES)
        engine.count(board, rack)
        engine.any(board, rack)
        selfplay.play_match(rules, lexicon, 1, (ENGLISH_LEAVES, None))
        with pytest.raises(ValueError, match="tile"):
            engine.plays(board, ("CH",))

    ask()
    counts = []
    for _ in range(3):
        for _ in range(10):
            ask()
        backends._KERNELS.clear()
        gc.collect()
        counts.append((sys.getrefcount(rack), sys.getrefcount(board.squares), held()))
    assert counts[0] == counts[1] == counts[2]


def held() -> int:
    """The number of objects of the kinds that it makes."""
    from crossroom_engine import _kernel

    kinds = (movegen.Play, backends.KernelBackend, _kernel.Generator)
    return sum(isinstance(thing, kinds) for thing in gc.get_objects())


def test_kernels_live_no_longer_than_their_word_list() -> None:
    lexicon = Lexicon.from_words("short", ["AB"], OFFICIAL.tiles)
    movegen.plays(OFFICIAL, EMPTY, ("A", "B"), lexicon)
    before = len(backends._KERNELS), len(backends._WORDS)
    del lexicon
    gc.collect()
    after = len(backends._KERNELS), len(backends._WORDS)
    expected = 1 if backends.BACKEND == "c" else 0
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
        "from crossroom_engine import movegen\n"
        "from crossroom_engine.movegen import backends\n"
        "from crossroom_engine.words import catalog\n"
        "from crossroom_engine.core.board import Board\n"
        "from crossroom_engine.core.rules import PRESETS\n"
        "rules = PRESETS['official']\n"
        "position = rules, Board.empty(rules.layout), ('A', 'T'), catalog.open_lexicon('english')\n"
        "print(backends.BACKEND, movegen.is_any_play_left(*position))\n"
    )
    return subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "CROSSROOM_KERNEL": demanded},
        capture_output=True,
        text=True,
        check=False,
    )
