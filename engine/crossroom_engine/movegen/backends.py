"""The two backends that find plays: the kernel, in C, and its fallback in plain Python.

Both give the same answers. The kernel is 30 to some hundred times faster; Python needs no compiler,
and is what the kernel is tested against. The environment variable ``CROSSROOM_KERNEL`` demands one
of them, ``c`` or ``python``; without it the kernel is used if it was built.
"""

import os
from array import array
from collections.abc import Hashable
from typing import TYPE_CHECKING, Final, Literal, TypeAlias
from weakref import WeakKeyDictionary

from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tiles
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.movegen.numbering import (
    BLANK_FLAG,
    TILE_NUMBERS,
    number_letters,
    number_tiles,
)
from crossroom_engine.movegen.play import Play
from crossroom_engine.words.lexicon import Lexicon

if TYPE_CHECKING:
    from crossroom_engine.movegen.python_backend import PythonBackend

BackendName: TypeAlias = Literal["c", "python"]

_demanded: Final = os.environ.get("CROSSROOM_KERNEL", "")
if _demanded not in ("", "c", "python"):
    raise ImportError(f"CROSSROOM_KERNEL may be c or python, not {_demanded!r}")
try:
    if _demanded == "python":
        raise ImportError("python is demanded")
    from crossroom_engine import _kernel
except ImportError:
    if _demanded == "c":
        raise
    _is_built = False
else:
    _is_built = True

BACKEND: Final[BackendName] = "c" if _is_built else "python"
"""The backend that :func:`generator` gives."""


Generator: TypeAlias = "KernelBackend | PythonBackend"
"""A finder of plays under some rules, with some word list; safe to share between threads.

Racks are sorted. Only plays that lay *least_blanks* blanks or more are found. A rack or a board
that holds what is no tile of these rules, or too much, raises :exc:`ValueError`.
"""


class KernelBackend:
    """The :class:`Generator` in C. Other Python threads go on while it works.

    ``match``, ``rollouts`` and ``endgame`` are those of the kernel, see ``_kernel.pyi``.

    Raises:
        BadText: the numbers of the word list contradict each other.
        BadRules: the rules are beyond the word engine.
    """

    def __init__(self, rules: Ruleset, lexicon: Lexicon) -> None:
        self._numbers = number_tiles(rules, lexicon)
        self._leaves: WeakKeyDictionary[Leaves, _kernel.Leaves] = WeakKeyDictionary()
        layout, premiums = rules.layout, rules.layout.premiums
        points, texts = array("i", [0] * TILE_NUMBERS), [""] * (BLANK_FLAG + TILE_NUMBERS)
        for kind in rules.tiles.kinds:
            points[self._numbers[kind.tile]] = kind.points
        for letter, number in number_letters(self._numbers, rules).items():
            texts[number] = str(letter)
        engine = _kernel.Generator(
            words=_words(lexicon),
            width=layout.width,
            height=layout.height,
            start=layout.start.row * layout.width + layout.start.col,
            rack=rules.rack,
            bingo=rules.bingo,
            letter_premiums=bytes(premium.letter for premium in premiums),
            word_premiums=bytes(premium.word for premium in premiums),
            points=points,
            blank_letters=sum(
                1 << self._numbers[tile] for tile in lexicon.letters if tile in rules.tiles
            ),
            letters={tile: self._numbers[tile] for tile in rules.tiles.letters},
            tiles={kind.tile: self._numbers[kind.tile] for kind in rules.tiles.kinds},
            texts=tuple(texts),
            spots=tuple(
                Spot(row, column, across)
                for across in (True, False)
                for row in range(layout.height)
                for column in range(layout.width)
            ),
            play=Play,
        )
        self.plays, self.count, self.any = engine.plays, engine.count, engine.any
        self.match, self.rollouts, self.endgame = engine.match, engine.rollouts, engine.endgame
        self._best = engine.best

    def best(
        self, board: Board, rack: Tiles, n: int, leaves: Leaves | None, least_blanks: int = 0, /
    ) -> list[Play]:
        """Find the *n* best plays, the best first."""
        return self._best(board, rack, n, self.compile_leaves(leaves), least_blanks)

    def compile_leaves(self, leaves: Leaves | None) -> "_kernel.Leaves | None":
        """Return a table of leaves as the kernel reads it; made once for each table."""
        if leaves is None:
            return None
        if (known := self._leaves.get(leaves)) is not None:
            return known
        tiles, pairs = array("i", [0] * TILE_NUMBERS), array("i", [0] * TILE_NUMBERS * TILE_NUMBERS)
        for tile, value in leaves.tiles.items():
            if (number := self._numbers.get(tile)) is not None:
                tiles[number] = value
        for pair, value in leaves.pairs.items():
            if all(tile in self._numbers for tile in pair):
                one, other = (self._numbers[tile] for tile in pair)
                pairs[one * TILE_NUMBERS + other] = pairs[other * TILE_NUMBERS + one] = value
        return self._leaves.setdefault(leaves, _kernel.Leaves(tiles, pairs, leaves.empty))


_WORDS: "WeakKeyDictionary[Lexicon, _kernel.Words]" = WeakKeyDictionary()
_KERNELS: WeakKeyDictionary[Lexicon, dict[Hashable, KernelBackend]] = WeakKeyDictionary()
_MAX_KERNELS: Final = 64
"""Kernels kept for a word list."""


def _words(lexicon: Lexicon) -> "_kernel.Words":
    if (known := _WORDS.get(lexicon)) is not None:
        return known
    columns = (lexicon.child_masks, lexicon.accept_masks, lexicon.bases, lexicon.children)
    try:
        words = _kernel.Words(len(lexicon.letters), *columns)
    except ValueError as error:
        raise BadText(f"cannot use the word list {lexicon.name!r}: {error}") from None
    return _WORDS.setdefault(lexicon, words)


def kernel(rules: Ruleset, lexicon: Lexicon) -> KernelBackend:
    """Return the kernel for these rules and words, kept as long as the word list is.

    Rules that do not differ in anything it reads share one.
    """
    kernels = _KERNELS.setdefault(lexicon, {})
    asked = rules.layout, rules.tiles, rules.rack, rules.bingo
    if (known := kernels.get(asked)) is None:
        if len(kernels) >= _MAX_KERNELS:
            kernels.clear()
        known = kernels[asked] = KernelBackend(rules, lexicon)
    return known


def generator(rules: Ruleset, lexicon: Lexicon) -> Generator:
    """Return the backend that finds plays under these rules, of these words."""
    if BACKEND == "c":
        return kernel(rules, lexicon)
    from crossroom_engine.movegen.python_backend import PythonBackend  # a quick start does without

    return PythonBackend(rules, lexicon)
