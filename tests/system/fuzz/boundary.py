"""The kernel's types and methods, with arguments that nobody should give."""

import ctypes
import sys
from array import array
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from random import Random
from time import struct_time
from typing import Any, Final

from crossroom_engine import _kernel
from crossroom_engine.core import data
from crossroom_engine.core.board import Board, Layout
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import BLANK, Letter, Tiles
from crossroom_engine.movegen.play import Play
from crossroom_engine.words.lexicon import Lexicon

try:
    _testcapi: Any = import_module("_testcapi")
except ImportError:
    _testcapi = None


class InjectedError(Exception):
    """What our own objects raise."""


DOCUMENTED: Final = (
    ValueError,
    TypeError,
    OverflowError,
    BufferError,
    AttributeError,
    MemoryError,
    InjectedError,
)
"""See ``_kernel.pyi``."""

RULES: Final = replace(
    PRESETS["official"],
    layout=Layout("small", ("=..'-", '.*"..', "'..~^", ".....")),
    tiles=data.tileset("spanish"),
    rack=3,
)
LEXICON: Final = Lexicon.from_words("few", ["CHA", "AS", "SA", "ACH", "CASA", "ASA"], RULES.tiles)
BOARD: Final = Board.empty(RULES.layout).with_letters({RULES.layout.start: Letter("A")})
RACK: Final[Tiles] = ("?", "A", "S")

GOOD_WORDS: Final[dict[str, Any]] = {
    "letters": len(LEXICON.letters),
    "child_masks": LEXICON.child_masks,
    "accept_masks": LEXICON.accept_masks,
    "bases": LEXICON.bases,
    "children": LEXICON.children,
}
WORDS: Final = _kernel.Words(**GOOD_WORDS)
SQUARES: Final = RULES.layout.width * RULES.layout.height
TILES: Final[dict[str, int]] = {tile: n for n, tile in enumerate(RULES.tiles.letters)}
GOOD_RULES: Final[dict[str, Any]] = {
    "words": WORDS,
    "width": RULES.layout.width,
    "height": RULES.layout.height,
    "start": 6,
    "rack": 3,
    "bingo": 50,
    "letter_premiums": bytes([1, 2, 3, 4] * 5),
    "word_premiums": bytes([4, 3, 2, 1] * 5),
    "points": array("i", [1] * 63 + [0]),
    "blank_letters": (1 << len(LEXICON.letters)) - 1,
    "letters": TILES,
    "tiles": {**TILES, BLANK: 63},
    "texts": tuple("x" for _ in range(192)),
    "spots": tuple(Spot(n, 0, True) for n in range(2 * SQUARES)),
    "play": Play,
}
GOOD_LEAVES: Final[dict[str, Any]] = {
    "tiles": array("i", range(64)),
    "pairs": array("i", [7] * 4096),
    "empty": 5,
}
LEAVES: Final = _kernel.Leaves(**GOOD_LEAVES)
ENGINE: Final = _kernel.Generator(**GOOD_RULES)
ANSWER: Final = ENGINE.count(BOARD, RACK)

QUESTIONS: Final = ["plays", "count", "any", "best", "match", "rollouts", "endgame"]
WEIGHTS: Final = [10, 10, 10, 10, 10, 10, 1]

NUMBERS: Final = [
    *(0, 1, -1, 2, 9, 10, 21, 22, 61, 62, 63, 64, 127, 128, 191, 192, 255, 256, 441, 10**6),
    *(2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32 - 1, 2**32, 2**62, 2**63 - 1, 2**63),
    *(-(2**63), -(2**63) - 1, 2**64 - 1, 2**64, 2**1000, -(10**5000)),
]


class ChangingInteger:
    """An integer that is another one each time."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def __index__(self) -> int:
        if self._dice.random() < 0.1:
            raise InjectedError
        return self._dice.choice(NUMBERS)

    __int__ = __index__


class HostileObject:
    """Does other things than it should when it is asked for its truth, hash, text, or fields."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def _turn(self) -> int:
        if (chance := self._dice.random()) < 0.3:
            raise InjectedError
        if chance < 0.6:  # while the kernel is at work
            ENGINE.best(BOARD, RACK, 3)
        return self._dice.randrange(2**62)

    def __hash__(self) -> int:
        return self._dice.choice([hash("A"), self._turn()])

    def __eq__(self, other: object) -> bool:
        return bool(self._turn() & 1)

    def __bool__(self) -> bool:
        return bool(self._turn() & 1)

    def __str__(self) -> str:
        return "\ud800" * (self._turn() & 3)

    @property
    def width(self) -> Any:
        """Of a board."""
        return self._turn() and 5

    @property
    def squares(self) -> Any:
        """Of a board."""
        return self._dice.choice([BOARD.squares, anything(self._dice)])


