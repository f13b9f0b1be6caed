"""Leave values: what it is worth to keep tiles, in thousandths of a point.

A table values each tile that stays in the rack, and on top of that each pair of tiles that stay
together: enough for S and a blank to be good, Q without U to be bad, and a second I to be worth
less than the first. Values are whole numbers, so that every machine agrees.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import cache, lru_cache
from itertools import combinations
from operator import add
from pathlib import Path
from types import MappingProxyType
from typing import Final, Self, TypeAlias

from crossroom_engine.core.errors import BadText
from crossroom_engine.core.tiles import Tile, Tiles, TileSet, multiset, spell, unspell
from crossroom_engine.words.lexicon import Lexicon

LEAVES_FOLDER: Final = Path(__file__).parents[1] / "data" / "leaves"
"""The tables that come with the engine: a folder for each tile set, a table for each word list."""

LEAVES_SUFFIX: Final = ".leaves.csv"
"""The ending of one's own table, beside the word list."""

DEFAULT_LEXICON: Final = "english"
"""The list whose table serves for lists that have none, with the same tiles."""

TilePair: TypeAlias = tuple[Tile, Tile]

MAX_LEAVE_VALUE: Final = 100_000_000
"""Thousandths of a point by which a tile or a pair may be worth or cost something."""


class Leaves:
    """Values of tiles and pairs of tiles that stay in a rack, in thousandths of a point.

    Attributes:
        name: The name of the table.
        tiles: The value of each tile by itself; 0 for any other.
        pairs: The value of two tiles beyond that if both are kept; sorted, ``("?", "S")``.
        empty: The value of keeping nothing.

    Raises:
        BadText: a pair has not two tiles, or a value is beyond 100,000 points.
    """

    def __init__(
        self,
        name: str,
        tiles: Mapping[Tile, int],
        pairs: Mapping[TilePair, int] | None = None,
        empty: int = 0,
    ) -> None:
        self.name = name
        self.empty: Final = empty
        self.tiles: Final = MappingProxyType(dict(tiles))
        self.pairs: Final = MappingProxyType(
            {(min(pair), max(pair)): value for pair, value in (pairs or {}).items()}
        )
        for value in (empty, *self.tiles.values(), *self.pairs.values()):
            if not -MAX_LEAVE_VALUE <= value <= MAX_LEAVE_VALUE:
                raise BadText(f"leaves {name!r}: {value} is too much")

    @classmethod
    def from_csv(cls, name: str, text: str) -> Self:
        """Read lines of ``tiles,points``: ``S,7.25`` or ``?S,-1.5``; ``#`` starts a comment line.

        Points have up to three decimals. Tiles of several characters are in brackets.

        Raises:
            BadText: a line has another form, or names the same tiles again.
        """
        values: dict[Tiles, int] = {}
        for line in text.splitlines():
            if not line or line.startswith("#"):
                continue
            try:
                written, points = line.split(",")
                tiles, value = multiset(unspell(written)), Decimal(points) * 1000
                if len(tiles) not in (1, 2) or not all(tiles) or tiles in values or value % 1:
                    raise ValueError
            except (ValueError, ArithmeticError):
                raise BadText(f"leaves {name!r}: {line!r} is not a valid line") from None
            values[tiles] = int(value)
        singles = {tiles[0]: value for tiles, value in values.items() if len(tiles) == 1}
        pairs = {(tiles[0], tiles[1]): value for tiles, value in values.items() if len(tiles) == 2}
        return cls(name, singles, pairs)

    def to_csv(self) -> str:
        """Write the lines that :meth:`from_csv` reads, tiles, then pairs, without ``empty``."""
        lines: list[tuple[Tiles, int]] = [((tile,), value) for tile, value in self.tiles.items()]
        lines += self.pairs.items()
        lines.sort(key=lambda line: (len(line[0]), line[0]))
        return "".join(f"{spell(tiles)},{Decimal(value) / 1000}\n" for tiles, value in lines)

    def value(self, kept: Tiles) -> int:
        """Return the value of keeping some tiles, in thousandths of a point."""
        if not kept:
            return self.empty
        return sum(self.tiles.get(tile, 0) for tile in kept) + sum(
            self.pairs.get(pair, 0) for pair in combinations(multiset(kept), 2)
        )

    def subset_values(self, rack: Tiles) -> list[int]:
        """Return the value of keeping each subset of a sorted rack, in thousandths of a point.

        A subset is a number, whose lowest bit is the first tile. Each value comes from those of
        three smaller subsets and the value of one pair.
        """
        values = [0]
        for at, tile in enumerate(rack):
            single, pairs = self.tiles.get(tile, 0), self.pairs
            added = [single]  # by the subset of the tiles before this one
            for other in rack[:at]:
                pair = pairs.get((other, tile), 0)
                added += [value + pair for value in added]
            values += map(add, values, added)
        values[0] = self.empty
        return values

    def __repr__(self) -> str:
        return f"<Leaves {self.name}: {len(self.tiles)} tiles, {len(self.pairs)} pairs>"


NO_LEAVES: Final = Leaves("none", {})
"""The table by which points are all that counts."""


def find_leaves(lexicon: Lexicon, tiles: TileSet) -> Leaves:
    """Find the table to play by.

    That is ``NAME.leaves.csv`` beside the file of the word list; else one that comes with the
    engine, made for a list of that name, or for another list with the same tiles; else
    :data:`NO_LEAVES`. It is read again only if its file has changed.

    Raises:
        BadText: the table is damaged.
        OSError: it cannot be read.
    """
    if lexicon.path is not None:
        own = lexicon.path.with_suffix(LEAVES_SUFFIX)
        if own.is_file():
            return _read(own, own.stat().st_mtime_ns)
    return _shipped(tiles.name, lexicon.name) or _shipped(tiles.name, DEFAULT_LEXICON) or NO_LEAVES


@cache
def _known() -> frozenset[tuple[str, str]]:
    """Return tile set and word list of every table that comes with the engine."""
    return frozenset((path.parent.name, path.stem) for path in LEAVES_FOLDER.glob("*/*.csv"))


def _shipped(tiles: str, lexicon: str) -> Leaves | None:
    if (tiles, lexicon) not in _known():
        return None
    return _read(LEAVES_FOLDER / tiles / f"{lexicon}.csv", 0)


@lru_cache(maxsize=32)
def _read(path: Path, _changed: int) -> Leaves:
    name = path.name.removesuffix(LEAVES_SUFFIX).removesuffix(".csv")
    try:
        return Leaves.from_csv(name, path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise BadText(f"leaves {name!r}: {path} is no text in UTF-8") from None
