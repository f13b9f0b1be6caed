"""Every legal play of a position, or as much of that as a question needs.

:func:`plays` lists them, :func:`count` counts them, :func:`best` finds the best, and
:func:`is_any_play_left` stops at the first. C does the work where it could be built, else plain
Python does, with the same answers (:mod:`crossroom_engine.movegen.backends`).
"""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias

from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import BLANK, Letter, Tile, Tiles, multiset, take_tiles
from crossroom_engine.movegen.backends import generator
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.movegen.play import Play
from crossroom_engine.words.lexicon import Lexicon

__all__ = ["Play", "PlayCount", "best", "count", "is_any_play_left", "plays"]

Squares: TypeAlias = Collection[Square]


class PlayCount(NamedTuple):
    """The number of plays, and the points of the best; None if there is none."""

    plays: int
    points: int | None


def plays(
    rules: Ruleset, board: Board, rack: Tiles, lexicon: Lexicon, reclaimable: Squares = ()
) -> list[Play]:
    """List every legal play.

    The same tiles on the same squares are one play, whichever way it may be written. The order is
    always the same: plays across first, then by line, by square, by letters; those that take blanks
    back come last.

    Args:
        rules: The rules that points follow.
        board: The tiles on the board.
        rack: At most 9 tiles, any number of them blanks.
        lexicon: The words that may be played or formed. Its alphabet may differ from that of the
            tile set; letters that it lacks are not played.
        reclaimable: The squares of the blanks that this player may take back (RULES 5.3). Each
            set of them that the rack can pay for is searched anew.

    Raises:
        ValueError: the rack or the board holds what is no tile of these rules, or too much.
    """
    engine, rack = generator(rules, lexicon), multiset(rack)
    found = engine.plays(board, rack)
    for swap in _swaps(board, rack, reclaimable):
        found += map(swap.play, engine.plays(swap.board, swap.rack, len(swap.squares)))
    return found


def count(
    rules: Ruleset, board: Board, rack: Tiles, lexicon: Lexicon, reclaimable: Squares = ()
) -> PlayCount:
    """Count the :func:`plays`, and find the points of the best: much less work than a list."""
    engine, rack = generator(rules, lexicon), multiset(rack)
    number, points = engine.count(board, rack)
    for swap in _swaps(board, rack, reclaimable):
        more, best_points = engine.count(swap.board, swap.rack, len(swap.squares))
        number += more
        if best_points is not None:
            points = best_points if points is None else max(points, best_points)
    return PlayCount(number, points)


def best(
    rules: Ruleset,
    board: Board,
    rack: Tiles,
    lexicon: Lexicon,
    n: int = 1,
    leaves: Leaves | None = None,
    reclaimable: Squares = (),
) -> list[Play]:
    """Find the *n* best of the :func:`plays`, without looking at what cannot be among them.

    The best come first, those of the same value in the order of :func:`plays`.

    Args:
        rules: The rules that points follow.
        board: The tiles on the board.
        rack: At most 9 tiles.
        lexicon: The words that may be played or formed.
        n: 1 or more; fewer are found if there are not as many.
        leaves: Values to be added to the points, for the tiles that stay in the rack.
        reclaimable: The squares of the blanks that this player may take back.

    Raises:
        ValueError: as for :func:`plays`, or *n* is less than 1.
    """
    engine, rack = generator(rules, lexicon), multiset(rack)
    found = engine.best(board, rack, n, leaves)
    if not reclaimable:
        return found

    def value(play: Play, hand: Tiles) -> int:
        kept = leaves.value(take_tiles(play.tiles, hand)) if leaves else 0
        return 1000 * play.points + kept

    valued = [(value(play, rack), play) for play in found]
    for swap in _swaps(board, rack, reclaimable):
        more = engine.best(swap.board, swap.rack, n, leaves, len(swap.squares))
        valued += [(value(play, swap.rack), swap.play(play)) for play in more]
    valued.sort(key=lambda pair: -pair[0])
    return [play for _, play in valued[:n]]


def is_any_play_left(
    rules: Ruleset, board: Board, rack: Tiles, lexicon: Lexicon, reclaimable: Squares = ()
) -> bool:
    """Return whether there is any of the :func:`plays`; the search stops at the first."""
    engine, rack = generator(rules, lexicon), multiset(rack)
    return engine.any(board, rack) or any(
        engine.any(swap.board, swap.rack, len(swap.squares))
        for swap in _swaps(board, rack, reclaimable)
    )


class _Swap(NamedTuple):
    """Some blanks taken back: the board and the rack after that, and the tiles paid for them."""

    squares: tuple[Square, ...]
    board: Board
    rack: Tiles
    paid: Tiles

    def play(self, play: Play) -> Play:
        """Return a play with that rack and board, in terms of those before."""
        gained = (BLANK,) * len(self.squares)
        tiles = multiset(take_tiles(gained, play.tiles) + self.paid)
        return play._replace(tiles=tiles, swaps=self.squares)


def _swaps(board: Board, rack: Tiles, reclaimable: Squares) -> Iterator[_Swap]:
    """Yield a swap for each set of blanks whose real letters are all in the rack."""
    blanks = sorted(
        (square, letter.letter)
        for square in reclaimable
        if (letter := board[square]) is not None and letter.blank and letter.letter in rack
    )
    for number in range(1, len(blanks) + 1):
        for chosen in combinations(blanks, number):
            paid: tuple[Tile, ...] = tuple(tile for _, tile in chosen)
            if Counter(paid) <= Counter(rack):
                after = board.with_letters({square: Letter(tile) for square, tile in chosen})
                hand = multiset(take_tiles(paid, rack) + (BLANK,) * number)
                yield _Swap(tuple(square for square, _ in chosen), after, hand, paid)
