from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine import movegen
from crossroom_engine.core.board import Board, Layout
from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.moves import Place
from crossroom_engine.core.placement import Placement, place
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import (
    BLANK,
    Letter,
    Tile,
    TileKind,
    Tiles,
    TileSet,
    draw_tiles,
    multiset,
    take_tiles,
)
from crossroom_engine.movegen import Play
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from tests.support.engines import same_in_all
from tests.support.examples import examples

OFFICIAL = PRESETS["official"]
DIGRAPHS = TileSet(
    "digraphs",
    tuple(
        TileKind(tile, 20, points)
        for tile, points in (("A", 1), ("C", 3), ("CH", 5), ("H", 4), (BLANK, 0))
    ),
)

Words: TypeAlias = frozenset[Tiles]
ENGLISH = catalog.open_lexicon("english")


def plays(
    rules: Ruleset,
    board: Board,
    rack: Tiles,
    lexicon: Lexicon,
    reclaimable: Collection[Square] = (),
) -> list[Play]:
    """Every play; also checks that all other questions are answered to the same effect."""
    position = (rules, board, rack, lexicon)
    found = same_in_all(movegen.plays, *position, reclaimable=reclaimable)
    points = sorted((play.points for play in found), reverse=True)
    tally = same_in_all(movegen.count, *position, reclaimable=reclaimable)
    assert tally == (len(found), points[0] if points else None)
    best = same_in_all(movegen.best, *position, n=3, reclaimable=reclaimable)
    assert [play.points for play in best] == points[:3]
    assert set(best) <= set(found)
    assert is_any_play_left(*position, reclaimable) == bool(found)
    return found


def is_any_play_left(
    rules: Ruleset,
    board: Board,
    rack: Tiles,
    lexicon: Lexicon,
    reclaimable: Collection[Square] = (),
) -> bool:
    return same_in_all(movegen.is_any_play_left, rules, board, rack, lexicon, reclaimable)


# The oracle: try everything that can be laid, and ask placement what it comes to.


def brute_force(
    rules: Ruleset, board: Board, rack: Tiles, words: Words, reclaimable: Collection[Square] = ()
) -> set[Play]:
    found = {}
    for count in range(len(reclaimable) + 1):
        for swaps in combinations(sorted(reclaimable), count):
            for placement in _placements(rules, board, rack, swaps):
                if _formed(board, placement) <= words:
                    found[placement.laid, swaps] = Play(
                        placement.spot, placement.text, placement.tiles, placement.points, swaps
                    )
    return set(found.values())


def _placements(
    rules: Ruleset, board: Board, rack: Tiles, swaps: tuple[Square, ...]
) -> Iterator[Placement]:
    letters = [letter.letter for square in swaps if (letter := board[square]) is not None]
    try:
        rack = multiset(take_tiles(letters, rack) + (BLANK,) * len(swaps))
    except IllegalMove:
        return
    hands = {hand for size in range(1, len(rack) + 1) for hand in permutations(rack, size)}
    spots = [
        Spot(row, col, across)
        for row, col, across in product(range(board.height), range(board.width), (True, False))
    ]
    for spot, hand in product(spots, sorted(hands)):
        for letters_laid in _readings(rules, hand):
            if (text := _text(board, spot, letters_laid)) is not None:
                try:
                    yield place(rules, board, spot, text, swaps)
                except IllegalMove:
                    continue


def _readings(rules: Ruleset, hand: Sequence[Tile]) -> Iterator[tuple[Letter, ...]]:
    return product(
        *(
            [Letter(letter, blank=True) for letter in rules.tiles.letters]
            if tile == BLANK
            else [Letter(tile)]
            for tile in hand
        )
    )


def _text(board: Board, spot: Spot, letters: Sequence[Letter]) -> str | None:
    """The letters laid on the next free squares from *spot*, which must be free itself."""
    text, left, at = "", list(letters), 0
    while left:
        if not board.holds(spot.square_at(at)):
            return None
        if board[spot.square_at(at)] is None:
            text += str(left.pop(0))
        elif at == 0:
            return None
        else:
            text += "."
        at += 1
    return text


