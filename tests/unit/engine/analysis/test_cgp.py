"""Positions in CGP: read, written, and refused."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crossroom_engine.analysis.cgp import CgpPosition, Operation, read_cgp, write_cgp
from crossroom_engine.analysis.position import Position
from crossroom_engine.core import data
from crossroom_engine.core.board import Board, Layout
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import BLANK, Letter, Tiles, multiset
from crossroom_engine.words.lexicon import Lexicon

TOURNAMENT = PRESETS["tournament"]
WORDS = Lexicon.from_words("tiny", ["CAB", "CABS"], TOURNAMENT.tiles)
EMPTY = "/".join(["15"] * 15)
CAB = "/".join([*["15"] * 7, "6CaB6", *["15"] * 7])
GOOD = f"{CAB} AEINRT?/QS -3/14 1 lex english; tmr 10000/-2500;"

DICE = st.randoms(use_true_random=True)


def any_rules(random: Random) -> Ruleset:
    """Boards of any size, tiles of any language."""
    width, height = random.randint(2, 21), random.randint(2, 21)
    squares = ["."] * (width * height)
    squares[random.randrange(len(squares))] = "*"
    rows = ("".join(squares[at : at + width]) for at in range(0, len(squares), width))
    return replace(
        TOURNAMENT,
        layout=Layout("any", tuple(rows)),
        tiles=data.tileset(random.choice(data.list_names("tiles", ".csv"))),
        players=4,
        rack=random.randint(2, 9),
        exchange_bag=random.randint(0, 99),
        bingo=random.randint(0, 999),
        scoreless_limit=random.choice([None, 2, 6, 9]),
        challenge=random.choice(["void", "free", "double", "five", "ten", "triple"]),
    )


def any_position(random: Random, players: int, rules: Ruleset | None = None) -> CgpPosition:
    rules = rules or any_rules(random)
    bag = [*rules.tiles.distribution]
    random.shuffle(bag)
    racks = tuple(
        multiset(bag.pop() for _ in range(min(len(bag), random.choice([1, 2, rules.rack]))))
        for _ in range(players)
    )
    squares: list[Letter | None] = [None] * (rules.layout.width * rules.layout.height)
    for place in random.sample(range(len(squares)), random.randrange(len(squares))):
        if not bag:
            break
        tile = bag.pop()
        letter = random.choice(rules.tiles.letters) if tile == BLANK else tile
        squares[place] = Letter(letter, blank=tile == BLANK)
    scores = tuple(random.randint(-99, 999) for _ in racks)
    board = Board(rules.layout.width, tuple(squares))
    return CgpPosition(rules, board, racks, scores, random.randint(0, 9))


def refused(text: str, rules: Ruleset | None = None) -> str:
    with pytest.raises(BadText) as refusal:
        read_cgp(text, rules)
    assert len(str(refusal.value)) < 400
    return str(refusal.value)


def test_every_field_is_read() -> None:
    position = read_cgp(GOOD)
    assert dict(position.board.items()) == {
        Square(7, 6): Letter("C"),
        Square(7, 7): Letter("A", blank=True),
        Square(7, 8): Letter("B"),
    }
    assert position.racks == (("?", "A", "E", "I", "N", "R", "T"), ("Q", "S"))
    assert (position.scores, position.scoreless, position.lexicon) == ((-3, 14), 1, "english")
    assert position.operations == (Operation("lex", "english"), Operation("tmr", "10000/-2500"))
    assert position.rules == TOURNAMENT
    assert write_cgp(position) == GOOD.replace("AEINRT?", "?AEINRT")


@pytest.mark.parametrize(
    ("operation", "setting", "value"),
    [
        ("bb 35", "bingo", 35),
        ("etl 1", "exchange_bag", 1),
        ("mcnz 4", "scoreless_limit", 4),
        ("cr 5pt", "challenge", "five"),
        ("cr SINGLE", "challenge", "free"),
        ("cr void", "challenge", "void"),
        ("ld french", "tiles", data.tileset("french")),
        ("-lex FRA20", "tiles", data.tileset("french")),
        ("bdn CrosswordGame", "layout", data.layout("standard")),
    ],
)
def test_operations_change_the_rules(operation: str, setting: str, value: object) -> None:
    base = replace(TOURNAMENT, layout=Layout("other", TOURNAMENT.layout.rows))
    given = None if "lex" in operation else base
    assert getattr(read_cgp(f"{EMPTY} / 0/0 0 {operation};", given).rules, setting) == value
    assert read_cgp(f"{EMPTY} / 0/0 0", base).rules == base


def test_operations_that_say_the_same_leave_the_rules_alone() -> None:
    rules = replace(PRESETS["classic"], layout=Layout("mine", TOURNAMENT.layout.rows))
    assert read_cgp(f"{EMPTY} / 0/0 0 bdn mine; mcnz 6; bb 50; cr single", rules).rules == rules


def test_tiles_of_several_letters() -> None:
    board = EMPTY.replace("15", "6[CH]7[ll]", 1)
    position = read_cgp(f"{board} [RR]?/ 0/0 0 lex FILE2017;")
    assert position.board[Square(0, 6)] == Letter("CH")
    assert position.board[Square(0, 14)] == Letter("LL", blank=True)
    assert position.racks == (("?", "RR"), ())
    assert write_cgp(position).startswith(f"{board} ?[RR]/ 0/0 0 lex")


@given(DICE, st.integers(1, 4))
def test_what_is_written_is_read_again(random: Random, players: int) -> None:
    position = any_position(random, players)
    assert read_cgp(write_cgp(position), position.rules) == position


@given(DICE, st.integers(1, 4))
def test_a_situation_has_every_tile_once(random: Random, players: int) -> None:
    position = any_position(random, players)
    situation = position.to_position(WORDS)
    on_board = [letter.tile for _, letter in position.board.items()]
    tiles = multiset([*on_board, *situation.rack, *situation.unseen])
    assert tiles == position.rules.tiles.distribution
    assert situation.bag + sum(situation.others) == len(situation.unseen)
    assert not Counter(t for r in position.racks[1:] for t in r) - Counter(situation.unseen)
    full = position.rules.rack
    assert all(size == full for size in situation.others) or not situation.bag


@given(DICE)
def test_a_situation_of_two_goes_there_and_back(random: Random) -> None:
    position = any_position(random, 2)
    situation = position.to_position(WORDS)
    there = CgpPosition.from_position(situation)
    assert read_cgp(write_cgp(there), situation.rules).to_position(WORDS) == situation


@given(DICE, st.integers(2, 4))
def test_without_rules_what_is_written_is_enough(random: Random, players: int) -> None:
    rules = replace(any_rules(random), layout=TOURNAMENT.layout, rack=7)
    situation = any_position(random, players, rules).to_position(WORDS)
    back = read_cgp(write_cgp(CgpPosition.from_position(situation))).rules
    for setting in ("layout", "tiles", "bingo", "exchange_bag", "challenge"):
        assert getattr(back, setting) == getattr(rules, setting)
    assert back.scoreless_turns(players) == rules.scoreless_turns(players)


def position_of_others(racks: str, left: Tiles) -> Position:
    """A position at the end of a game: all tiles lie on the board, but for some."""
    tiles = data.tileset("english")
    lying = list((Counter(tiles.distribution) - Counter(left)).elements())
    row = [Letter("A", blank=True) if t == BLANK else Letter(t) for t in lying]
    board = Board(15, tuple(row + [None] * (225 - len(row))))
    scores = "/".join("0" for _ in racks.split("/"))
    text = write_cgp(CgpPosition(TOURNAMENT, board, ((), ()), (0, 0))).split()[0]
    return read_cgp(f"{text} {racks} {scores} 0").to_position(WORDS)


def test_other_racks_are_full_as_far_as_there_are_tiles() -> None:
    assert read_cgp(f"{EMPTY} ABC/// 0/0/0/0 0").to_position(WORDS).others == (7, 7, 7)
    assert read_cgp(f"{EMPTY} ABC/DE 0/0 0").to_position(WORDS).others == (7,)
    assert read_cgp(f"{EMPTY} ABC 0 0").to_position(WORDS).others == ()
    ten = tuple("AAABBCDEFG")
    assert position_of_others("AAABBCD/", ten).others == (3,)
    given_sizes = position_of_others("AAAB/B/CD/EFG", ten)
    assert (given_sizes.others, given_sizes.bag) == ((1, 2, 3), 0)
    some_known = position_of_others("AAAB/B//EFG", ten)
    assert (some_known.others, some_known.bag) == ((3, 0, 3), 0)
    assert some_known.unseen == tuple("BCDEFG")


def test_blanks_may_be_taken_back_where_the_rules_let_anybody() -> None:
    assert read_cgp(GOOD).to_position(WORDS).reclaimable == ()
    race = read_cgp(GOOD, replace(PRESETS["race"], reclaim="any")).to_position(WORDS)
    assert race.reclaimable == (Square(7, 7),)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["four fields", "as in"]),
        ("A B C", ["four fields", "'A B C'"]),
        (f"{EMPTY} / 0/0 0\n{EMPTY} / 0/0 0", ["one line"]),
        (f"{EMPTY[3:]} / 0/0 0", ["14 rows of 15", "15 of 15", "bdn"]),
        (f"{EMPTY}{'/15' * 7} / 0/0 0", ["22 rows", "21"]),
        (f"14/{EMPTY[3:]} / 0/0 0", ["row 1 has 14 squares", "has 15"]),
        (f"/{EMPTY[3:]} / 0/0 0", ["row 1 has 0 squares"]),
        (f"22/{EMPTY[3:]} / 0/0 0", ["row 1", "'22' empty squares"]),
        (f"{'9' * 5000}/{EMPTY[3:]} / 0/0 0", ["row 1", "…"]),
        (f"0A14/{EMPTY[3:]} / 0/0 0", ["row 1", "'0'"]),
        (f"15/7Ä7/{EMPTY[6:]} / 0/0 0", ["row 2", "no tile Ä", "english"]),
        (f"7.7/{EMPTY[3:]} / 0/0 0", ["row 1", "'.' is no tile"]),
        (f"7[A7/{EMPTY[3:]} / 0/0 0", ["row 1", "not closed"]),
        (f"ZZ13/{EMPTY[3:]} / 0/0 0", ["2 tiles Z", "has 1"]),
        (f"Z14/{EMPTY[3:]} AB/Z 0/0 0", ["2 tiles Z", "has 1"]),
        (f"abc12/{EMPTY[3:]} / 0/0 0", ["3 tiles ?", "has 2"]),
        (f"{EMPTY} AÉ/ 0/0 0", ["'AÉ'", "no tile É", "ld french"]),
        (f"{EMPTY} ABCDEFGH/ 0/0 0", ["'ABCDEFGH' has over 7 tiles"]),
        (f"{EMPTY} ///// 0/0/0/0/0 0", ["6 racks", "1 to 4"]),
        (f"{EMPTY} A/ 0 0", ["2 racks and 1 scores"]),
        (f"{EMPTY} / 0/x 0", ["'x' is not a score"]),
        (f"{EMPTY} / 0/٣ 0", ["'٣' is not a score"]),
        (f"{EMPTY} / 0/0 -1", ["'-1' is not a number of scoreless"]),
        (f"{EMPTY} / 0/0 0 7;", ["'7' is no operation", "lex NAME;"]),
        (f"{EMPTY} / 0/0 0 ld klingon;", ["ld", "'klingon'", "polish"]),
        (f"{EMPTY} / 0/0 0 bdn Moebius;", ["bdn", "'moebius'", "standard"]),
        (f"{EMPTY} / 0/0 0 bb many;", ["bb", "0 to 999", "'many'"]),
        (f"{EMPTY} / 0/0 0 cr maybe;", ["cr", "double", "'maybe'"]),
        (f"{EMPTY} / 0/0 0 ld;", ["ld", "english"]),
    ],
)
def test_rubbish_is_told_what_to_do(text: str, parts: list[str]) -> None:
    said = refused(text)
    for part in parts:
        assert part in said


def test_a_position_that_is_made_is_checked_as_well() -> None:
    board = Board.empty(TOURNAMENT.layout)
    with pytest.raises(BadText, match="no tile 'Ä'"):
        CgpPosition(TOURNAMENT, board, (("Ä",),), (0,))
    with pytest.raises(BadText, match="0 racks"):
        CgpPosition(TOURNAMENT, board, (), ())
    with pytest.raises(BadText, match="no rack"):
        CgpPosition(TOURNAMENT, board, ((),), (0,))
    with pytest.raises(BadText, match="21 rows of 15"):
        CgpPosition(TOURNAMENT, Board(15, (None,) * 315), ((), ()), (0, 0))


def harmless(text: str) -> bool:
    """It is a position, or refused; nothing else happens."""
    try:
        position = read_cgp(text)
    except BadText:
        return False
    assert read_cgp(write_cgp(position)) == position
    return position.to_position(WORDS).board == position.board


@given(st.text())
def test_any_text_is_refused_or_harmless(text: str) -> None:
    harmless(text)


@given(st.binary().map(lambda content: content.decode("latin-1")))
@example(f"{EMPTY}\xa0/ 0/0\x850")
def test_any_bytes_are_refused_or_harmless(text: str) -> None:
    harmless(text)


PIECES = [
    "/",
    " ",
    "15",
    "[",
    "]",
    "[CH]",
    ";",
    "lex ",
    "ld ",
    "bdn ",
    "?",
    "a",
    "Z",
    "-",
    "ß",
    "9",
]


@given(
    st.lists(
        st.tuples(st.integers(0, 400), st.integers(0, 3), st.sampled_from(PIECES) | st.text()),
        max_size=6,
    )
)
@example([(0, 0, "")])
def test_good_ones_that_were_changed_are_refused_or_harmless(
    changes: list[tuple[int, int, str]],
) -> None:
    text = GOOD
    for place, length, new in changes:
        start = place % (len(text) + 1)
        text = text[:start] + new + text[start + length :]
    assert harmless(text) or changes
