"""Geometry and arithmetic of one play: which tiles, which words, how many points.

Nothing here knows whose turn it is, what is on a rack or what is a word. RULES 2 and 3.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

from crossroom_engine.board import Board, Laid, Spot, Square
from crossroom_engine.errors import IllegalMove
from crossroom_engine.phrases import Phrase
from crossroom_engine.rules import Ruleset
from crossroom_engine.tiles import BLANK, Letter, Tiles, multiset, spell, take


@dataclass(frozen=True)
class Placement:
    """What a play comes to. ``spot`` and ``text`` are the main word's, from its first square."""

    spot: Spot
    text: str
    laid: tuple[Laid, ...]
    swapped: tuple[Laid, ...]
    words: tuple[str, ...]
    points: int

    @property
    def tiles(self) -> Tiles:
        """The tiles that must come from the rack, swapped letters included, blanks gained not."""
        placed = multiset(laid.letter.tile for laid in self.laid)
        own = take((BLANK,) * len(self.swapped), placed)
        return multiset((*own, *(swap.letter.letter for swap in self.swapped)))


def place(
    rules: Ruleset, board: Board, spot: Spot, text: str, swaps: Iterable[Square] = ()
) -> Placement:
    """Work out what *text* at *spot* lays down and scores, without asking what is a word.

    *text* may leave out tiles that lie before its first or behind its last letter: the main word
    is the whole run through the tiles laid (RULES 2.3). *swaps* are squares of blanks to be
    replaced by the real letter and used in this very play (RULES 5.3).

    Raises:
        IllegalMove: ``BAD_PLAY``, saying which rule of placing is broken.
    """
    swapped = _swapped(board, swaps)
    board = board.with_letters(dict(swapped))
    new = _new_letters(rules, board, spot, text)
    after = board.with_letters(new)
    main, crosses = _runs(after, spot, new)
    _check_position(rules, board, new, main, crosses, spot)
    if sum(letter.blank for letter in new.values()) < len(swapped):
        raise _bad("a blank that you take back must be used in the same play")
    runs = [main, *crosses]
    points = sum(_score(rules, after, run, new) for run in runs)
    return Placement(
        spot=Spot(*main[0], across=main[0].row == main[-1].row),
        text="".join(str(after[square]) if square in new else "." for square in main),
        laid=tuple(Laid(square, letter) for square, letter in sorted(new.items())),
        swapped=swapped,
        words=tuple(_word(after, run) for run in runs),
        points=points + (rules.bingo if len(new) == rules.rack else 0),
    )


def _swapped(board: Board, swaps: Iterable[Square]) -> tuple[Laid, ...]:
    swapped = []
    for square in sorted(set(swaps)):
        letter = board[square]
        if letter is None or not letter.blank:
            raise _bad(Phrase("there is no blank on {square} to take back", square=square))
        swapped.append(Laid(square, Letter(letter.letter)))
    return tuple(swapped)


def _new_letters(rules: Ruleset, board: Board, spot: Spot, text: str) -> dict[Square, Letter]:
    new: dict[Square, Letter] = {}
    for count, (letter, through) in enumerate(rules.tiles.parse(text)):
        square = spot.step(count)
        if not board.holds(square):
            raise _bad(Phrase("{spot} {text} runs off the board", spot=spot, text=text))
        lying = board[square]
        if lying is None:
            if through or letter is None:
                raise _bad(Phrase("there is no tile on {square} to play through", square=square))
            new[square] = letter
        elif letter is not None and letter.letter != lying.letter:
            raise _bad(
                Phrase("{square} already holds {letter}", square=square, letter=lying.letter)
            )
    if not new:
        raise _bad("a play lays at least one tile of yours")
    return new


def _runs(
    after: Board, spot: Spot, new: Mapping[Square, Letter]
) -> tuple[list[Square], list[list[Square]]]:
    """The main word and the crossing words.

    A single tile has no direction of its own: its word across, if any, is the main one, whichever
    way the play was written (RULES 2.3).
    """
    across = spot.across
    if len(new) == 1:
        (square,) = new
        across = len(after.run(Spot(*square, across=True))) > 1
    main = after.run(Spot(*min(new), across=across))
    lines = (after.run(Spot(*square, across=not across)) for square in sorted(new))
    return main, [run for run in lines if len(run) > 1]


def _check_position(
    rules: Ruleset,
    board: Board,
    new: Mapping[Square, Letter],
    main: list[Square],
    crosses: list[list[Square]],
    spot: Spot,
) -> None:
    if not board:
        if rules.layout.start not in new:
            raise _bad(
                Phrase(
                    "the first play must cover the start square, {start}", start=rules.layout.start
                )
            )
        if len(new) < 2:
            raise _bad("the first play lays two or more tiles")
    elif not crosses and len(main) == len(new):
        raise _bad(
            Phrase(
                "{spot} {spelt} does not touch a tile on the board", spot=spot, spelt=_spelt(new)
            )
        )


def _spelt(new: Mapping[Square, Letter]) -> str:
    return "".join(str(new[square]) for square in sorted(new))


def _word(board: Board, run: Iterable[Square]) -> str:
    return spell(letter.letter for square in run if (letter := board[square]) is not None)


def _score(
    rules: Ruleset, board: Board, run: Iterable[Square], new: Mapping[Square, Letter]
) -> int:
    """Points of one word: letter premiums, then word premiums, of newly covered squares only."""
    letters = [(square, letter) for square in run if (letter := board[square]) is not None]
    total = sum(
        rules.tiles.points(letter.tile)
        * (rules.layout.premium(square).letter if square in new else 1)
        for square, letter in letters
    )
    return total * prod(rules.layout.premium(square).word for square, _ in letters if square in new)


def _bad(prose: str) -> IllegalMove:
    return IllegalMove("BAD_PLAY", prose)
