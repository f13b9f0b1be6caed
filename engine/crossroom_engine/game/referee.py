"""What follows from a move: the only place where the rules refuse.

``decide`` consults the word list and the dice, settles everything, and returns events that say so.
It changes nothing. RULES 4 to 6.
"""

from typing import assert_never

from crossroom_engine.core.errors import BadRules, IllegalMove
from crossroom_engine.core.events import (
    Accepted,
    Adjourned,
    Continued,
    Drew,
    Event,
    Exchanged,
    Passed,
    Played,
    Seat,
    Started,
    TurnBegan,
)
from crossroom_engine.core.moves import (
    Abort,
    Accept,
    Adjourn,
    Challenge,
    Continue,
    Exchange,
    Forfeit,
    Move,
    OfficialMove,
    Pass,
    Place,
    Resign,
    Undo,
)
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.placement import Placement, place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import draw, multiset, take
from crossroom_engine.game.challenges import challenge
from crossroom_engine.game.decision import Decision, DecisionContext
from crossroom_engine.game.endings import abort, call_time, end_turn, retire, settle_last_word
from crossroom_engine.game.fairness import draw_for_first, seal
from crossroom_engine.game.game import Game, begin
from crossroom_engine.game.timing import is_late
from crossroom_engine.game.undo import undo

__all__ = ["DecisionContext", "decide", "officiate", "start"]


def start(
    rules: Ruleset, players: tuple[str, ...], world: DecisionContext, seed: str = ""
) -> tuple[Event, ...]:
    """Begin a game: the draw for the first turn, the deal, the first turn.

    Args:
        rules: Of the game.
        players: Their names, in the order of seats.
        world: What may be consulted.
        seed: Decides all draws of the game, and is sealed in its first event: 64 hexadecimal
            digits. Without one, ``world.random`` decides.

    Raises:
        BadRules: too few or too many players for these rules.
    """
    if not 2 <= len(players) <= rules.players:
        raise BadRules(Phrase("these rules are for 2 to {players} players", players=rules.players))
    sealed = seal(seed, rules.tiles.distribution, world.now, players) if seed else ""
    opening = Started(
        rules, players, world.lexicon.name, world.lexicon.digest, world.now, sealed, seed
    )
    draft = Decision(begin(opening), world, [opening])
    first = _first_seat(draft)
    for seat in range(len(players)):
        _refill(draft, seat)
    draft.add(TurnBegan(first, 1, world.now))
    return draft.events


def decide(game: Game, seat: Seat, move: Move, world: DecisionContext) -> tuple[Event, ...]:
    """Say what happens when *seat* makes *move*.

    If somebody's time is up, that happens first, and the move is made only if it still can be: a
    player's own late move is not. A move ends an adjournment.

    Raises:
        IllegalMove: the rules forbid it; the game is as it was.
        WrongLexicon: words must be judged, and ``world.lexicon`` is not the one agreed on.
    """
    if game.phase == "over":
        raise IllegalMove("GAME_OVER", "the game is over; /ready begins another")
    if game.players[seat].retired:
        raise IllegalMove("WRONG_PHASE", "you are out of this game; you may watch and talk")
    if game.adjourned and not (isinstance(move, Resign) and len(game.active) == 2):
        raise IllegalMove("ADJOURNED", "the game is adjourned; it goes on when all say /ready")
    draft = Decision(game, world)
    if is_late(game, world.now):
        call_time(draft)
        game = draft.game
        if game.phase == "over" or game.players[seat].retired or seat in game.accepted:
            return draft.events
    if game.since is None:
        draft.add(Continued(world.now))
    match move:
        case Resign():
            retire(draft, seat, "resigned")
        case Challenge():
            challenge(draft, seat)
        case Accept():
            _accept(draft, seat)
        case Place() | Exchange() | Pass():
            _use_turn(draft, seat, move)
        case _:
            assert_never(move)
    return draft.events


def count(game: Game, seat: Seat, move: Place) -> Placement:
    """What a play would lay and score with the tiles that *seat* holds, on turn or off.

    Whether its words are in the list, nobody asks.

    Raises:
        IllegalMove: the tiles cannot lie there, or *seat* does not have them.
    """
    if move.swaps:
        _check_reclaim(game, seat, move)
    placement = place(game.rules, game.board, move.spot, move.text, move.swaps)
    take(placement.tiles, game.players[seat].rack)
    return placement


