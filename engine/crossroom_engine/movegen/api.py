"""Every legal play of a position, or as much of that as one wants to know.

Three questions, each answered with no more work than it needs: which plays there are, or how many
(:func:`plays`, :func:`count`); which are the best (:func:`best`); is there any at all
(:func:`is_any_play_left`). The work is done in C where that could be built, else in plain Python
with the same answers, see :mod:`crossroom_engine.movegen.backends`.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import combinations
from typing import NamedTuple

from crossroom_engine.core.board import Board, Square
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import BLANK, Letter, Tile, Tiles, multiset, take_tiles
from crossroom_engine.movegen.backends import generator
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.movegen.play import Play
from crossroom_engine.words.lexicon import Lexicon

__all__ = ["Play", "PlayCount", "best", "count", "is_any_play_left", "plays"]


class PlayCount(NamedTuple):
    """How many plays there are, and the points of the best of them; None if there is none."""

    plays: int
    points: int | None


def plays(
    rules: Ruleset,
    board: Board,
    rack: Tiles,
    lexicon: Lexicon,
    reclaimable: Collection[Square] = (),
) -> list[Play]:
    """Every legal play.

    The same tiles on the same squares are one play, whichever way it may be written. The order is
    always the same: plays across first, then by line, by square, by letters; those that take blanks
    back come last.

    Args:
        rules: Of the game; the points follow them.
        board: What lies there.
        rack: At most 9 tiles, any number of them blanks.
        lexicon: The only words that are played or formed. Its alphabet may differ from that of
            the tile set: what has no letter there is not played.
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
    rules: Ruleset,
    board: Board,
    rack: Tiles,
    lexicon: Lexicon,
    reclaimable: Collection[Square] = (),
) -> PlayCount:
    """The number of :func:`plays`, and the points of the best: much less work than a list."""
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
    reclaimable: Collection[Square] = (),
) -> list[Play]:
    """The *n* best of the :func:`plays`, the best first; fewer if there are not as many.

    What cannot be among them is not looked at.

    Those of the same value stay in the order that :func:`plays` has.

    Args:
        rules: Of the game.
        board: What lies there.
        rack: At most 9 tiles.
        lexicon: The only words that are played or formed.
        n: 1 or more.
        leaves: What the tiles that stay in the rack are worth, to be added to the points. Without
            them the points alone decide.
        reclaimable: The squares of the blanks that this player may take back.

    Raises:
        ValueError: as for :func:`plays`, or *n* is less than 1.
    """
    engine, rack = generator(rules, lexicon), multiset(rack)
    found = engine.best(board, rack, n, leaves)
    if not reclaimable:
        return found

    def ranked(play: Play, hand: Tiles) -> tuple[int, Play]:
        kept = leaves.value(take_tiles(play.tiles, hand)) if leaves else 0
        return 1000 * play.points + kept, play

    valued = [ranked(play, rack) for play in found]
    for swap in _swaps(board, rack, reclaimable):
        for play in engine.best(swap.board, swap.rack, n, leaves, len(swap.squares)):
            value, _ = ranked(play, swap.rack)
            valued.append((value, swap.play(play)))
    valued.sort(key=lambda pair: -pair[0])
    return [play for _, play in valued[:n]]


def is_any_play_left(
    rules: Ruleset,
    board: Board,
    rack: Tiles,
    lexicon: Lexicon,
    reclaimable: Collection[Square] = (),
) -> bool:
    """Would :func:`plays` find anything? The search stops at the first play."""
    engine, rack = generator(rules, lexicon), multiset(rack)
    return engine.any(board, rack) or any(
        engine.any(swap.board, swap.rack, len(swap.squares))
        for swap in _swaps(board, rack, reclaimable)
    )


class _Swap(NamedTuple):
    """Some blanks taken back: the board and the rack after that, and what it cost."""

    squares: tuple[Square, ...]
    board: Board
    rack: Tiles
    paid: Tiles

    def play(self, play: Play) -> Play:
        """A play with that rack and board, in terms of those before."""
        gained = (BLANK,) * len(self.squares)
        tiles = multiset(take_tiles(gained, play.tiles) + self.paid)
        return play._replace(tiles=tiles, swaps=self.squares)


def _swaps(board: Board, rack: Tiles, reclaimable: Collection[Square]) -> Iterator[_Swap]:
    """The sets of blanks whose real letters are all in the rack."""
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
