"""The positions that `crossroom bench moves` asks about: made, or read with their answers."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias

from crossroom_engine.core.board import Board
from crossroom_engine.core.errors import BadText, IllegalMove
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tile, Tiles, multiset, take_tiles
from crossroom_engine.movegen.backends import Generator, generator
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.words.lexicon import Lexicon

Progress: TypeAlias = Callable[[str], None]
"""Says what is being done."""


class BenchPosition(NamedTuple):
    """A position: a board and a rack."""

    board: Board
    rack: Tiles


class SolvedPosition(NamedTuple):
    """A position of a file: the line (1-based), and the answers that the file has."""

    line: int
    position: BenchPosition
    plays: int
    points: int


def make_positions(rules: Ruleset, lexicon: Lexicon, worth: Leaves) -> Iterator[BenchPosition]:
    """Positions without end, of games between two who always take the best play."""
    engine = generator(rules, lexicon)
    for seed in count():
        bag = [*rules.tiles.distribution]
        Random(seed).shuffle(bag)
        board = Board.empty(rules.layout)
        hand, other = _draw((), bag, rules), _draw((), bag, rules)
        while hand:
            yield BenchPosition(board, hand)
            found = engine.best(board, hand, 1, worth)
            if not found:
                break
            placed = place(rules, board, found[0].spot, found[0].text)
            board = board.with_letters(dict(placed.laid))
            hand, other = other, _draw(take_tiles(found[0].tiles, hand), bag, rules)


def _draw(rack: Tiles, bag: list[Tile], rules: Ruleset) -> Tiles:
    missing = rules.rack - len(rack)
    drawn, bag[:] = bag[:missing], bag[missing:]
    return multiset((*rack, *drawn))


def read_positions(path: Path, rules: Ruleset) -> Iterator[SolvedPosition]:
    """Read a file of positions with their answers.

    Raises:
        BadText: a line has another form; names it.
        OSError: the file cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise BadText(f"{path} is no text in UTF-8: {error.reason}") from None
    if not lines:
        raise BadText(f"{path} has no positions")
    for number, line in enumerate(lines, start=1):
        try:
            yield _read_position(number, line, rules)
        except (BadText, IllegalMove) as error:
            raise BadText(f"{path}: line {number}: {error}") from None


def _read_position(number: int, line: str, rules: Ruleset) -> SolvedPosition:
    layout = rules.layout
    fields = line.split()
    if len(fields) != 7:
        raise BadText(f"there are 7 fields in a line, here are {len(fields)}")
    squares, rack, *numbers = fields
    for text in numbers:
        if not re.fullmatch("-?[0-9]{1,9}", text):
            raise BadText(f"{text[:20]!r} is not a number")
    if len(squares) != layout.width * layout.height:
        raise BadText(f"there are {len(squares)} squares, not {layout.width * layout.height}")
    starts = range(0, len(squares), layout.width)
    board = Board.from_rows([squares[at : at + layout.width] for at in starts], rules.tiles)
    hand = rules.tiles.parse_tiles(rack)
    if len(hand) > rules.rack:
        raise BadText(f"there are {len(hand)} tiles in the rack")
    return SolvedPosition(number, BenchPosition(board, hand), int(numbers[-2]), int(numbers[-1]))


def disagreements(
    known: Sequence[SolvedPosition], engine: Generator, progress: Progress
) -> Iterator[tuple[int, str]]:
    """The lines about which the engine does not agree, each with what it says and why."""
    for done, (line, at, plays, points) in enumerate(known):
        if not done % 10:
            progress(f"checking {done} of {len(known)}")
        number, most = engine.count(at.board, at.rack)
        best = engine.best(at.board, at.rack, 1, None)
        if not at.board:
            number = sum(play.spot.across for play in engine.plays(at.board, at.rack))
        if (number, most or 0, best[0].points if best else 0) != (plays, points, points):
            play = best[0].text if best else "none"
            said = f"{number} plays, best score {most or 0} ({play})"
            yield line, f"{said}; the file has {plays} and {points}"
