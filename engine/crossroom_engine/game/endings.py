"""The end of turns, of a player's game, and of the whole game. RULES 6."""

from crossroom_engine.core import events
from crossroom_engine.core.events import EndReason, RetireReason, Seat
from crossroom_engine.game import final_scores
from crossroom_engine.game.decision import Decision
from crossroom_engine.game.game import Game
from crossroom_engine.game.timing import acceptance_wait
from crossroom_engine.movegen import is_any_play_left


def end_turn(decision: Decision) -> None:
    """Hand the turn on, or end the game, after the latest turn."""
    check_target(decision)
    while (why := _end_reason(decision)) is None:
        seat = decision.game.next_seat(decision.game.latest)
        if not decision.game.players[seat].forfeits:
            decision.add(events.TurnBegan(seat, decision.game.turn + 1, decision.context.now))
            return
        decision.add(events.TurnSkipped(seat))
    if decision.game.open_play is not None:
        decision.add(events.LastWordAwaited(why, decision.context.now))
    else:
        end_game(decision, why)


def end_game(decision: Decision, why: EndReason) -> None:
    """End the game: adjust the scores, and name the winners."""
    before = decision.game
    decision.add(*final_scores.end_adjustments(before))
    decision.add(*final_scores.overtime_penalties(decision.game, decision.context.now))
    decision.add(
        events.Ended(why, final_scores.winners(before, decision.game), decision.context.now)
    )


def abort_game(decision: Decision) -> None:
    """End the game without winners and losers (RULES 6.11)."""
    decision.add(events.Ended("aborted", (), decision.context.now))


def retire_player(decision: Decision, seat: Seat, why: RetireReason) -> None:
    """Let *seat* leave the game, whoever's turn it is (RULES 6.4)."""
    remove_player(decision, seat, why)
    if decision.game.phase == "last_word":
        settle_last_word(decision)
    elif decision.game.phase == "playing" and seat == decision.game.on_turn:
        end_turn(decision)


def remove_player(decision: Decision, seat: Seat, why: RetireReason) -> None:
    """Take *seat* out; the last one left wins (RULES 6.4), unless the game is cancelled (6.6)."""
    game = decision.game
    others = tuple(other for other in game.active if other != seat)
    if len(others) > 1:
        waiting = game.phase == "last_word"  # the rack still counts for who went out
        decision.add(events.Retired(seat, why, () if waiting else game.players[seat].rack))
        return
    decision.add(events.Retired(seat, why, ()))
    if game.moves or game.rules.early_exit_loses(rated=game.rated):
        decision.add(events.Ended(why, others, decision.context.now))
    else:
        decision.add(events.Ended("cancelled", (), decision.context.now))


def call_time(decision: Decision) -> None:
    """Let those accept who did not answer in time, or the player retire who did not move."""
    game, now = decision.game, decision.context.now
    if game.phase == "last_word" and game.since is not None:
        waited = now - game.since
        late = (seat for seat in game.awaited if waited >= acceptance_wait(game, seat))
        decision.add(*(events.Accepted(seat, late=True) for seat in late))
        settle_last_word(decision)
    else:
        retire_player(decision, game.on_turn, "time")


def settle_last_word(decision: Decision) -> None:
    """End the game if nobody's last word is missing."""
    if decision.game.pending is not None and not decision.game.awaited:
        end_game(decision, decision.game.pending)


def check_target(decision: Decision) -> None:
    """Note who reached the target first (RULES 6.3)."""
    game, target = decision.game, decision.game.rules.target
    if target is not None and game.target_by not in game.active:
        reached = [seat for seat in game.active if game.players[seat].score >= target]
        decision.add(*(events.TargetReached(seat) for seat in reached[:1]))


def _end_reason(decision: Decision) -> EndReason | None:
    """Return why the game ends with the latest turn, if it does. RULES 6.1 to 6.3."""
    game = decision.game
    if not game.bag and not all(game.players[seat].rack for seat in game.active):
        return "out"
    if game.target_by in game.active and _closes_round(game):
        return "target"
    return stall_reason(decision)


def stall_reason(decision: Decision) -> EndReason | None:
    """Return why no way leads forward, if so: too many scoreless turns, or no possible play."""
    game = decision.game
    if game.scoreless >= game.rules.scoreless_turns(len(game.players)):
        return "scoreless"
    if game.rules.no_plays == "goes_on":
        return None
    if game.bag or any(_has_play(decision, seat) for seat in game.active):
        return None
    return "no_plays"


def _has_play(decision: Decision, seat: Seat) -> bool:
    game = decision.game
    return is_any_play_left(
        game.rules, game.board, game.players[seat].rack, decision.lexicon, game.reclaimable(seat)
    )


def _closes_round(game: Game) -> bool:
    """Return whether all had a turn in this round, which the game's first player began."""
    count, seat = len(game.players), game.latest
    return (game.next_seat(seat) - game.first) % count <= (seat - game.first) % count