def _formed(board: Board, placement: Placement) -> Words:
    after = board.with_letters(dict(placement.laid))
    runs = (
        after.run(Spot(*laid.square, across)) for laid in placement.laid for across in (True, False)
    )
    return frozenset(
        tuple(letter.letter for square in run if (letter := after[square]) is not None)
        for run in runs
        if len(run) > 1
    )


# Positions to try it on. Real dice, because plays are many only where words and tiles are many.

DICE = st.randoms(use_true_random=True)


def any_layout(random: Random) -> Layout:
    width, height = random.randint(2, 5), random.randint(2, 4)
    squares = random.choices(".'\"^-=~", k=width * height)
    squares[random.randrange(width * height)] = "*"
    drawn = "".join(squares)
    return Layout("any", tuple(drawn[at : at + width] for at in range(0, len(drawn), width)))


def any_board(random: Random, layout: Layout, blanks: float) -> Board:
    density = random.choice([0, 0.2, 0.4, 0.6])
    squares = [
        Letter(random.choice(DIGRAPHS.letters), random.random() < blanks)
        if random.random() < density
        else None
        for _ in range(layout.width * layout.height)
    ]
    return Board(layout.width, tuple(squares))


def any_words(random: Random) -> Words:
    words = [word for size in (2, 3, 4, 5) for word in product(DIGRAPHS.letters, repeat=size)]
    return frozenset(random.sample(words, random.choice([60, 400, 1200])))


def any_position(random: Random, blanks: float = 0.2) -> tuple[Ruleset, Board, Tiles, Words]:
    layout = any_layout(random)
    full = random.choice([2, 3, 3])
    rules = replace(OFFICIAL, layout=layout, tiles=DIGRAPHS, players=2, rack=full)
    rack = draw_tiles(DIGRAPHS.distribution, random.choice([1, full, full]), random)
    return rules, any_board(random, layout, blanks), rack, any_words(random)


def lexicon_of(words: Words, tiles: TileSet = DIGRAPHS) -> Lexicon:
    spelt = ["".join(f"[{tile}]" for tile in word) for word in words]
    return Lexicon.from_words("test", spelt, tiles)


@examples(100)
@given(DICE)
def test_finds_exactly_what_brute_force_finds(dice: Random) -> None:
    rules, board, rack, words = any_position(dice)
    lexicon = lexicon_of(words)
    found = plays(rules, board, rack, lexicon)
    assert len(found) == len(set(found))
    assert set(found) == brute_force(rules, board, rack, words)


@examples(60)
@given(DICE)
def test_s3_5_3_finds_exactly_the_plays_that_take_blanks_back(dice: Random) -> None:
    rules, board, rack, words = any_position(dice, blanks=0.6)
    lexicon = lexicon_of(words)
    blanks = [square for square, letter in board.items() if letter.blank]
    reclaimable = dice.sample(blanks, min(2, len(blanks)))
    found = plays(rules, board, rack, lexicon, reclaimable)
    assert len(found) == len(set(found))
    assert set(found) == brute_force(rules, board, rack, words, reclaimable)


def english_position(seed: int) -> tuple[Board, Tiles]:
    """A position of a game between dice, and a rack; late in the game for some seeds."""
    random = Random(seed)
    board, bag = Board.empty(OFFICIAL.layout), OFFICIAL.tiles.distribution
    for _ in range(seed):
        rack = draw_tiles(bag, 7, random)
        if found := plays(OFFICIAL, board, rack, ENGLISH):
            placement = placed(board, random.choice(found))
            bag = take_tiles(placement.tiles, bag)
            board = board.with_letters(dict(placement.laid))
    return board, draw_tiles(bag, 7, random)


def placed(board: Board, play: Play) -> Placement:
    return place(OFFICIAL, board, play.spot, play.text, play.swaps)


@pytest.mark.parametrize("seed", [0, 1, 4, 9, 15])
def test_agrees_with_placement_on_english_positions(seed: int) -> None:
    board, rack = english_position(seed)
    found = plays(OFFICIAL, board, rack, ENGLISH)
    assert found
    for play in found:
        placement = placed(board, play)
        assert play == (placement.spot, placement.text, placement.tiles, placement.points, ())
        take_tiles(placement.tiles, rack)  # refuses what the rack does not hold
        assert all(word in ENGLISH for word in placement.words)


