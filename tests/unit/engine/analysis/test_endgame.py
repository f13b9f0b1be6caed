"""Endgames: both solvers against a search that goes by the rules alone, and against the clock."""

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from random import Random
from statistics import median
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine import movegen
from crossroom_engine.analysis import endgame
from crossroom_engine.analysis.endgame import Solution
from crossroom_engine.analysis.endgame_python import solve_in_python as by_twin
from crossroom_engine.analysis.position import Position
from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.moves import Pass, Place
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import BLANK, TileKind, Tiles, TileSet, multiset, take_tiles
from crossroom_engine.movegen.backends import kernel
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from tests.support.engines import HAS_KERNEL, needs_kernel
from tests.support.examples import examples
from tests.support.positions import any_board, any_layout, any_word, spelt

TOURNAMENT = PRESETS["tournament"]
ENGLISH = catalog.open_lexicon("english")
DICE = st.randoms(use_true_random=True)
SOLVERS = ["twin", *(["kernel"] if HAS_KERNEL else [])]


def never() -> bool:
    return False


def at_once() -> bool:
    return True


def any_endgame(random: Random, most: int = 3) -> Position:
    """Small: few squares, few tiles, few words."""
    kinds = tuple(TileKind(tile, 9, random.randint(0, 9)) for tile in "ABC")
    tiles = TileSet("few", (*kinds, TileKind(BLANK, 2, 0)))
    words = [any_word(random, tiles.letters) for _ in range(random.choice([2, 5, 12]))]
    layout = any_layout(random)
    while len(layout.rows) * len(layout.rows[0]) > 70:
        layout = any_layout(random)
    rules = replace(
        TOURNAMENT,
        layout=layout,
        tiles=tiles,
        rack=random.randint(2, 4),
        bingo=random.choice([0, 20]),
        scoreless_limit=random.choice([None, 2, 3, 5]),
        end_adjustment=random.choice(["none", "sum", "double"]),
    )
    bag = [*random.choices("ABC", k=2 * most - 1), random.choice(["A", BLANK])]
    random.shuffle(bag)
    mine, others = random.randint(1, most), random.randint(1, most)
    return Position(
        rules=rules,
        lexicon=Lexicon.from_words("few", map(spelt, words), tiles),
        board=any_board(random, layout, tiles.letters, words),
        rack=multiset(bag[:mine]),
        unseen=multiset(bag[mine : mine + others]),
        bag=0,
        others=(others,),
        scores=(random.randint(0, 40), random.randint(0, 40)),
        scoreless=random.randrange(rules.scoreless_turns(2)),
    )


def final(rules: Ruleset, mine: Tiles, others: Tiles) -> int:
    """The spread that the end adjustment makes of two racks, as RULES 6 and the settings say."""
    total = rules.tiles.total_points
    if rules.end_adjustment == "none":
        return 0
    if mine and others:
        return total(others) - total(mine)
    if rules.end_adjustment == "double":
        return 2 * total(others) - 2 * total(mine)
    gained, lost = total(others) - total(mine), total(mine) - total(others)
    return gained - lost


def by_the_rules(position: Position, most: int) -> int | None:
    """The spread by trying everything; None if there is more than *most* to try.

    Passes are counted to the limit, and the game ends when nobody can play.
    """
    rules, lexicon = position.rules, position.lexicon
    limit, looks = rules.scoreless_turns(2), count()

    @cache
    def plays(board: Board, rack: Tiles) -> list[tuple[int, Board, Tiles]]:
        return [
            (
                play.points,
                board.with_letters(dict(place(rules, board, play.spot, play.text).laid)),
                take_tiles(play.tiles, rack),
            )
            for play in movegen.plays(rules, board, rack, lexicon)
        ]

    @cache
    def value(board: Board, mine: Tiles, others: Tiles, scoreless: int) -> int:
        if next(looks) > most:
            raise TimeoutError
        if not others or scoreless >= limit:
            return final(rules, mine, others)
        if not plays(board, mine) and not plays(board, others):
            return final(rules, mine, others)
        return max(
            -value(board, others, mine, scoreless + 1),
            *(points - value(after, others, left, 0) for points, after, left in plays(board, mine)),
            -(10**9),
        )

    try:
        return value(position.board, position.rack, position.unseen, position.scoreless)
    except TimeoutError:
        return None


