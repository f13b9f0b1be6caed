"""Replays a finished game move by move for its page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crossroom_engine.core.board import Board, PlacedTile
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.events import Event, Played, Started
from crossroom_engine.core.tiles import Tiles
from crossroom_engine.game.game import Game, apply, initial_game
from crossroom_engine.game.undo import without_undone
from crossroom_protocol.text.scoresheet import Row, score_row, score_rows


@dataclass(frozen=True)
class ReplayStep:
    """A line (``row``) of the score sheet, and its effect.

    ``rack`` is the player's before it; ``put`` and ``lifted`` are the tiles it brought onto the
    board and the squares it emptied; ``scores`` are those of all seats after it.
    """

    row: Row
    rack: Tiles
    put: tuple[PlacedTile, ...]
    lifted: tuple[Square, ...]
    scores: tuple[int, ...]
    is_play: bool


def last_board(record: Sequence[Event]) -> Board:
    """Return the final board."""
    *_, (_, game) = _games(record)
    return game.board


def replay_steps(record: Sequence[Event]) -> Iterator[ReplayStep]:
    """Yield the lines of the score sheet, without those undone; *record* is unredacted."""
    started = record[0]
    assert isinstance(started, Started), "a record begins with that"
    game, sheet = None, score_rows(len(started.players), record)
    for event, after in _games(record):
        if game is not None and score_row(event) is not None:
            row = next(sheet)
            yield ReplayStep(
                row=row,
                rack=game.players[row.seat].rack,
                put=tuple(
                    PlacedTile(at, tile)
                    for at, tile in after.board.items()
                    if game.board[at] != tile
                ),
                lifted=tuple(at for at, _ in game.board.items() if after.board[at] is None),
                scores=tuple(player.score for player in after.players),
                is_play=isinstance(event, Played),
            )
        game = after


def _games(record: Sequence[Event]) -> Iterator[tuple[Event, Game]]:
    """Yield every event that stands, with the game after it."""
    game = None
    for event in without_undone(record):
        game = initial_game(event) if game is None else apply(game, event)
        yield event, game
