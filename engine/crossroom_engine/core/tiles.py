"""Tiles, tile sets, and racks and bags as multisets.

A tile is called by what is printed on it: ``"A"``, ``"CH"``; the blank is ``"?"``. A rack, a bag or
an exchange is a *sorted tuple* of tiles: it compares and hashes by content, and a bag has no order
that could give the next tile away.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, Self, TypeAlias

from crossroom_engine.core.errors import BadText, IllegalMove, IllegalMoveCode
from crossroom_engine.core.phrases import Phrase

if TYPE_CHECKING:
    from crossroom_engine.core.dice import Chance

Tile: TypeAlias = str
Tiles: TypeAlias = tuple[Tile, ...]

BLANK: Final = "?"
HIDDEN: Final = "_"
"""A tile that a reader may count but not see."""
MAX_TILE_COUNT: Final = 999
"""Tiles of one kind that a set may have: a full bag is kept whole in memory."""

_SYMBOLS: Final = frozenset("?*._,()[] ")
"""Characters that the notation of plays and racks reserves."""

_SIGMA: Final = "\N{GREEK SMALL LETTER SIGMA}"


@dataclass(frozen=True)
class TileKind:
    """A line of a tile set: the tile, how many there are, and the points of each."""

    tile: Tile
    count: int
    points: int


class Letter(NamedTuple):
    """A tile on the board: the letter it stands for, and whether the tile is a blank."""

    letter: Tile
    blank: bool = False

    @property
    def tile(self) -> Tile:
        """The tile itself, as it would return to a rack."""
        return BLANK if self.blank else self.letter

    def __str__(self) -> str:
        text = self.letter.lower() if self.blank else self.letter
        return f"[{text}]" if len(text) > 1 else text


class TypedSquare(NamedTuple):
    """A square of a typed play.

    ``letter`` is None for a ``.``; ``through`` means that a tile must lie there already.
    """

    letter: Letter | None
    through: bool = False


@dataclass(frozen=True)
class TileSet:
    """All kinds of tiles in alphabetical order; the blank, if any, comes last.

    Raises:
        BadText: a tile is there twice, cannot be written, or is too frequent.
    """

    name: str
    kinds: tuple[TileKind, ...]

    def __post_init__(self) -> None:
        if len(self._by_tile) != len(self.kinds):
            raise BadText(f"tile set {self.name!r} names a tile twice")
        for kind in self.kinds:
            is_sound = 0 <= kind.count <= MAX_TILE_COUNT and kind.points >= 0
            if not is_sound or not _is_writable(kind.tile):
                raise BadText(f"tile set {self.name!r}: {kind.tile!r} is not a valid line")
            if kind.tile == BLANK and kind.points:
                raise BadText(f"tile set {self.name!r}: a blank is worth 0 points")

    @classmethod
    def from_csv(cls, name: str, text: str) -> Self:
        """Read lines of ``tile,count,points``; ``#`` starts a comment line.

        Raises:
            BadText: a line has another form.
        """
        rows = csv.reader(line for line in text.splitlines() if line and not line.startswith("#"))
        try:
            return cls(name, tuple(TileKind(t, int(count), int(pts)) for t, count, pts in rows))
        except BadText:
            raise
        except (ValueError, csv.Error) as error:
            raise BadText(f"tile set {name!r}: {error}") from None

    @cached_property
    def _by_tile(self) -> dict[Tile, TileKind]:
        return {kind.tile: kind for kind in self.kinds}

    @cached_property
    def letters(self) -> tuple[Tile, ...]:
        """Every tile that is not the blank, in alphabetical order."""
        return tuple(kind.tile for kind in self.kinds if kind.tile != BLANK)

    @cached_property
    def _rank(self) -> dict[Tile, int]:
        return {tile: place for place, tile in enumerate((BLANK, *self.letters))}

    @cached_property
    def typed(self) -> dict[str, Letter]:
        """The letters on the board as people type them: capitals, small ones for blanks."""
        blanks = {tile.lower(): Letter(tile, blank=True) for tile in self.letters}
        tiles = {tile: Letter(tile) for tile in self.letters}
        return {**blanks, **tiles} if BLANK in self else tiles

    def __contains__(self, tile: object) -> bool:
        return tile in self._by_tile

    def rank(self, tile: Tile) -> int:
        """Return the place in the alphabet; a blank comes before every letter (RULES 1)."""
        return self._rank[tile]

    def points(self, tile: Tile) -> int:
        """Return the face value in points; 0 for a blank."""
        return self._by_tile[tile].points

    def total_points(self, tiles: Iterable[Tile]) -> int:
        """Return the face value of several tiles together, in points."""
        return sum(map(self.points, tiles))

    @cached_property
    def distribution(self) -> Tiles:
        """All tiles of a full bag."""
        return multiset(kind.tile for kind in self.kinds for _ in range(kind.count))

    def parse_play(self, text: str) -> tuple[TypedSquare, ...]:
        """Read a play as people type it.

        ``A`` is a tile, ``a`` a blank standing for A, ``.`` a tile already on the board, ``(A)``
        or ``(AB)`` such tiles spelt out, ``[CH]`` a tile of several characters.

        Raises:
            IllegalMove: ``BAD_PLAY``.
        """
        through, squares, typed = False, list[TypedSquare](), self.typed
        for symbol in _symbols(text, "BAD_PLAY"):
            if symbol == "(" and not through:
                through = True
            elif symbol == ")" and through:
                through = False
            elif symbol == ".":
                squares.append(TypedSquare(None, through=True))
            else:
                letter = typed.get(symbol) or self._refuse_symbol(symbol)
                squares.append(TypedSquare(letter, through))
        if through:
            raise IllegalMove("BAD_PLAY", "a bracket is not closed")
        return tuple(squares)

    def parse_row(self, text: str) -> list[Letter | None]:
        """Read a row of a board as :meth:`parse_play` reads a play; None is an empty square.

        Raises:
            IllegalMove: ``BAD_PLAY``.
        """
        try:
            return list(map(self._by_symbol.__getitem__, text))
        except KeyError:  # a tile of several characters, or none at all
            return [square.letter for square in self.parse_play(text)]

    @cached_property
    def _by_symbol(self) -> dict[str, Letter | None]:
        single = {symbol: letter for symbol, letter in self.typed.items() if len(symbol) == 1}
        return {".": None, **single}

    def _refuse_symbol(self, symbol: str) -> NoReturn:
        """Refuse a symbol that is no letter of this set as people type it."""
        if symbol in (BLANK, "*"):
            raise IllegalMove("BAD_PLAY", "write the letter your blank stands for, in lower case")
        tile = symbol.upper()
        if tile not in self or symbol not in (tile, tile.lower()):
            raise IllegalMove("BAD_PLAY", "there is no tile {symbol}", symbol=symbol)
        raise IllegalMove("BAD_PLAY", "there are no blanks; write capitals")

    def parse_tiles(self, text: str) -> Tiles:
        """Read tiles as people name them: ``"AB?"``, ``"A B *"``, ``"[CH]A"``; any case.

        Raises:
            IllegalMove: ``BAD_ARGS``, some of the text is no tile of this set.
        """
        tiles = []
        for symbol in _symbols(text, "BAD_ARGS"):
            tile = BLANK if symbol == "*" else symbol.upper()
            if tile in self:
                tiles.append(tile)
            elif symbol not in (" ", ","):
                raise IllegalMove("BAD_ARGS", "there is no tile {symbol}", symbol=symbol)
        return multiset(tiles)

    def split(self, word: str) -> tuple[Tile, ...] | None:
        """Spell a dictionary word in tiles, longest tiles first; None if that cannot be done."""
        spelt: list[Tile] = []
        widest = max(map(len, self.letters), default=0)
        start = 0
        while start < len(word):
            for width in range(min(widest, len(word) - start), 0, -1):
                if (tile := word[start : start + width]) in self._rank and tile != BLANK:
                    spelt.append(tile)
                    start += width
                    break
            else:
                return None
        return tuple(spelt)


def _symbols(text: str, refusal: IllegalMoveCode) -> Iterator[str]:
    """Split the notation of plays and racks: each character is a symbol, or ``[CH]`` is."""
    # Sigma alone has two small letters, one of them for the ends of words.
    text = text.replace("\N{GREEK SMALL LETTER FINAL SIGMA}", _SIGMA)
    if "[" not in text:
        yield from text
        return
    for match in re.finditer(r"\[([^]]*)]|(.)", text, re.DOTALL):
        if match[2] == "[":
            raise IllegalMove(refusal, "a [ is not closed by ]")
        yield match[2] or match[1]


def _is_writable(tile: Tile) -> bool:
    """Return whether a tile differs from a blank that stands for it, and from the notation."""
    small = tile.lower()
    return tile == BLANK or (small.upper() == tile != small and not _SYMBOLS & set(tile))


def spell(tiles: Iterable[Tile]) -> str:
    """Write tiles one after the other, ``"[CH]A?"``: what :meth:`TileSet.parse_tiles` reads."""
    return "".join(f"[{tile}]" if len(tile) > 1 else tile for tile in tiles)


def unspell(text: str) -> tuple[Tile, ...]:
    """Read what :func:`spell` wrote, in its order: each character is a tile, or ``[CH]`` is.

    Examples:
        >>> unspell("[CH]A")
        ('CH', 'A')
    """
    if "[" not in text:
        return tuple(text)
    return tuple(several or single for several, single in re.findall(r"\[([^][]*)]|(.)", text))


def multiset(tiles: Iterable[Tile]) -> Tiles:
    """Sort tiles, so that equal multisets are equal."""
    return tuple(sorted(tiles))


def take_tiles(some: Iterable[Tile], source: Tiles) -> Tiles:
    """Return *source* without *some*.

    Raises:
        IllegalMove: ``NOT_IN_RACK``, naming the tiles that are missing.
    """
    left, wanted = list(source), tuple(some)
    try:
        for tile in wanted:
            left.remove(tile)
    except ValueError:
        missing = Counter(wanted) - Counter(source)
        raise IllegalMove(
            "NOT_IN_RACK", "you do not have {tiles}", tiles=_lacking(missing)
        ) from None
    return multiset(left)


def _lacking(missing: Counter[Tile]) -> str:
    letters = " ".join(sorted(tile for tile in missing.elements() if tile != BLANK))
    if not (count := missing[BLANK]):
        return letters
    blanks = Phrase("a blank") if count == 1 else Phrase("{count} blanks", count=count)
    both = Phrase("{letters} and {blanks}", letters=letters, blanks=blanks) if letters else blanks
    return Phrase("{both}; in a word, capitals are tiles and small letters are blanks", both=both)


def draw_tiles(bag: Tiles, count: int, chance: "Chance") -> Tiles:
    """Draw *count* tiles, or what is left. Order arises only here: the bag has none."""
    return multiset(chance.sample(bag, min(count, len(bag))))