def officiate(game: Game, duty: OfficialMove, world: DecisionContext) -> tuple[Event, ...]:
    """What the server does for no seat: look at the clock, stop it, carry out an agreement.

    May be nothing, also because somebody's time turns out to be up, which happens first.

    Raises:
        IllegalMove: there is no such turn to take back.
        WrongLexicon: words must be judged, and ``world.lexicon`` is not the one agreed on.
    """
    draft = Decision(game, world)
    if is_late(game, world.now):
        call_time(draft)
    since, over = draft.game.since, draft.game.phase == "over"
    match duty:
        case Adjourn("server") if since is not None:
            draft.add(Adjourned(max(world.now, since)))
        case Adjourn("agreed" | "absent" as why) if not (draft.game.adjourned or over):
            draft.add(Adjourned(max(world.now, since or 0), why))
        case Continue() if since is None and not over:
            draft.add(Continued(world.now))
        case Undo(seat) if not over:
            undo(draft, seat)
        case Abort() if not over:
            abort(draft)
        case Forfeit(seat) if seat in draft.game.active and not over:
            retire(draft, seat, "absent")
    return draft.events


def _first_seat(draft: Decision) -> Seat:
    game = draft.game
    rounds, first = draw_for_first(
        game.rules, len(game.players), lambda number: draft.chance("first", number)
    )
    draft.add(*rounds)
    return first


def _use_turn(draft: Decision, seat: Seat, move: Place | Exchange | Pass) -> None:
    game = draft.game
    if game.phase == "last_word":
        raise IllegalMove("WRONG_PHASE", "now only /accept or /challenge the last play")
    if seat != game.on_turn:
        name = game.players[game.on_turn].name
        raise IllegalMove(
            "NOT_YOUR_TURN", "it is {name}'s turn; wait, or talk meanwhile", name=name
        )
    match move:
        case Place():
            placement = _judge(draft, seat, move)
            draft.add(
                Played(
                    seat,
                    placement.spot,
                    placement.text,
                    placement.laid,
                    placement.words,
                    placement.points,
                    placement.swapped,
                )
            )
            _refill(draft, seat)
        case Exchange(tiles):
            draft.add(_exchange(draft, seat, move) if tiles else _pass_by_exchange(draft, seat))
        case Pass():
            draft.add(Passed(seat))
    end_turn(draft)


def _judge(draft: Decision, seat: Seat, move: Place) -> Placement:
    placement = count(draft.game, seat, move)
    if not draft.game.rules.may_challenge and (bad := draft.phonies(placement.words)):
        raise IllegalMove("NOT_A_WORD", "not in the word list: {bad}", bad=", ".join(bad))
    return placement


def _check_reclaim(game: Game, seat: Seat, move: Place) -> None:
    if game.rules.reclaim == "off":
        raise IllegalMove("BAD_PLAY", "in this room a blank stays where it was played")
    if game.rules.reclaim == "next" and not set(game.reclaimable(seat)).issuperset(move.swaps):
        raise IllegalMove("BAD_PLAY", "only a blank of the play just before may be taken back")


def _exchange(draft: Decision, seat: Seat, move: Exchange) -> Exchanged:
    game, wanted = draft.game, len(move.tiles)
    take(move.tiles, game.players[seat].rack)
    least = max(wanted, game.rules.exchange_bag)
    if len(game.bag) < least:
        raise IllegalMove(
            "BAG_TOO_SMALL",
            "to exchange {wanted} the bag must hold {least} tiles; it holds {bag}",
            wanted=wanted,
            least=least,
            bag=len(game.bag),
        )
    tiles = draw(game.bag, wanted, draft.chance("draw", game.draws))
    return Exchanged(seat, multiset(move.tiles), tiles)


def _pass_by_exchange(draft: Decision, seat: Seat) -> Passed:
    if draft.game.rules.exchange_least:
        raise IllegalMove("BAD_ARGS", "name the tiles to exchange, as in /exchange ABC; or /pass")
    return Passed(seat)


def _refill(draft: Decision, seat: Seat) -> None:
    wanted = draft.game.rules.rack - len(draft.game.players[seat].rack)
    chance = draft.chance("draw", draft.game.draws)
    if tiles := draw(draft.game.bag, wanted, chance):
        draft.add(Drew(seat, tiles))


def _accept(draft: Decision, seat: Seat) -> None:
    if draft.game.phase != "last_word":
        raise IllegalMove("WRONG_PHASE", "there is no last play to accept")
    if seat not in draft.game.awaited:
        raise IllegalMove("WRONG_PHASE", "you have nothing more to say to this play")
    draft.add(Accepted(seat))
    settle_last_word(draft)
