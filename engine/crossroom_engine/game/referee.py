"""The referee: decides what follows from a move, and is the only place where the rules refuse.

:func:`decide` consults the word list and the dice, settles everything, and returns events that say
so. It changes nothing. RULES 4 to 6.
"""

from typing import assert_never

from crossroom_engine.core import events, moves
from crossroom_engine.core.errors import BadRules, IllegalMove
from crossroom_engine.core.events import Event, Seat
from crossroom_engine.core.moves import Move, OfficialMove
from crossroom_engine.core.placement import Placement, place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import draw_tiles, multiset, take_tiles
from crossroom_engine.game.challenges import challenge
from crossroom_engine.game.decision import Decision, DecisionContext
from crossroom_engine.game.draw_verification import draw_for_first, make_seal
from crossroom_engine.game.endings import (
    abort_game,
    call_time,
    end_turn,
    retire_player,
    settle_last_word,
)
from crossroom_engine.game.game import Game, initial_game
from crossroom_engine.game.timing import is_late
from crossroom_engine.game.undo import undo_turn

__all__ = ["DecisionContext", "decide", "decide_official", "start_game"]


def start_game(
    rules: Ruleset,
    players: tuple[str, ...],
    context: DecisionContext,
    seed: str = "",
    *,
    rated: bool = False,
    due: Seat | None = None,
) -> tuple[Event, ...]:
    """Start a game: the draw for the first turn, the deal, the first turn.

    Args:
        rules: The rules of the game.
        players: Names in the order of seats.
        context: What may be consulted.
        seed: 64 hexadecimal digits that decide all draws of the game, and are sealed in its first
            event. Without them, ``context.random`` decides.
        rated: Whether the game counts for ratings.
        due: The seat that a former game lets begin, where the rules ask for that.

    Raises:
        BadRules: too few or too many players for these rules.
    """
    if not 2 <= len(players) <= rules.players:
        raise BadRules("these rules are for 2 to {players} players", players=rules.players)
    sealed = make_seal(seed, rules.tiles.distribution, context.now, players) if seed else ""
    opening = events.Started(
        rules,
        players,
        context.lexicon.name,
        context.lexicon.digest,
        context.now,
        sealed,
        seed,
        rated,
    )
    decision = Decision(initial_game(opening), context, [opening])
    rounds, first = draw_for_first(
        rules, len(players), lambda number: decision.chance("first", number), due
    )
    decision.add(*rounds)
    for seat in range(len(players)):
        _refill(decision, seat)
    decision.add(events.TurnBegan(first, 1, context.now))
    return decision.events


def decide(game: Game, seat: Seat, move: Move, context: DecisionContext) -> tuple[Event, ...]:
    """Decide what happens when *seat* makes *move*.

    If somebody's time is up, that happens first, and the move is made only if it still can be: a
    player's own late move is not. A move ends an adjournment.

    Raises:
        IllegalMove: the rules forbid it; the game is as it was.
        WrongLexicon: words must be judged, and ``context.lexicon`` is not the agreed one.
    """
    if game.phase == "over":
        raise IllegalMove("GAME_OVER", "the game is over; /ready begins another")
    if game.players[seat].retired:
        raise IllegalMove("WRONG_PHASE", "you are out of this game; you may watch and talk")
    if game.adjourned and not (isinstance(move, moves.Resign) and len(game.active) == 2):
        raise IllegalMove("ADJOURNED", "the game is adjourned; it goes on when all say /ready")
    decision = Decision(game, context)
    if is_late(game, context.now):
        call_time(decision)
        game = decision.game
        if game.phase == "over" or game.players[seat].retired or seat in game.accepted:
            return decision.events
    if game.since is None:
        decision.add(events.Continued(context.now))
    match move:
        case moves.Resign():
            retire_player(decision, seat, "resigned")
        case moves.Challenge():
            challenge(decision, seat)
        case moves.Accept():
            _accept(decision, seat)
        case moves.Place() | moves.Exchange() | moves.Pass():
            _use_turn(decision, seat, move)
        case _:
            assert_never(move)
    return decision.events


def preview_play(game: Game, seat: Seat, move: moves.Place) -> Placement:
    """Work out what a play would lay and score with the tiles of *seat*, whoever's turn it is.

    Its words need not be in the list.

    Raises:
        IllegalMove: the tiles cannot lie there, or *seat* does not have them.
    """
    if move.swaps and game.rules.reclaim == "off":
        raise IllegalMove("BAD_PLAY", "in this room a blank stays where it was played")
    if game.rules.reclaim == "next" and not set(game.reclaimable(seat)).issuperset(move.swaps):
        raise IllegalMove("BAD_PLAY", "only a blank of the play just before may be taken back")
    placement = place(game.rules, game.board, move.spot, move.text, move.swaps)
    rack = game.players[seat].rack
    for square, letter in placement.swapped:
        if letter.letter not in rack:
            raise IllegalMove(
                "NOT_IN_RACK",
                "you do not have {letter}, which the blank on {square} stands for",
                letter=letter.letter,
                square=square,
            )
    take_tiles(placement.tiles, rack)
    return placement


