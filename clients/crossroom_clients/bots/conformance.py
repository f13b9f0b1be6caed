"""Twenty positions for an engine, and what is wrong with its answers."""

from collections.abc import AsyncIterator, Iterator
from itertools import islice
from random import Random
from typing import Final, NamedTuple

from crossroom_clients.bots.engines import Engine, EngineFailed
from crossroom_clients.bots.turn import move_line
from crossroom_engine.analysis.position import Position, TurnMove, best_turn
from crossroom_engine.core.board import Board
from crossroom_engine.core.errors import BadText, IllegalMove
from crossroom_engine.core.moves import Exchange, Place
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import Tiles, multiset, take_tiles
from crossroom_engine.movegen.leaves import find_leaves
from crossroom_engine.words.lexicon import Lexicon

POSITIONS: Final = 20
"""Positions that an engine is asked about."""
MAX_TURNS: Final = 60
"""Turns after which a game that cannot end is broken off."""


class Finding(NamedTuple):
    """An answer of an engine.

    Attributes:
        about: The position in a few words.
        answer: The move as people type it, or empty.
        fault: What is wrong with it, or empty.
        is_phony: Whether the move is legal, but a word of it is not in the list.
    """

    about: str
    answer: str
    fault: str
    is_phony: bool = False


async def check_engine(engine: Engine, lexicon: Lexicon, seconds: float) -> AsyncIterator[Finding]:
    """Ask an engine about each position, and judge its answers.

    Args:
        engine: The engine.
        lexicon: The word list; its tiles are those of English.
        seconds: For each answer.
    """
    for about, position in positions(lexicon):
        try:
            move = await engine.choose(position, seconds)
        except EngineFailed as failure:
            yield Finding(about, "", str(failure))
            continue
        fault, is_phony = judge(position, move)
        yield Finding(about, move_line(move).removeprefix("/"), fault, is_phony)


def judge(position: Position, move: TurnMove) -> tuple[str, bool]:
    """Return what is wrong with a move, or nothing; and whether it plays a phony."""
    rules, tiles = position.rules, position.rack
    try:
        if isinstance(move, Exchange):
            if not position.may_exchange or len(move.tiles) > position.bag:
                return f"{position.bag} tiles in the bag are too few for this exchange", False
            take_tiles(move.tiles, tiles)
        elif isinstance(move, Place):
            placed = place(rules, position.board, move.spot, move.text, move.swaps)
            take_tiles(placed.tiles, tiles)
            return "", bool(position.lexicon.phonies(placed.words))
    except (IllegalMove, BadText) as error:
        return str(error), False
    return "", False


def positions(lexicon: Lexicon) -> Iterator[tuple[str, Position]]:
    """Yield the positions, each with a few words about it."""
    official = PRESETS["official"]
    yield from _openings(official, lexicon)
    games = [_game(official, lexicon, seed) for seed in range(1, 4)]
    for number, game in enumerate(games, 1):
        for about, turn in (("early", 2), ("middle", 8), ("late", 14)):
            yield f"game {number}, {about}", game[min(turn, len(game) - 1)]
        yield f"game {number}, the bag is nearly empty", _first(game, 7)
        yield f"game {number}, the bag is empty", _first(game, 0)


def _openings(rules: Ruleset, lexicon: Lexicon) -> Iterator[tuple[str, Position]]:
    for about, rack in (
        ("an opening", "AEINRST"),
        ("an opening with two blanks", "??QZJXV"),
        ("an opening without a vowel", "BCDFGHK"),
        ("an opening with seven vowels", "AAEEIIO"),
        ("an opening with one tile", "A"),
    ):
        tiles = multiset(rack)
        unseen = take_tiles(tiles, rules.tiles.distribution)
        board = Board.empty(rules.layout)
        bag = len(unseen) - rules.rack
        yield about, Position(rules, lexicon, board, tiles, unseen, bag, (rules.rack,), (0, 0))


def _first(game: list[Position], bag: int) -> Position:
    """Return the first position with so few tiles in the bag."""
    return next(position for position in game if position.bag <= bag)


def _game(rules: Ruleset, lexicon: Lexicon, seed: int) -> list[Position]:
    """Return the positions of a game, in which both make the best play at sight."""
    bag = list(rules.tiles.distribution)
    Random(seed).shuffle(bag)
    racks: list[Tiles] = [multiset(bag[: rules.rack]), multiset(bag[rules.rack : 2 * rules.rack])]
    del bag[: 2 * rules.rack]
    found: list[Position] = []
    board, scores = Board.empty(rules.layout), [0, 0]
    while all(racks) and len(found) < MAX_TURNS:
        own, other = racks
        unseen, size = multiset((*bag, *other)), (len(other),)
        position = Position(rules, lexicon, board, own, unseen, len(bag), size, tuple(scores))
        found.append(position)
        move = best_turn(position, find_leaves(lexicon, rules.tiles))
        if isinstance(move, Place):
            placed = place(rules, board, move.spot, move.text)
            board = board.with_letters(dict(placed.laid))
            scores[0] += placed.points
            drawn = list(islice(bag, len(placed.tiles)))
            del bag[: len(drawn)]
            own = multiset((*take_tiles(placed.tiles, own), *drawn))
        racks, scores = [other, own], scores[::-1]
    return found