class StrSubclass(str):
    __slots__ = ()


class IntSubclass(int):
    pass


class HostileTuple(tuple[Any, ...]):
    __slots__ = ()

    def __len__(self) -> int:
        return 10**9

    def __getitem__(self, place: Any) -> Any:
        raise InjectedError


class HostileDict(dict[Any, Any]):
    def __getitem__(self, key: Any) -> Any:
        raise InjectedError

    def copy(self) -> Any:
        """Never asked for."""
        raise InjectedError


class UnbuildableTuple(tuple[Any, ...]):
    """A tuple that does not want to be made."""

    __slots__ = ()

    def __new__(cls, *fields: Any) -> Any:
        """Raise."""
        raise InjectedError


class PairStruct(ctypes.Structure):
    _fields_ = (("one", ctypes.c_int), ("other", ctypes.c_double))


SCRAPS: Final[list[Callable[[Random], Any]]] = [
    lambda dice: None,
    lambda dice: dice.choice([True, False, Ellipsis, NotImplemented, object(), sys, 1j]),
    lambda dice: dice.choice(NUMBERS),
    lambda dice: dice.randrange(-300, 300),
    lambda dice: IntSubclass(dice.choice(NUMBERS)),
    lambda dice: dice.choice([0.0, 1.5, float("nan"), float("inf")]),
    ChangingInteger,
    HostileObject,
    lambda dice: dice.choice(["", "A", "CH", "?", "\0", "\ud800", "é", "x" * 65, "A" * 1000]),
    lambda dice: StrSubclass(dice.choice(["A", "S", "?", "\udfff"])),
    lambda dice: dice.choice(
        [int, tuple, Play, Spot, UnbuildableTuple, HostileTuple, struct_time, type, HostileObject]
    ),
    lambda dice: dice.choice([WORDS, LEAVES, ENGINE, LEXICON, BOARD, RACK]),
    lambda dice: tuple(anything(dice) for _ in range(dice.randrange(4))),
    lambda dice: HostileTuple(anything(dice) for _ in range(dice.randrange(4))),
    lambda dice: [anything(dice) for _ in range(dice.randrange(3))],
    lambda dice: HostileDict({dice.randrange(5): anything(dice)}),
    lambda dice: scrap_of_memory(dice, array("I", range(dice.randrange(70)))),
]


def anything(dice: Random) -> Any:
    """Some object."""
    return dice.choice(SCRAPS)(dice)


