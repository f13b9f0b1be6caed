"""Challenges: what is doubted, who was right, and what that costs. RULES 4."""

from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.events import (
    Awarded,
    Challenged,
    Played,
    Seat,
    TurnForfeited,
    TurnSkipped,
    Withdrawn,
)
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import CHALLENGE_POINTS
from crossroom_engine.game.decision import Decision
from crossroom_engine.game.endings import end, end_turn, note_target, remove, retire, stalled
from crossroom_engine.game.game import Game


def challenge(draft: Decision, seat: Seat) -> None:
    """Judge the latest play, whose words *seat* doubts.

    Raises:
        IllegalMove: ``NOTHING_TO_CHALLENGE``, saying why.
        WrongLexicon: the list at hand is not the one agreed on.
    """
    game = draft.game
    play = _challenged_play(game, seat)
    bad = draft.phonies(play.words)
    draft.add(Challenged(seat, play.seat, play.words, bad))
    if bad:
        _take_back(draft, play)
    else:
        _let_stand(draft, seat, play)


def _challenged_play(game: Game, seat: Seat) -> Played:
    if not game.rules.may_challenge:
        prose = Phrase("here every word is checked when it is played; no play can be challenged")
    elif game.last is None:
        prose = Phrase("nothing has been played yet")
        if game.moves:
            prose = Phrase("the latest turn left no play")
    elif game.last.play.seat == seat:
        prose = Phrase("you cannot challenge your own play")
    elif game.last.judged:
        prose = Phrase("this play was challenged already; it stands")
    elif seat in game.accepted:
        prose = Phrase("you have accepted this play")
    else:
        return game.last.play
    raise IllegalMove("NOTHING_TO_CHALLENGE", prose)


def _take_back(draft: Decision, play: Played) -> None:
    """The challenge was right: the play comes back (RULES 4.3) and the game goes on (4.4)."""
    last = draft.game.last
    was_last = draft.game.phase == "last_word"
    draft.add(Withdrawn(play.seat, play.points, last.drew if last else ()))
    if draft.game.rules.challenge == "triple":
        remove(draft, play.seat, "challenge")
    if draft.game.phase == "over":
        return
    if was_last:
        end_turn(draft)
    elif why := stalled(draft):
        end(draft, why)


def _let_stand(draft: Decision, seat: Seat, play: Played) -> None:
    """The challenge of *seat* was wrong: what it costs (RULES 4.3), then the end (4.5)."""
    rule, pending = draft.game.rules.challenge, draft.game.pending
    if points := CHALLENGE_POINTS.get(rule):
        draft.add(Awarded(play.seat, points, "challenge"))
        note_target(draft)
    elif rule == "triple":
        retire(draft, seat, "challenge")
    elif rule == "double" and pending is None:
        _lose_turn(draft, seat)
    if pending is not None and draft.game.phase != "over":
        end(draft, pending)


def _lose_turn(draft: Decision, seat: Seat) -> None:
    if seat == draft.game.on_turn:
        draft.add(TurnSkipped(seat))
        end_turn(draft)
    else:
        draft.add(TurnForfeited(seat))
