"""What follows from a move: the only place where the rules refuse.

``decide`` consults the word list and the dice, settles everything, and returns events that say so.
It changes nothing. RULES 4 to 6.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import assert_never

from crossroom_engine import scoring
from crossroom_engine.errors import BadRules, IllegalMove, WrongLexicon
from crossroom_engine.events import (
    Accepted,
    Adjourned,
    Awarded,
    Challenged,
    Continued,
    Drew,
    DrewForFirst,
    Ended,
    Event,
    Exchanged,
    LastWordAwaited,
    Loss,
    Passed,
    Played,
    Reason,
    Retired,
    Seat,
    Started,
    TargetReached,
    TurnBegan,
    TurnForfeited,
    TurnSkipped,
    Withdrawn,
)
from crossroom_engine.game import Game, apply, begin
from crossroom_engine.lexicon import Lexicon
from crossroom_engine.movegen import is_any_play_left
from crossroom_engine.moves import (
    Accept,
    Adjourn,
    Challenge,
    Continue,
    Exchange,
    Move,
    Official,
    Pass,
    Place,
    Resign,
)
from crossroom_engine.placement import Placement, place
from crossroom_engine.rules import CHALLENGE_POINTS, Ruleset
from crossroom_engine.tiles import draw, multiset, take, unspell


@dataclass(frozen=True)
class World:
    """All that a decision may consult besides the game; ``now`` in milliseconds since 1970."""

    lexicon: Lexicon
    random: Random
    now: int


def start(rules: Ruleset, players: tuple[str, ...], world: World) -> tuple[Event, ...]:
    """Begin a game: the draw for the first turn, the deal, the first turn.

    Raises:
        BadRules: too few or too many players for these rules.
    """
    if not 2 <= len(players) <= rules.players:
        raise BadRules(f"these rules are for 2 to {rules.players} players")
    opening = Started(rules, players, world.lexicon.name, world.lexicon.digest, world.now)
    draft = _Draft(begin(opening), world, [opening])
    first = _first_seat(draft)
    for seat in range(len(players)):
        _refill(draft, seat)
    draft.add(TurnBegan(first, 1, world.now))
    return draft.events


def decide(game: Game, seat: Seat, move: Move, world: World) -> tuple[Event, ...]:
    """Say what happens when *seat* makes *move*.

    A move that comes when somebody's time is up comes too late: what happens then is what the clock
    says. A move ends an adjournment.

    Raises:
        IllegalMove: the rules forbid it; the game is as it was.
        WrongLexicon: words must be judged, and ``world.lexicon`` is not the one agreed on.
    """
    if game.phase == "over":
        raise IllegalMove("GAME_OVER", "the game is over; /ready begins another")
    if game.players[seat].retired:
        raise IllegalMove("WRONG_PHASE", "you are out of this game; you may watch and talk")
    draft = _Draft(game, world)
    if _is_late(game, world.now):
        _time_is_up(draft)
        return draft.events
    if game.since is None:
        draft.add(Continued(world.now))
    match move:
        case Resign():
            _retire(draft, seat, "resigned")
        case Challenge():
            _challenge(draft, seat)
        case Accept():
            _accept(draft, seat)
        case Place() | Exchange() | Pass():
            _use_turn(draft, seat, move)
        case _:
            assert_never(move)
    return draft.events


def officiate(game: Game, duty: Official, world: World) -> tuple[Event, ...]:
    """What the server does for no seat: look at the clock, stop it, let it run. May be nothing."""
    draft = _Draft(game, world)
    if _is_late(game, world.now):
        _time_is_up(draft)
    since, over = draft.game.since, draft.game.phase == "over"
    match duty:
        case Adjourn() if since is not None:
            draft.add(Adjourned(max(world.now, since)))
        case Continue() if since is None and not over:
            draft.add(Continued(world.now))
    return draft.events


def due_at(game: Game) -> int | None:
    """When :class:`CallTime` will have something to do, in ms since 1970; None: never."""
    if game.since is None:
        return None
    if game.phase == "last_word":
        waits = (_patience(game, seat) for seat in game.awaited)
        return game.since + min(waits, default=0)
    if game.rules.clock is None:
        return None
    allowed = (game.rules.clock + game.rules.overtime) * 1000
    return game.since + allowed - game.players[game.on_turn].used + 1


def _patience(game: Game, seat: Seat) -> int:
    """How long the last word of *seat* is awaited, in ms (RULES 4.4).

    The flag of the player after the last play counts as acceptance.
    """
    wait, clock = game.rules.acceptance * 1000, game.rules.clock
    if clock is not None and game.last and seat == game.next_seat(game.last.play.seat):
        left = clock * 1000 - game.players[seat].used
        return min(wait, left) if left > 0 else wait
    return wait


def _is_late(game: Game, now: int) -> bool:
    due = due_at(game)
    return due is not None and now >= due


class _Draft:
    """The events so far, and the game they lead to."""

    def __init__(self, game: Game, world: World, events: Iterable[Event] = ()) -> None:
        self.game, self.world = game, world
        self._events = list(events)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(self._events)

    @property
    def lexicon(self) -> Lexicon:
        """The word list that was agreed on (RULES 8.1)."""
        if self.world.lexicon.digest != self.game.digest:
            raise WrongLexicon(f"this game needs {self.game.lexicon}, {self.game.digest}")
        return self.world.lexicon

    def add(self, *events: Event) -> None:
        self._events += events
        self.game = reduce(apply, events, self.game)


def _first_seat(draft: _Draft) -> Seat:
    rules, random = draft.game.rules, draft.world.random
    seats = list(range(len(draft.game.players)))
    if rules.first_player == "seat":
        return 0
    if rules.first_player == "random":
        return random.choice(seats)
    while len(seats) > 1:
        drawn = tuple(zip(seats, random.sample(draft.game.bag, len(seats)), strict=True))
        draft.add(DrewForFirst(drawn))
        best = min(rules.tiles.rank(tile) for _, tile in drawn)
        seats = [seat for seat, tile in drawn if rules.tiles.rank(tile) == best]
    return seats[0]


def _use_turn(draft: _Draft, seat: Seat, move: Place | Exchange | Pass) -> None:
    game = draft.game
    if game.phase == "last_word":
        raise IllegalMove("WRONG_PHASE", "now only /accept or /challenge the last play")
    if seat != game.on_turn:
        name = game.players[game.on_turn].name
        raise IllegalMove("NOT_YOUR_TURN", f"it is {name}'s turn; wait, or talk meanwhile")
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
    _end_turn(draft)


def _judge(draft: _Draft, seat: Seat, move: Place) -> Placement:
    game = draft.game
    if move.swaps:
        _check_reclaim(game, seat, move)
    placement = place(game.rules, game.board, move.spot, move.text, move.swaps)
    take(placement.tiles, game.players[seat].rack)
    if not game.rules.may_challenge and (bad := _phonies(draft, placement.words)):
        raise IllegalMove("NOT_A_WORD", f"not in the word list: {', '.join(bad)}")
    return placement


def _check_reclaim(game: Game, seat: Seat, move: Place) -> None:
    if game.rules.reclaim == "off":
        raise IllegalMove("BAD_PLAY", "in this room a blank stays where it was played")
    if game.rules.reclaim == "next" and not set(game.reclaimable(seat)).issuperset(move.swaps):
        raise IllegalMove("BAD_PLAY", "only a blank of the play just before may be taken back")


def _exchange(draft: _Draft, seat: Seat, move: Exchange) -> Exchanged:
    game, wanted = draft.game, len(move.tiles)
    take(move.tiles, game.players[seat].rack)
    least = max(wanted, game.rules.exchange_bag)
    if len(game.bag) < least:
        raise IllegalMove(
            "BAG_TOO_SMALL",
            f"to exchange {wanted} the bag must hold {least} tiles; it holds {len(game.bag)}",
        )
    return Exchanged(seat, multiset(move.tiles), draw(game.bag, wanted, draft.world.random))


def _pass_by_exchange(draft: _Draft, seat: Seat) -> Passed:
    if draft.game.rules.exchange_least:
        raise IllegalMove("BAD_ARGS", "name the tiles to exchange, as in /exchange ABC; or /pass")
    return Passed(seat)


def _refill(draft: _Draft, seat: Seat) -> None:
    wanted = draft.game.rules.rack - len(draft.game.players[seat].rack)
    if tiles := draw(draft.game.bag, wanted, draft.world.random):
        draft.add(Drew(seat, tiles))


def _phonies(draft: _Draft, words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if not draft.lexicon.accepts(unspell(word)))


def _challenge(draft: _Draft, seat: Seat) -> None:
    game = draft.game
    play = _challenged_play(game, seat)
    bad = _phonies(draft, play.words)
    draft.add(Challenged(seat, play.seat, play.words, bad))
    if bad:
        _take_back(draft, play)
    else:
        _let_stand(draft, seat, play)


def _challenged_play(game: Game, seat: Seat) -> Played:
    if not game.rules.may_challenge:
        prose = "here every word is checked when it is played; no play can be challenged"
    elif game.last is None:
        prose = "the latest turn left no play" if game.moves else "nothing has been played yet"
    elif game.last.play.seat == seat:
        prose = "you cannot challenge your own play"
    elif game.last.judged:
        prose = "this play was challenged already; it stands"
    elif seat in game.accepted:
        prose = "you have accepted this play"
    else:
        return game.last.play
    raise IllegalMove("NOTHING_TO_CHALLENGE", prose)


def _take_back(draft: _Draft, play: Played) -> None:
    """The challenge was right: the play comes back (RULES 4.3) and the game goes on (4.4)."""
    last = draft.game.last
    was_last = draft.game.phase == "last_word"
    draft.add(Withdrawn(play.seat, play.points, last.drew if last else ()))
    if draft.game.rules.challenge == "triple":
        _remove(draft, play.seat, "challenge")
    if draft.game.phase == "over":
        return
    if was_last:
        _end_turn(draft)
    elif why := _stalled(draft):
        _end(draft, why)


def _let_stand(draft: _Draft, seat: Seat, play: Played) -> None:
    """The challenge of *seat* was wrong: what it costs (RULES 4.3), then the end (4.5)."""
    rule, pending = draft.game.rules.challenge, draft.game.pending
    if points := CHALLENGE_POINTS.get(rule):
        draft.add(Awarded(play.seat, points, "challenge"))
        _note_target(draft)
    elif rule == "triple":
        _retire(draft, seat, "challenge")
    elif rule == "double" and pending is None:
        _lose_turn(draft, seat)
    if pending is not None and draft.game.phase != "over":
        _end(draft, pending)


def _lose_turn(draft: _Draft, seat: Seat) -> None:
    if seat == draft.game.on_turn:
        draft.add(TurnSkipped(seat))
        _end_turn(draft)
    else:
        draft.add(TurnForfeited(seat))


def _accept(draft: _Draft, seat: Seat) -> None:
    if draft.game.phase != "last_word":
        raise IllegalMove("WRONG_PHASE", "there is no last play to accept")
    if seat not in draft.game.awaited:
        raise IllegalMove("WRONG_PHASE", "you have nothing more to say to this play")
    draft.add(Accepted(seat))
    _settle_last_word(draft)


def _settle_last_word(draft: _Draft) -> None:
    if draft.game.pending is not None and not draft.game.awaited:
        _end(draft, draft.game.pending)


def _time_is_up(draft: _Draft) -> None:
    game, now = draft.game, draft.world.now
    if game.phase == "last_word" and game.since is not None:
        waited = now - game.since
        draft.add(*(Accepted(seat) for seat in game.awaited if waited >= _patience(game, seat)))
        _settle_last_word(draft)
    else:
        _retire(draft, game.on_turn, "time")


def _retire(draft: _Draft, seat: Seat, why: Loss) -> None:
    """*seat* leaves the game, on turn or off (RULES 6.4)."""
    _remove(draft, seat, why)
    if draft.game.phase == "last_word":
        _settle_last_word(draft)
    elif draft.game.phase == "playing" and seat == draft.game.on_turn:
        _end_turn(draft)


def _remove(draft: _Draft, seat: Seat, why: Loss) -> None:
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


def _end_turn(draft: _Draft) -> None:
    """The latest turn is over: hand it on, or end the game."""
    _note_target(draft)
    while (why := _finished(draft)) is None:
        seat = draft.game.next_seat(draft.game.latest)
        if not draft.game.players[seat].forfeits:
            draft.add(TurnBegan(seat, draft.game.turn + 1, draft.world.now))
            return
        draft.add(TurnSkipped(seat))
    if draft.game.open_play is not None:
        draft.add(LastWordAwaited(why, draft.world.now))
    else:
        _end(draft, why)


def _note_target(draft: _Draft) -> None:
    game, target = draft.game, draft.game.rules.target
    if target is not None and game.target_by not in game.active:
        reached = [seat for seat in game.active if game.players[seat].score >= target]
        draft.add(*(TargetReached(seat) for seat in reached[:1]))


def _finished(draft: _Draft) -> Reason | None:
    """Does the game end with the latest turn? RULES 6.1 to 6.3."""
    game = draft.game
    if not game.bag and not all(game.players[seat].rack for seat in game.active):
        return "out"
    if game.target_by in game.active and _closes_round(game):
        return "target"
    return _stalled(draft)


def _stalled(draft: _Draft) -> Reason | None:
    game = draft.game
    if game.scoreless >= game.rules.scoreless_turns(len(game.players)):
        return "scoreless"
    return None if game.bag or any(_has_play(draft, seat) for seat in game.active) else "no_plays"


def _has_play(draft: _Draft, seat: Seat) -> bool:
    game = draft.game
    return is_any_play_left(
        game.rules, game.board, game.players[seat].rack, draft.lexicon, game.reclaimable(seat)
    )


def _closes_round(game: Game) -> bool:
    """Has everybody had a turn in this round, which the first player of the game began?"""
    count, seat = len(game.players), game.latest
    return (game.next_seat(seat) - game.first) % count <= (seat - game.first) % count


def _end(draft: _Draft, why: Reason) -> None:
    before = draft.game
    draft.add(*scoring.end_adjustments(before))
    draft.add(*scoring.overtime_penalties(draft.game, draft.world.now))
    draft.add(Ended(why, scoring.winners(before, draft.game), draft.world.now))
