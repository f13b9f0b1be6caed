"""Challenges: which play is doubted, who was right, and what that costs. RULES 4."""

from crossroom_engine.core import events
from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.events import Seat
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import CHALLENGE_POINTS
from crossroom_engine.game.decision import Decision
from crossroom_engine.game.endings import (
    check_target,
    end_game,
    end_turn,
    remove_player,
    retire_player,
    stall_reason,
)
from crossroom_engine.game.game import Game


def challenge(decision: Decision, seat: Seat) -> None:
    """Judge the latest play, whose words *seat* doubts.

    Raises:
        IllegalMove: ``NOTHING_TO_CHALLENGE``, saying why.
        WrongLexicon: the list at hand is not the agreed one.
    """
    play = _challenged_play(decision.game, seat)
    bad = decision.lexicon.phonies(play.words)
    decision.add(events.Challenged(seat, play.seat, play.words, bad))
    if bad:
        _take_back(decision, play)
    else:
        _let_stand(decision, seat, play)


def _challenged_play(game: Game, seat: Seat) -> events.Played:
    if not game.rules.may_challenge:
        prose = Phrase("here every word is checked when it is played; no play can be challenged")
    elif game.last is None:
        prose = Phrase("nothing has been played yet")
        if game.moves:
            prose = Phrase("there is no play that could be challenged now")
    elif game.last.play.seat == seat:
        prose = Phrase("you cannot challenge your own play")
    elif game.last.judged:
        prose = Phrase("this play was challenged already; it stands")
    elif seat in game.accepted:
        prose = Phrase("you have accepted this play")
    else:
        return game.last.play
    raise IllegalMove("NOTHING_TO_CHALLENGE", prose)


def _take_back(decision: Decision, play: events.Played) -> None:
    """Withdraw the play after a challenge that was right (RULES 4.3); go on with the game (4.4)."""
    last = decision.game.last
    was_last, departed = decision.game.phase == "last_word", decision.game.departed
    decision.add(events.Withdrawn(play.seat, play.points, last.drew if last else ()))
    for seat in departed:
        decision.add(events.RackReturned(seat, decision.game.players[seat].rack))
    if decision.game.rules.challenge == "triple":
        remove_player(decision, play.seat, "challenge")
    if decision.game.phase == "over":
        return
    if was_last:
        end_turn(decision)
    elif why := stall_reason(decision):
        end_game(decision, why)


def _let_stand(decision: Decision, seat: Seat, play: events.Played) -> None:
    """Charge *seat* for a challenge that was wrong (RULES 4.3), then end the game if due (4.5)."""
    rule, pending = decision.game.rules.challenge, decision.game.pending
    if points := CHALLENGE_POINTS.get(rule):
        decision.add(events.Awarded(play.seat, points, "challenge"))
        check_target(decision)
    elif rule == "triple":
        retire_player(decision, seat, "challenge")
    elif rule == "double" and pending is None:
        _lose_turn(decision, seat)
    if pending is not None and decision.game.phase != "over":
        end_game(decision, pending)


def _lose_turn(decision: Decision, seat: Seat) -> None:
    if seat == decision.game.on_turn:
        decision.add(events.TurnSkipped(seat))
        end_turn(decision)
    else:
        decision.add(events.TurnForfeited(seat))