def endgame_by(
    solver: str, position: Position, threshold: int | None = None, plies: int = 38
) -> Any:
    """Steps, spread, depth, whether it is exact, nodes."""
    rules = position.rules
    is_last = position.scoreless + 1 == rules.scoreless_turns(2)
    is_adjusted = rules.end_adjustment != "none"
    asked = (position.board, position.rack, position.unseen, is_last, is_adjusted, never)
    if solver == "kernel":
        return kernel(rules, position.lexicon).endgame(*asked, plies, threshold)
    return by_twin(rules, position.lexicon, *asked, plies, threshold)


@examples(80)
@given(DICE)
def test_solved_endgames_are_solved_as_by_trying_everything(dice: Random) -> None:
    position = any_endgame(dice)
    known = by_the_rules(position, 3000)
    if known is None:
        return
    for solver in SOLVERS:
        steps, spread, _, exact, _ = endgame_by(solver, position)
        assert (spread, exact) == (known, True), solver
        assert spread_of(position, steps) == known, solver
        for threshold in (known - 1, known, known + 1):
            _, side, _, exact, _ = endgame_by(solver, position, threshold)
            sides = (
                (side > threshold) - (side < threshold),
                (known > threshold) - (known < threshold),
            )
            assert (sides[0], exact) == (sides[1], True), solver
            assert endgame.compare(position, threshold, never) == (sides[1], True)


def spread_of(position: Position, steps: list[Any]) -> int:
    """What comes of some steps to the end; each must be legal."""
    rules, board = position.rules, position.board
    racks, side, spread = [position.rack, position.unseen], 0, 0
    for step in steps:
        assert all(racks), "the line goes on behind the end"
        if step:
            spot, text, points = step
            legal = movegen.plays(rules, board, racks[side], position.lexicon)
            (play,) = (one for one in legal if (one.spot, one.text) == (spot, text))
            assert play.points == points
            board = board.with_letters(dict(place(rules, board, spot, text).laid))
            racks[side] = take_tiles(play.tiles, racks[side])
            spread += -points if side else points
        side = 1 - side
    return spread + final(rules, racks[0], racks[1])


def real_endgames(number: int, seed: int = 1, left: int = 0) -> Iterator[Position]:
    """Positions of greedy self-play with the shipped words, where so much is left in the bag."""
    rules, random = TOURNAMENT, Random(seed)
    while number:
        bag = list(rules.tiles.distribution)
        random.shuffle(bag)
        racks, board = [multiset(bag[:7]), multiset(bag[7:14])], Board.empty(rules.layout)
        bag, side = bag[14:], 0
        while len(bag) > left and (found := movegen.best(rules, board, racks[side], ENGLISH)):
            play = found[0]
            board = board.with_letters(dict(place(rules, board, play.spot, play.text).laid))
            kept, drawn = take_tiles(play.tiles, racks[side]), len(play.tiles)
            racks[side] = multiset((*kept, *bag[:drawn]))
            bag, side = bag[drawn:], 1 - side
        if len(bag) == left and all(racks):
            number -= 1
            mine, others = racks[side], racks[1 - side]
            unseen = multiset((*others, *bag))
            yield Position(
                rules, ENGLISH, board, mine, unseen, left, (len(others),), scores=(300, 300)
            )


def check_legal(position: Position, solution: Solution) -> None:
    legal = movegen.plays(position.rules, position.board, position.rack, position.lexicon)
    assert solution.move == solution.line[0]
    assert isinstance(solution.move, Pass) or solution.move in [play.move for play in legal]


def test_there_is_a_legal_move_when_time_is_over_at_once() -> None:
    for position in real_endgames(3):
        solution = endgame.solve(position, at_once)
        check_legal(position, solution)
        assert not solution.exact


@pytest.mark.slow
@needs_kernel
def test_looking_ahead_never_loses_to_what_looks_best_and_often_wins() -> None:
    gains = []
    for position in real_endgames(6):
        greedy = endgame.solve(position, never, plies=0)
        asked = count()
        solution = endgame.solve(position, lambda asked=asked: next(asked) > 60)  # type: ignore[misc]
        check_legal(position, solution)
        if solution.exact:
            reply = after(position, greedy)
            against = greedy_points(position, greedy) - endgame.solve(reply, never).spread
            gains.append(solution.spread - against)
    assert min(gains) >= 0
    assert max(gains) > 0


def after(position: Position, solution: Solution) -> Position:
    """What the other is in after the move."""
    board, rack = position.board, position.rack
    if isinstance(solution.move, Place):
        placed = place(position.rules, board, solution.move.spot, solution.move.text)
        board, rack = board.with_letters(dict(placed.laid)), take_tiles(placed.tiles, rack)
    return replace(position, board=board, rack=position.unseen, unseen=rack, others=(len(rack),))