def decide_official(game: Game, duty: OfficialMove, context: DecisionContext) -> tuple[Event, ...]:
    """Decide what happens when the server looks at the clock, stops it, or carries out an offer.

    That may be nothing. If somebody's time is up, that happens first.

    Raises:
        IllegalMove: there is no such turn to take back.
        WrongLexicon: words must be judged, and ``context.lexicon`` is not the agreed one.
    """
    decision = Decision(game, context)
    if is_late(game, context.now):
        call_time(decision)
    since, over = decision.game.since, decision.game.phase == "over"
    match duty:
        case moves.Adjourn("server" | "jump" as why) if since is not None:
            decision.add(events.Adjourned(max(context.now, since), why))
        case moves.Adjourn("agreed" | "absent" as why) if not (decision.game.adjourned or over):
            decision.add(events.Adjourned(max(context.now, since or 0), why))
        case moves.Continue() if since is None and not over:
            decision.add(events.Continued(context.now))
        case moves.Undo(seat) if not over:
            undo_turn(decision, seat)
        case moves.Abort() if not over:
            abort_game(decision)
        case moves.Forfeit(seat) if seat in decision.game.active and not over:
            retire_player(decision, seat, "absent")
    return decision.events


def _use_turn(
    decision: Decision, seat: Seat, move: moves.Place | moves.Exchange | moves.Pass
) -> None:
    game = decision.game
    if game.phase == "last_word":
        raise IllegalMove("WRONG_PHASE", "now only /accept or /challenge the last play")
    if seat != game.on_turn:
        name = game.players[game.on_turn].name
        raise IllegalMove(
            "NOT_YOUR_TURN", "it is {name}'s turn; wait, or talk meanwhile", name=name
        )
    match move:
        case moves.Place():
            placed = preview_play(game, seat, move)
            words, points = placed.words, placed.points
            if bad := () if game.rules.may_challenge else decision.lexicon.phonies(words):
                raise IllegalMove("NOT_A_WORD", "not in the word list: {bad}", bad=", ".join(bad))
            decision.add(
                events.Played(
                    seat, placed.spot, placed.text, placed.laid, words, points, placed.swapped
                )
            )
            _refill(decision, seat)
        case moves.Exchange(tiles):
            decision.add(
                _exchange(decision, seat, move) if tiles else _empty_exchange(decision, seat)
            )
        case moves.Pass():
            decision.add(events.Passed(seat))
    end_turn(decision)


def _exchange(decision: Decision, seat: Seat, move: moves.Exchange) -> events.Exchanged:
    game, wanted = decision.game, len(move.tiles)
    take_tiles(move.tiles, game.players[seat].rack)
    least = max(wanted, game.rules.exchange_bag)
    if len(game.bag) < least:
        raise IllegalMove(
            "BAG_TOO_SMALL",
            "to exchange {wanted} the bag must hold {least} tiles; it holds {bag}",
            wanted=wanted,
            least=least,
            bag=len(game.bag),
        )
    tiles = draw_tiles(game.bag, wanted, decision.chance("draw", game.draws))
    return events.Exchanged(seat, multiset(move.tiles), tiles)


def _empty_exchange(decision: Decision, seat: Seat) -> events.Passed:
    if decision.game.rules.exchange_least:
        raise IllegalMove("BAD_ARGS", "name the tiles to exchange, as in /exchange ABC; or /pass")
    return events.Passed(seat)


def _refill(decision: Decision, seat: Seat) -> None:
    wanted = decision.game.rules.rack - len(decision.game.players[seat].rack)
    chance = decision.chance("draw", decision.game.draws)
    if tiles := draw_tiles(decision.game.bag, wanted, chance):
        decision.add(events.Drew(seat, tiles))


def _accept(decision: Decision, seat: Seat) -> None:
    if decision.game.phase != "last_word":
        raise IllegalMove("WRONG_PHASE", "there is no last play to accept")
    if seat not in decision.game.awaited:
        raise IllegalMove("WRONG_PHASE", "you have answered this play already")
    decision.add(events.Accepted(seat))
    settle_last_word(decision)
