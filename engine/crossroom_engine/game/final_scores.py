"""Scores at the end of a game: adjustments, overtime, tie-break. RULES 1, 6."""

from collections.abc import Iterator

from crossroom_engine.core.events import Awarded, Seat
from crossroom_engine.core.units import MINUTE_MS
from crossroom_engine.game.game import Game


def end_adjustments(game: Game) -> Iterator[Awarded]:
    """Yield the points for tiles left on the racks, by the game's ``end_adjustment``."""
    rule = game.rules.end_adjustment
    seats = tuple(sorted((*game.active, *game.departed))) if game.pending == "out" else game.active
    left = {seat: game.rules.tiles.total_points(game.players[seat].rack) for seat in seats}
    out = [seat for seat in seats if not game.players[seat].rack]
    if rule == "none":
        return
    if rule == "sum" or not out:
        yield from (Awarded(seat, -points, "left_over") for seat, points in left.items() if points)
    if out and (total := sum(left.values())):
        yield Awarded(out[0], total * (2 if rule == "double" else 1), "went_out")


def overtime_penalties(game: Game, now: int) -> Iterator[Awarded]:
    """Yield the points lost for minutes over the clock (RULES 6.5); *now* in ms since 1970."""
    for seat in game.active:
        if (allowed := game.allowed(seat)) is None:
            return
        over = game.used(seat, now) - allowed
        minutes = -(-over // MINUTE_MS)
        if minutes > 0 and game.rules.overtime_points:
            yield Awarded(seat, -minutes * game.rules.overtime_points, "overtime")


def winners(before: Game, after: Game) -> tuple[Seat, ...]:
    """Return who wins by the scores *after* all adjustments; those *before* may break a tie.

    Under ``target_winner = first`` it is who reached the target first, if anybody did (RULES 6.3).
    """
    if after.rules.target_winner == "first" and after.target_by in after.active:
        return (after.target_by,)
    best = max(after.players[seat].score for seat in after.active)
    tied = tuple(seat for seat in after.active if after.players[seat].score == best)
    match after.rules.tie_break:
        case "before_adjustment":
            ahead = max(before.players[seat].score for seat in tied)
            return tuple(seat for seat in tied if before.players[seat].score == ahead)
        case "first_to_target" if after.target_by in tied and after.target_by is not None:
            return (after.target_by,)
        case _:
            return tied
