"""Limits of time, and when they are reached. RULES 4.4, 6.5, 6.8, 6.9."""

from crossroom_engine.core.events import Seat
from crossroom_engine.game.game import Game


def due_at(game: Game) -> int | None:
    """Return when :class:`CallTime` will change something, in ms since 1970; None: never."""
    if game.since is None:
        return None
    if game.phase == "last_word":
        waits = (acceptance_wait(game, seat) for seat in game.awaited)
        return game.since + min(waits, default=0)
    limits = []
    if game.rules.turn_limit is not None:
        limits.append(game.since + game.rules.turn_limit * 1000 + 1)
    if (flag := flag_at(game)) is not None:
        limits.append(flag + game.rules.overtime * 1000 + 1)
    return min(limits, default=None)


def flag_at(game: Game) -> int | None:
    """Return when the clock of the player on turn runs out, in ms since 1970; None: never."""
    allowed = game.allowed(game.on_turn)
    if allowed is None or game.since is None or game.phase != "playing":
        return None
    return game.since + allowed - game.players[game.on_turn].used


def turn_ends_at(game: Game) -> int | None:
    """Return when the player on turn has no time left, in ms since 1970; None: never.

    Whatever that has for consequences: a clock may run on into overtime.
    """
    limits = [] if (flag := flag_at(game)) is None else [flag]
    if game.since is not None and game.phase == "playing" and game.rules.turn_limit is not None:
        limits.append(game.since + game.rules.turn_limit * 1000)
    return min(limits, default=None)


def acceptance_wait(game: Game, seat: Seat) -> int:
    """Return how long the last word of *seat* is awaited, in ms (RULES 4.4).

    The flag of the player after the last play counts as acceptance.
    """
    wait, allowed = game.rules.acceptance * 1000, game.allowed(seat)
    if allowed is not None and game.last and seat == game.next_seat(game.last.play.seat):
        left = allowed - game.players[seat].used
        return min(wait, left) if left > 0 else wait
    return wait


def is_late(game: Game, now: int) -> bool:
    """Return whether somebody's time is up at the time *now*, in ms since 1970."""
    due = due_at(game)
    return due is not None and now >= due
