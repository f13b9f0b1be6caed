"""The word engine in C, made of the files in ``kernel/``; ``movegen.backends`` chooses it.

Every argument is checked. Tiles are numbered as in ``movegen.numbering``; worths are
thousandths of a point.

Raises:
    ValueError: something is out of its range, of another size, or unknown.
    OverflowError: a number is too large for C.
    TypeError: something is of another type.
    BufferError: numbers do not lie side by side in memory.
    AttributeError: a board has no width or no squares.
    MemoryError: there is not enough.
"""

from collections.abc import Callable
from typing import final

from typing_extensions import Buffer

from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.tiles import Tile, Tiles
from crossroom_engine.movegen.play import Play

@final
class Words:
    """The columns of a ``words.dawg`` file, copied; children come after their parents."""

    def __new__(
        cls,
        letters: int,
        child_masks: Buffer,
        accept_masks: Buffer,
        bases: Buffer,
        children: Buffer,
    ) -> Words: ...

@final
class Leaves:
    """Worths: 64 numbers of 4 bytes for tiles, 64 times 64 for pairs, alike both ways."""

    def __new__(cls, tiles: Buffer, pairs: Buffer, empty: int = 0) -> Leaves: ...

@final
class Generator:
    """See :class:`crossroom_engine.movegen.backends.Generator`.

    ``letters`` may lie on the board, ``tiles`` be in a rack. ``texts`` has the text of each number
    that a square can have; ``spots`` are all across, row by row, then all down.
    ``blank_letters`` is the mask of what a blank can be.
    """

    def __new__(
        cls,
        words: Words,
        width: int,
        height: int,
        start: int,
        rack: int,
        bingo: int,
        letter_premiums: Buffer,
        word_premiums: Buffer,
        points: Buffer,
        blank_letters: int,
        letters: dict[Tile, int],
        tiles: dict[Tile, int],
        texts: tuple[str, ...],
        spots: tuple[Spot, ...],
        play: type[Play],
    ) -> Generator: ...
    def plays(self, board: Board, rack: Tiles, least_blanks: int = 0, /) -> list[Play]: ...
    def count(
        self, board: Board, rack: Tiles, least_blanks: int = 0, /
    ) -> tuple[int, int | None]: ...
    def any(self, board: Board, rack: Tiles, least_blanks: int = 0, /) -> bool: ...
    def best(
        self,
        board: Board,
        rack: Tiles,
        wanted: int = 1,
        leaves: Leaves | None = None,
        least_blanks: int = 0,
        /,
    ) -> list[Play]: ...
    def match(
        self,
        seed: int,
        bag: Tiles,
        terms: tuple[int, int, int, int, int],
        first: Leaves | None,
        second: Leaves | None,
        /,
    ) -> tuple[tuple[int, int], list[tuple[int, int, int, int, int, Tiles]]]:
        """Play a game; the scores, and turns: seat, bag, points, laid, exchanged, kept.

        ``terms`` are :class:`crossroom_engine.analysis.selfplay_python.MatchRules`.
        """
    def rollouts(
        self,
        seed: int,
        iterations: int,
        turns: int,
        terms: tuple[int, int, int, int, int],
        leaves: Leaves | None,
        unseen: Tiles,
        others: tuple[int, ...],
        scores: tuple[int, ...],
        scoreless: int,
        candidates: tuple[tuple[Board, Tiles, Tiles, int, bool], ...],
        /,
    ) -> list[tuple[tuple[int, ...], tuple[int, ...], int, bool]]:
        """Go on after each candidate: board, kept, given, points, whether it is a play.

        For each iteration, for each candidate: scores, worths of racks, unseen tiles, whether the
        game is over.
        """
    def endgame(
        self,
        board: Board,
        rack: Tiles,
        other: Tiles,
        is_last_pass: bool,
        is_adjusted: bool,
        is_over: Callable[[], bool],
        most_plies: int = ...,
        threshold: int | None = None,
        /,
    ) -> tuple[list[tuple[Spot, str, int] | None], int, int, bool, int]:
        """Play a game of two to its end: steps, spread, depth, whether it is exact, nodes.

        A step is a spot, a text and points, or None for a pass. See
        :func:`.analysis.endgame.solve`; whatever ``is_over`` raises is raised again.
        """
