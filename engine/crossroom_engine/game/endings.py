"""How turns, players' games and whole games end. RULES 6."""

from crossroom_engine.core.events import (
    Accepted,
    Ended,
    EndReason,
    LastWordAwaited,
    Retired,
    RetireReason,
    Seat,
    TargetReached,
    TurnBegan,
    TurnSkipped,
)
from crossroom_engine.game import scoring
from crossroom_engine.game.decision import Decision
from crossroom_engine.game.game import Game
from crossroom_engine.game.timing import patience
from crossroom_engine.movegen import is_any_play_left


def end_turn(draft: Decision) -> None:
    """The latest turn is over: hand it on, or end the game."""
    note_target(draft)
    while (why := _finished(draft)) is None:
        seat = draft.game.next_seat(draft.game.latest)
        if not draft.game.players[seat].forfeits:
            draft.add(TurnBegan(seat, draft.game.turn + 1, draft.world.now))
            return
        draft.add(TurnSkipped(seat))
    if draft.game.open_play is not None:
        draft.add(LastWordAwaited(why, draft.world.now))
    else:
        end(draft, why)


def end(draft: Decision, why: EndReason) -> None:
    """The game is over: adjust the scores, and say who won."""
    before = draft.game
    draft.add(*scoring.end_adjustments(before))
    draft.add(*scoring.overtime_penalties(draft.game, draft.world.now))
    draft.add(Ended(why, scoring.winners(before, draft.game), draft.world.now))


def abort(draft: Decision) -> None:
    """The game is over, and nobody has won or lost (RULES 6.11)."""
    draft.add(Ended("aborted", (), draft.world.now))


def retire(draft: Decision, seat: Seat, why: RetireReason) -> None:
    """*seat* leaves the game, on turn or off (RULES 6.4)."""
    remove(draft, seat, why)
    if draft.game.phase == "last_word":
        settle_last_word(draft)
    elif draft.game.phase == "playing" and seat == draft.game.on_turn:
        end_turn(draft)


def remove(draft: Decision, seat: Seat, why: RetireReason) -> None:
    """*seat* is out; the last one left wins (RULES 6.4), unless nobody has moved (6.6)."""
    game = draft.game
    others = tuple(other for other in game.active if other != seat)
    if len(others) > 1:
        draft.add(Retired(seat, why, game.players[seat].rack))
        return
    draft.add(Retired(seat, why, ()))
    if game.moves:
        draft.add(Ended(why, others, draft.world.now))
    else:
        draft.add(Ended("cancelled", (), draft.world.now))


def call_time(draft: Decision) -> None:
    """Somebody's time is up: whoever did not answer accepts; whoever did not move is out."""
    game, now = draft.game, draft.world.now
    if game.phase == "last_word" and game.since is not None:
        waited = now - game.since
        late = (seat for seat in game.awaited if waited >= patience(game, seat))
        draft.add(*(Accepted(seat, late=True) for seat in late))
        settle_last_word(draft)
    else:
        retire(draft, game.on_turn, "time")


def settle_last_word(draft: Decision) -> None:
    """End the game if nobody's last word is missing any more."""
    if draft.game.pending is not None and not draft.game.awaited:
        end(draft, draft.game.pending)


def note_target(draft: Decision) -> None:
    """Has somebody reached the target? The first one counts (RULES 6.3)."""
    game, target = draft.game, draft.game.rules.target
    if target is not None and game.target_by not in game.active:
        reached = [seat for seat in game.active if game.players[seat].score >= target]
        draft.add(*(TargetReached(seat) for seat in reached[:1]))


def _finished(draft: Decision) -> EndReason | None:
    """Does the game end with the latest turn? RULES 6.1 to 6.3."""
    game = draft.game
    if not game.bag and not all(game.players[seat].rack for seat in game.active):
        return "out"
    if game.target_by in game.active and _closes_round(game):
        return "target"
    return stalled(draft)


def stalled(draft: Decision) -> EndReason | None:
    """Is there no way forward: too many turns without points, or no possible play?"""
    game = draft.game
    if game.scoreless >= game.rules.scoreless_turns(len(game.players)):
        return "scoreless"
    return None if game.bag or any(_has_play(draft, seat) for seat in game.active) else "no_plays"


def _has_play(draft: Decision, seat: Seat) -> bool:
    game = draft.game
    return is_any_play_left(
        game.rules, game.board, game.players[seat].rack, draft.lexicon, game.reclaimable(seat)
    )


def _closes_round(game: Game) -> bool:
    """Has everybody had a turn in this round, which the first player of the game began?"""
    count, seat = len(game.players), game.latest
    return (game.next_seat(seat) - game.first) % count <= (seat - game.first) % count