def scrap_of_memory(dice: Random, good: Any) -> Any:
    """What has the buffer protocol, like *good*, or nearly so."""
    try:
        content = bytearray(bytes(good))
    except ValueError:  # it was spoilt before, and is released
        return good
    for _ in range(dice.randrange(4) if content else 0):
        content[dice.randrange(len(content))] = dice.choice([0, 1, 4, 5, 255, dice.randrange(256)])
    view: Any = memoryview(content)
    match dice.randrange(10):
        case 0:
            return view[: dice.randrange(len(content) + 1)]
        case 1:
            return view[::2]
        case 2:
            return view[::-1]
        case 3:
            return bytes(content) + bytes(dice.choice([1, 4, 8, 4096]))
        case 4:
            return view.cast(dice.choice("bBc?"))
        case 5 if len(content) % 8 == 0:
            return view.cast(dice.choice("dqQnPf"))
        case 6:
            return (PairStruct * (len(content) // 16))()
        case 7 if content:
            return view.cast("B", (1, len(content)))
        case 8:
            view.release()
            return view
        case _:
            return bytes(content)


def spoilt(dice: Random, good: Any) -> Any:
    """Something like *good*, or nothing like it."""
    if dice.random() < 0.2:
        return anything(dice)
    match good:
        case bool() | int():
            return dice.choice(
                [good + dice.choice([-1, 1]), dice.choice(NUMBERS), ChangingInteger(dice)]
            )
        case dict():
            changed = dict(good)
            for _ in range(dice.choice([0, 1, 1, 70])):
                key = dice.choice([*good, dice.choice(["A", "QU", 7, HostileObject(dice)])])
                changed[key] = dice.choice([dice.randrange(70), anything(dice)])
            return dice.choice([changed, HostileDict(changed), {}])
        case tuple():
            fields = list(good)
            for _ in range(dice.randrange(3) if fields else 0):
                fields[dice.randrange(len(fields))] = anything(dice)
            if dice.random() < 0.3:
                fields = fields[: dice.randrange(len(fields) + 1)] * dice.choice([1, 2])
            return dice.choice([tuple, tuple, tuple, HostileTuple, list])(fields)
        case bytes() | array() | memoryview():
            return scrap_of_memory(dice, good)
        case Board():
            return replace(good, squares=spoilt(dice, any_squares(dice)))
        case _:
            return anything(dice)


def any_squares(dice: Random) -> Any:
    """Of a board; they may hold anything, one or the other time."""
    squares: list[Any] = list(BOARD.squares)
    for _ in range(dice.randrange(5)):
        letter = dice.choice(["A", "S", "CH", "C", anything(dice)])
        squares[dice.randrange(len(squares))] = dice.choice(
            [Letter(letter), (letter, dice.choice([True, anything(dice)])), (letter,)]
        )
    return tuple(squares)


def spoil(dice: Random, good: dict[str, Any]) -> dict[str, Any]:
    """Arguments with one or two of them spoilt."""
    chosen = dice.sample(sorted(good), dice.choice([1, 1, 1, 2, 3]))
    changed = {**good, **{name: spoilt(dice, good[name]) for name in chosen if name in good}}
    if dice.random() < 0.02:
        changed[dice.choice(["nobody", *good])] = anything(dice)
    if dice.random() < 0.02:
        del changed[dice.choice(sorted(changed))]
    return changed


def ask(dice: Random, question: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Call it, sometimes with no memory left; None if it raises what it may raise."""
    if _testcapi is None or dice.random() < 0.95:
        try:
            return question(*arguments, **named)
        except DOCUMENTED:
            return None
    start = dice.randrange(40)
    _testcapi.set_nomemory(start, start + dice.choice([1, 1, 1000]))
    try:
        return question(*arguments, **named)
    except DOCUMENTED:
        return None
    except SystemError as error:  # without memory, Python itself may lose the reason
        innermost = error.__traceback__ and error.__traceback__.tb_next
        if innermost is None and not str(error).startswith("<function"):
            raise
        return None
    finally:
        _testcapi.remove_mem_hooks()


def interrogate(dice: Random, engine: Any) -> None:
    """Ask a generator, good or made of rubbish, with good and bad arguments."""
    for _ in range(dice.randrange(1, 4)):
        board = dice.choice([BOARD, spoilt(dice, BOARD)])
        rack = dice.choice([RACK, spoilt(dice, RACK), tuple(dice.choices("?ASC", k=4))])
        more = dice.choice([(), (dice.randrange(3),), (anything(dice),)])
        numbers = tuple(twisted(dice, 1, 6, 0, 0, 1))
        match dice.choices(QUESTIONS, WEIGHTS)[0]:
            case "best":
                n = dice.choice([1, 5, 2**62, anything(dice)])
                leaves = dice.choice([None, LEAVES, anything(dice)])
                ask(dice, engine.best, board, rack, n, leaves, *more)
            case "match":
                bag = tuple(dice.choices(["A", "S", "C", "CH", "?"], k=dice.choice([6, 30, 1001])))
                seed = dice.choice([1, 2**64 - 1])
                ask(dice, engine.match, *twisted(dice, seed, bag, numbers, LEAVES, None))
            case "rollouts":
                one = twisted(dice, board, ("A", "?"), ("S",), 7, True)
                unseen = ("A", "S", "C", "CH", "?")
                arguments = (1, 2, 3, numbers, LEAVES, unseen, (2,), (5, 6), 0, (tuple(one),))
                ask(dice, engine.rollouts, *twisted(dice, *arguments))
            case "endgame":
                is_over = dice.choice([bool, HostileObject(dice).__bool__, anything(dice)])
                more = 0, 1, is_over, dice.choice([0, 2, 38]), dice.choice([None, 5])
                ask(dice, engine.endgame, *twisted(dice, board, rack, ("A", "S"), *more))
            case name:
                ask(dice, getattr(engine, name), board, rack, *more)


def twisted(dice: Random, *good: Any) -> list[Any]:
    """Arguments, most of them good."""
    arguments = list(good)
    for _ in range(dice.choice([0, 1, 1, 2])):
        place = dice.randrange(len(arguments))
        arguments[place] = spoilt(dice, arguments[place])
    return arguments


def torment(dice: Random) -> None:
    """One kind of rubbish."""
    match dice.randrange(5):
        case 0:
            words = ask(dice, _kernel.Words, **spoil(dice, GOOD_WORDS))
            engine = words and ask(dice, _kernel.Generator, **{**GOOD_RULES, "words": words})
        case 1:
            leaves = ask(dice, _kernel.Leaves, **spoil(dice, GOOD_LEAVES))
            engine = ENGINE
            ask(dice, engine.best, BOARD, RACK, 3, leaves)
        case 2 | 3:
            engine = ask(dice, _kernel.Generator, **spoil(dice, GOOD_RULES))
        case _:
            engine = ENGINE
    if engine is not None:
        interrogate(dice, engine)


def case(dice: Random) -> None:
    """After some rubbish, everything must be as before."""
    with suppress(InjectedError):  # of our objects among themselves
        torment(dice)
    assert ENGINE.count(BOARD, RACK) == ANSWER