def greedy_points(position: Position, solution: Solution) -> int:
    if isinstance(solution.move, Pass):
        return 0
    return place(position.rules, position.board, solution.move.spot, solution.move.text).points


@needs_kernel
def test_the_time_is_asked_for_all_along_and_other_threads_go_on() -> None:
    (position,) = real_endgames(1, seed=4)
    done, turns, until = threading.Event(), list[float](), time.monotonic() + 20

    def run() -> None:
        while not done.is_set():
            turns.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=run)
    thread.start()
    begun, latest, gaps = time.monotonic(), time.thread_time(), list[float]()

    def is_over() -> bool:
        nonlocal latest
        gaps.append(time.thread_time() - latest)
        latest += gaps[-1]
        return len(gaps) > 20 and (others_turns() > 3 or time.monotonic() > until)

    def others_turns() -> int:
        return sum(turn > begun for turn in turns)

    try:
        solution = endgame.solve(position, is_over)
        assert others_turns() > 3
    finally:
        done.set()
        thread.join()
    assert not solution.exact
    assert median(gaps) < 0.05


def test_what_the_clock_raises_is_raised() -> None:
    def broken() -> bool:
        raise ZeroDivisionError

    (position,) = real_endgames(1, seed=4)
    with pytest.raises(ZeroDivisionError):
        endgame.solve(position, broken)


def test_it_is_no_endgame_where_more_is_hidden_or_other_rules_end_it() -> None:
    position = any_endgame(Random(1))
    rules = position.rules
    assert endgame.applies(position)
    three = replace(position, others=(1, 1), scores=(0, 0, 0), unseen=("A", "B"))
    for other in (
        replace(position, bag=1, unseen=(*position.unseen, "A")),
        replace(position, unseen=(*position.unseen, "A")),
        three,
        replace(position, rules=replace(rules, target=100)),
        replace(position, rules=replace(rules, reclaim="any")),
    ):
        assert not endgame.applies(other)
        with pytest.raises(ValueError, match="no endgame"):
            endgame.solve(other, never)


@needs_kernel
def test_the_kernel_refuses_what_is_no_endgame() -> None:
    position = any_endgame(Random(1))
    board, solve = position.board, kernel(position.rules, position.lexicon).endgame
    good = (board, ("A",), ("B",), False, True, never)
    assert solve(*good)[3]
    wrong: list[tuple[type[Exception], tuple[Any, ...]]] = [
        (ValueError, (board, (), ("B",), False, True, never)),
        (ValueError, (board, ("A",), (), False, True, never)),
        (ValueError, (board, ("A",) * 10, ("B",), False, True, never)),
        (ValueError, (board, ("Z",), ("B",), False, True, never)),
        (TypeError, (board, ["A"], ("B",), False, True, never)),
        (TypeError, (board, ("A",), ("B",), False, True, None)),
        (AttributeError, (None, ("A",), ("B",), False, True, never)),
        (ValueError, (Board(1, (None,)), ("A",), ("B",), False, True, never)),
        (TypeError, (*good, None)),
        (ValueError, (*good, -1)),
        (ValueError, (*good, 39)),
        (OverflowError, (*good, 2**31)),
        (TypeError, (*good, 38, "5")),
        (ValueError, (*good, 38, 10**9 + 1)),
        (OverflowError, (*good, 38, 2**63)),
        (TypeError, good[:5]),
    ]
    for error, asked in wrong:
        with pytest.raises(error):
            solve(*asked)


def test_a_pass_is_the_best_where_every_play_opens_more_for_the_other() -> None:
    tiles = TileSet("few", (TileKind("A", 9, 1), TileKind("B", 9, 1), TileKind("C", 9, 9)))
    layout = replace(TOURNAMENT.layout, rows=("*......", "......."))
    rules = replace(TOURNAMENT, layout=layout, tiles=tiles, rack=2)
    lexicon = Lexicon.from_words("few", ["AB", "ABA", "ABAC"], tiles)
    board = Board.empty(layout).with_letters(
        dict(place(rules, Board.empty(layout), Spot(0, 0, True), "AB").laid)
    )
    position = Position(rules, lexicon, board, ("A", "A"), ("C", "C"), 0, (2,), (0, 0))
    solution = endgame.solve(position, never)
    assert solution.move == Pass()
    assert (solution.spread, solution.exact) == (16, True)
