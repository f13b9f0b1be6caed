"""Undoing a turn by agreement, and logs without undone turns. RULES 6.12."""

from collections import Counter
from collections.abc import Iterable

from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.events import Continued, Event, Exchanged, Passed, Played, Seat, Undone
from crossroom_engine.core.tiles import Tiles, multiset
from crossroom_engine.game.decision import Decision
from crossroom_engine.game.game import Game


def check_undo(game: Game, seat: Seat) -> None:
    """Check that the latest turn was that of *seat*, and can be taken back.

    Raises:
        IllegalMove: ``NOTHING_TO_UNDO``, saying why.
    """
    if game.undoable is None:
        raise IllegalMove(
            "NOTHING_TO_UNDO",
            "the latest turn cannot be taken back: there is none, or it is settled",
        )
    if game.undoable != seat:
        name = game.players[game.undoable].name
        raise IllegalMove(
            "NOTHING_TO_UNDO", "the latest turn was that of {name}, not yours", name=name
        )


def undo_turn(decision: Decision, seat: Seat) -> None:
    """Take back the latest turn, that of *seat*; only the time gone by stays.

    Raises:
        IllegalMove: ``NOTHING_TO_UNDO``.
    """
    game = decision.game
    check_undo(game, seat)
    assert game.before is not None
    if game.since is None:
        decision.add(Continued(decision.context.now))
    here, there = game.bag, game.before.bag
    returned, regained = _lacking(here, there), _lacking(there, here)
    latest = game.last.play if game.last is not None else None
    squares = tuple(tile.square for tile in latest.laid) if latest and latest.seat == seat else ()
    at = max(decision.context.now, game.since or 0)
    decision.add(Undone(seat, returned, regained, at, squares))


def _lacking(some: Tiles, others: Tiles) -> Tiles:
    """Return those of *others* that are not among *some*."""
    return multiset((Counter(others) - Counter(some)).elements())


def without_undone(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return a log without the turns taken back: the same game, but for the time it took."""
    kept: list[Event] = []
    for event in events:
        if not isinstance(event, Undone):
            kept.append(event)
            continue
        turns = (Played, Exchanged, Passed)
        start = max(at for at, one in enumerate(kept) if isinstance(one, turns))
        del kept[start:]
    return tuple(kept)
