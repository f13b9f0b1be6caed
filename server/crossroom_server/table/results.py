"""Derives the results of finished games from the log of their room.

They can be derived again at any time; a store keeps them only to save reading all logs.
"""

from collections.abc import Iterable, Iterator

from crossroom_engine.core.events import Ended, Event, Played, Started, Withdrawn
from crossroom_engine.game.undo import without_undone
from crossroom_protocol.base.wording import main_word
from crossroom_protocol.events.results import FinishedGame, PlayerResult
from crossroom_protocol.events.room import LogEntry, Moved
from crossroom_server.table.page_ids import finished_page
from crossroom_server.table.rated_games import is_rated
from crossroom_server.table.state import Table
from crossroom_server.table.table import apply


def ends_game(entry: LogEntry) -> bool:
    """Does this entry end a game?"""
    what = entry.what
    return isinstance(what, Moved) and any(isinstance(event, Ended) for event in what.events)


def ended_games(room: str, table: Table, entries: Iterable[LogEntry]) -> Iterator[FinishedGame]:
    """Yield the games that end with *entries*, which follow the *table* of that *room*."""
    for entry in entries:
        table = apply(table, entry)
        if ends_game(entry) and (result := _result(room, table)) is not None:
            yield result


def _result(room: str, table: Table) -> FinishedGame | None:
    """Return the game that has just ended; None if nobody had moved in it."""
    game, started = table.game, table.record[0]
    assert game is not None, "a game has just ended"
    assert game.ended is not None, "with an end"
    assert isinstance(started, Started), "and it had begun"
    if game.ended.why == "cancelled":
        return None
    players = tuple(_player_result(table, seat) for seat in range(len(game.players)))
    counts = game.ended.why != "aborted"
    return FinishedGame(
        page=finished_page(room, table),
        room=room,
        game=table.games,
        first=table.began,
        last=table.seq,
        began=started.at,
        ended=game.ended.at,
        preset=game.rules.preset,
        lexicon=game.lexicon,
        why=game.ended.why,
        players=players,
        counts=counts,
        rated=counts and is_rated(table.starting_seats, game.rules),
        listed=table.permissions.lock is None,
    )


def _player_result(table: Table, seat: int) -> PlayerResult:
    game, seat_state = table.game, table.starting_seats[seat]
    assert game is not None, "who asks has looked"
    assert game.ended is not None, "who asks has looked"
    player, plays = game.players[seat], _plays(table.record, seat)
    best = max(plays, key=lambda play: play.points, default=None)
    return PlayerResult(
        name=player.name,
        score=player.score,
        won=seat in game.ended.winners,
        left=player.retired,
        registered=seat_state.registered,
        bot=seat_state.bot,
        program=seat_state.program,
        turns=player.turns,
        bingos=sum(len(play.laid) == game.rules.rack for play in plays),
        best=main_word(best) if best is not None else "",
        best_points=best.points if best is not None else 0,
    )


def _plays(record: Iterable[Event], seat: int) -> list[Played]:
    """Return the plays of *seat* that stood."""
    plays: list[Played] = []
    for event in without_undone(record):
        if isinstance(event, Played) and event.seat == seat:
            plays.append(event)
        elif isinstance(event, Withdrawn) and event.seat == seat:
            plays.pop()
    return plays
