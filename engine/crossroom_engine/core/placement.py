"""Geometry of one play: which tiles it lays, and which words it forms. RULES 2.

Turns, racks and word lists are of no concern here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from crossroom_engine.core.board import Board, PlacedTile
from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.scoring import score_play
from crossroom_engine.core.tiles import BLANK, Letter, Tiles, multiset, spell, take_tiles


@dataclass(frozen=True)
class Placement:
    """The outcome of a play; ``spot`` and ``text`` are the main word's, from its first square."""

    spot: Spot
    text: str
    laid: tuple[PlacedTile, ...]
    swapped: tuple[PlacedTile, ...]
    words: tuple[str, ...]
    points: int

    @property
    def tiles(self) -> Tiles:
        """The tiles it takes from the rack, swapped letters included, blanks gained excluded."""
        placed = multiset(laid.letter.tile for laid in self.laid)
        own = take_tiles((BLANK,) * len(self.swapped), placed)
        return multiset((*own, *(swap.letter.letter for swap in self.swapped)))


def place(
    rules: Ruleset, board: Board, spot: Spot, text: str, swaps: Iterable[Square] = ()
) -> Placement:
    """Work out what *text* at *spot* lays and scores, whether or not its words are in a list.

    *text* may leave out tiles on the board before its first and after its last letter: the main
    word is the whole run through the tiles laid (RULES 2.3). *swaps* are squares of blanks to be
    replaced by the real letter and used in this very play (RULES 5.3).

    Raises:
        IllegalMove: ``BAD_PLAY``, saying which rule of placing is broken.
    """
    swapped = _swapped(board, swaps)
    if swapped:
        board = board.with_letters(dict(swapped))
    new = _new_letters(rules, board, spot, text)
    after = _with(board, new)
    main, crosses = _runs(after, spot, new)
    _check_position(rules, board, new, main, crosses, spot)
    if sum(letter.blank for letter in new.values()) < len(swapped):
        raise _bad("a blank that you take back must be used in the same play")
    runs = [main, *crosses]
    return Placement(
        spot=Spot(*divmod(main[0], board.width), across=main[-1] - main[0] < board.width),
        text="".join(str(new[at]) if at in new else "." for at in main),
        laid=tuple(PlacedTile(_square(board, at), letter) for at, letter in new.items()),
        swapped=swapped,
        words=tuple(_word(after, run) for run in runs),
        points=score_play(rules, after, runs, new),
    )


def _swapped(board: Board, swaps: Iterable[Square]) -> tuple[PlacedTile, ...]:
    swapped = []
    for square in sorted(set(swaps)):
        letter = board[square]
        if letter is None or not letter.blank:
            raise _bad("there is no blank on {square} to take back", square=square)
        swapped.append(PlacedTile(square, Letter(letter.letter)))
    return tuple(swapped)


def _new_letters(rules: Ruleset, board: Board, spot: Spot, text: str) -> dict[int, Letter]:
    """Return the tiles laid, by index of their squares, in ascending order."""
    new: dict[int, Letter] = {}
    begin, step = spot.row * board.width + spot.col, 1 if spot.across else board.width
    room = board.width - spot.col if spot.across else board.height - spot.row
    if not board.holds(spot.square):
        room = 0
    for count, (letter, through) in enumerate(rules.tiles.parse_play(text)):
        if count >= room:
            raise _bad("{spot} {text} runs off the board", spot=spot, text=text)
        at = begin + count * step
        lying = board.squares[at]
        if lying is None:
            if through or letter is None:
                square = spot.square_at(count)
                raise _bad("there is no tile on {square} to play through", square=square)
            new[at] = letter
        elif letter is not None and letter.letter != lying.letter:
            square = spot.square_at(count)
            raise _bad("{square} already holds {letter}", square=square, letter=lying.letter)
    if not new:
        raise _bad("a play lays at least one tile of yours")
    return new


def _with(board: Board, new: Mapping[int, Letter]) -> Board:
    squares = list(board.squares)
    for at, letter in new.items():
        squares[at] = letter
    return Board(board.width, tuple(squares))


def _runs(after: Board, spot: Spot, new: Mapping[int, Letter]) -> tuple[range, list[range]]:
    """Return the main word and the crossing words, as indexes of squares.

    A single tile has no direction of its own: its word across, if any, is the main one (RULES 2.3).
    """
    across, first = spot.across, next(iter(new))
    if len(new) == 1:
        across = len(after.run_indexes(first, across=True)) > 1
    main = after.run_indexes(first, across=across)
    lines = (after.run_indexes(at, across=not across) for at in new)
    return main, [line for line in lines if len(line) > 1]


def _check_position(
    rules: Ruleset,
    board: Board,
    new: Mapping[int, Letter],
    main: range,
    crosses: list[range],
    spot: Spot,
) -> None:
    if not board:
        start = rules.layout.start
        if start.row * board.width + start.col not in new:
            raise _bad("the first play must cover the start square, {start}", start=start)
        if len(new) < 2:
            raise _bad("the first play lays two or more tiles")
    elif not crosses and len(main) == len(new):
        spelt = "".join(map(str, new.values()))
        raise _bad("{spot} {spelt} does not touch a tile on the board", spot=spot, spelt=spelt)


def _square(board: Board, at: int) -> Square:
    return Square(*divmod(at, board.width))


def _lying(board: Board, run: range) -> Iterator[Letter]:
    return filter(None, board.squares[run.start : run.stop : run.step])


def _word(board: Board, run: range) -> str:
    return spell(letter.letter for letter in _lying(board, run))


def _bad(prose: str, **about: object) -> IllegalMove:
    return IllegalMove("BAD_PLAY", prose, **about)
