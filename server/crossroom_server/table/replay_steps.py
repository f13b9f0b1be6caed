"""A finished game move by move, as its page shows it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crossroom_engine.core.board import Board, PlacedTile, Square
from crossroom_engine.core.events import Event, Played, Started
from crossroom_engine.core.tiles import Tiles
from crossroom_engine.game.game import Game, apply, initial_game
from crossroom_engine.game.undo import without_undone
from crossroom_protocol.text.scoresheet import Row, score_row, score_rows


@dataclass(frozen=True)
class ReplayStep:
    """What somebody did, and what it left behind.

    ``row`` is its line on the score sheet, ``rack`` what that player held before it; ``put`` and
    ``lifted`` are the tiles that came onto the board by it and the squares that became empty;
    ``scores`` are those of all seats after it. ``is_play``: were tiles laid?
    """

    row: Row
    rack: Tiles
    put: tuple[PlacedTile, ...]
    lifted: tuple[Square, ...]
    scores: tuple[int, ...]
    is_play: bool


def last_board(record: Sequence[Event]) -> Board:
    """The board when the game was over."""
    *_, (_, game) = _games(record)
    return game.board


def replay_steps(record: Sequence[Event]) -> Iterator[ReplayStep]:
    """All that is on the score sheet of a game, in order; what was taken back by agreement is not.

    Args:
        record: All events of the game, nothing hidden.
    """
    game, sheet = None, score_rows(_players(record), record)
    for event, after in _games(record):
        if game is not None and score_row(event) is not None:
            row = next(sheet)
            yield ReplayStep(
                row=row,
                rack=game.players[row.seat].rack,
                put=_placed(game.board, after.board),
                lifted=tuple(at for at, _ in game.board.items() if after.board[at] is None),
                scores=tuple(player.score for player in after.players),
                is_play=isinstance(event, Played),
            )
        game = after


def _games(record: Sequence[Event]) -> Iterator[tuple[Event, Game]]:
    """Every event that stands, with the game after it."""
    game = None
    for event in without_undone(record):
        game = initial_game(event) if game is None else apply(game, event)
        yield event, game


def _placed(before: Board, after: Board) -> tuple[PlacedTile, ...]:
    return tuple(PlacedTile(at, letter) for at, letter in after.items() if before[at] != letter)


def _players(record: Sequence[Event]) -> int:
    assert isinstance(record[0], Started), "a record begins with that"
    return len(record[0].players)