# Examples, each of a thing that a generator easily gets wrong.


def small(*rows: str, words: str, rack: str, layout: str = "*....\n.....\n.....") -> list[Play]:
    rules = replace(OFFICIAL, layout=Layout.from_text("small", layout))
    board = Board.from_rows(rows, rules.tiles) if rows else Board.empty(rules.layout)
    lexicon = Lexicon.from_words("small", words.split(), rules.tiles)
    return plays(rules, board, rules.tiles.parse_tiles(rack), lexicon)


def written(found: list[Play]) -> set[str]:
    return {f"{play.spot} {play.text} {play.points}" for play in found}


def test_s2_1_the_first_play_covers_the_start_with_two_tiles_or_more() -> None:
    assert written(small(words="AB BA ABA", rack="AAB", layout="...\n.*.\n...")) == {
        f"{spot} {text} {points}"
        for text, points, spots in (
            ("AB", 8, ("2A", "2B", "B1", "B2")),
            ("BA", 8, ("2A", "2B", "B1", "B2")),
            ("ABA", 10, ("2A", "B1")),
        )
        for spot in spots
    }


def test_s2_3_one_tile_is_one_play_with_the_word_across_as_the_main_word() -> None:
    found = small(".A...", "B....", ".....", words="AA AB", rack="A")
    assert "1A A. 12" in written(found)
    assert not any(play.text == "A." and play.spot == Spot.parse("A1") for play in found)


def test_s3_6_only_a_full_rack_earns_the_bonus() -> None:
    points = {
        play.text: play.points
        for play in small(words="SATIRE SATIRES", rack="SATIRES", layout="*......\n.......")
        if play.spot.across
    }
    assert points == {"SATIRE": 12, "SATIRES": 14 + 50}


def test_a_letter_that_the_word_list_lacks_is_neither_played_nor_passed_through() -> None:
    tiles = TileSet(
        "more", (*OFFICIAL.tiles.kinds[:-1], TileKind("Ñ", 1, 8), TileKind(BLANK, 2, 0))
    )
    rules = replace(OFFICIAL, tiles=tiles)
    lexicon = Lexicon.from_words("ascii", ["AN", "ANA"], OFFICIAL.tiles)
    board = Board.empty(rules.layout).with_letters(
        {Square(7, 7): Letter("Ñ"), Square(7, 8): Letter("A")}
    )
    found = plays(rules, board, ("A", BLANK, "N", "Ñ"), lexicon)
    assert found
    for play in found:
        words = place(rules, board, play.spot, play.text).words
        assert all(word in lexicon for word in words)


def test_two_blanks_and_a_rack_of_nine_on_the_largest_board() -> None:
    layout = Layout("large", ("*" + "." * 20, *("." * 21 for _ in range(20))))
    rules = replace(OFFICIAL, layout=layout, rack=9)
    word = "COUNTERDEMONSTRATIONS"
    board = Board.from_rows(("." * 9 + word[9:], *("." * 21 for _ in range(20))), rules.tiles)
    lexicon = Lexicon.from_words("long", [word], rules.tiles)
    found = plays(rules, board, rules.tiles.parse_tiles("COUNTER??"), lexicon)
    assert {play.text for play in found} == {"COUNTERde............", "COUNTeRdE............"}
    assert {play.points for play in found} == {(9 + 14) * 2 + 50}


def test_s3_5_3_a_play_that_only_a_reclaimed_blank_makes_possible_is_a_play() -> None:
    rules = replace(OFFICIAL, layout=Layout.from_text("small", "*...\n...."))
    board = Board.from_rows(("bA..", "...."), rules.tiles)
    lexicon = Lexicon.from_words("small", ["BAD"], rules.tiles)
    assert not is_any_play_left(rules, board, ("B",), lexicon)
    assert is_any_play_left(rules, board, ("B",), lexicon, reclaimable=[Square(0, 0)])
    (play,) = plays(rules, board, ("B",), lexicon, reclaimable=[Square(0, 0)])
    assert play.move == Place(Spot(0, 0, across=True), "..d", (Square(0, 0),))
    assert (play.tiles, play.points) == (("B",), 4)
