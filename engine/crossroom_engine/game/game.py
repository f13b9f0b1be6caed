"""The state of a game, and its change by each event.

:func:`apply` never refuses and never looks outside: :mod:`crossroom_engine.game.referee` settled
whatever was uncertain, and wrote it into the event. :func:`replay` recovers a game from its log.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Literal, TypeAlias, assert_never

from crossroom_engine.core import events
from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.errors import CorruptLog, IllegalMove
from crossroom_engine.core.events import EndReason, Event, Seat
from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.moves import seats_from
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import BLANK, Tiles, multiset, take_tiles

Phase: TypeAlias = Literal["playing", "last_word", "over"]
"""``last_word``: the game is over unless the latest play is challenged (RULES 4.4)."""


@dataclass(frozen=True)
class Player:
    """A seat.

    ``used`` is the time on its clock in milliseconds, without the turn under way; ``turns`` the
    number of turns used, each of which may add to that time; ``forfeits`` the number of turns that
    it has still to lose.
    """

    name: str
    rack: Tiles = ()
    score: int = 0
    used: int = 0
    forfeits: int = 0
    retired: bool = False
    turns: int = 0


@dataclass(frozen=True)
class LastPlay:
    """The latest turn, if it was a play, with all that is needed to undo it."""

    play: events.Played
    drew: Tiles = ()
    judged: bool = False
    scoreless: int = 0
    target_by: Seat | None = None


@dataclass(frozen=True)
class Game:
    """A game after so many events. Immutable; equal logs give equal games."""

    rules: Ruleset
    lexicon: str
    digest: str
    players: tuple[Player, ...]
    bag: Tiles
    board: Board
    on_turn: Seat = 0
    latest: Seat = 0
    """The seat of the latest turn, turns that were lost included."""
    turn: int = 0
    first: Seat = 0
    phase: Phase = "playing"
    moves: int = 0
    seed: str = field(default="", repr=False)
    """The seed of the draws, a secret; empty in a game whose bag was not sealed (RULES 9)."""
    draws: int = 0
    """Draws from the bag to a rack so far, exchanges included: the number of the next."""
    scoreless: int = 0
    target_by: Seat | None = None
    last: LastPlay | None = None
    pending: EndReason | None = None
    accepted: tuple[Seat, ...] = ()
    departed: tuple[Seat, ...] = ()
    """Who left during the wait for the last word: their racks still count (RULES 4.4)."""
    since: int | None = None
    """Start of the running turn, or of the wait for the last word; None while no clock runs."""
    adjourned: bool = False
    """Whether the game rests until all are back and ready (RULES 6.10)."""
    ended: events.Ended | None = None
    before: "Game | None" = field(default=None, repr=False)
    """The game before the latest turn, while that can be taken back (RULES 6.12)."""
    rated: bool = False
    version: int = 1
    """Number of events applied."""

    @property
    def active(self) -> tuple[Seat, ...]:
        """The seats still in the game."""
        return tuple(seat for seat, player in enumerate(self.players) if not player.retired)

    @property
    def open_play(self) -> events.Played | None:
        """The play that may be challenged now."""
        if self.last is None or self.last.judged:
            return None
        return self.last.play if self.rules.may_challenge else None

    def may_challenge(self, seat: Seat) -> bool:
        """Return whether *seat* may challenge the latest play: not its own, nor an accepted one."""
        play = self.open_play
        return play is not None and play.seat != seat and seat not in self.accepted

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats whose last word is missing."""
        if self.phase != "last_word" or self.last is None:
            return ()
        spoken = {*self.accepted, self.last.play.seat}
        return tuple(seat for seat in self.active if seat not in spoken)

    def reclaimable(self, seat: Seat) -> tuple[Square, ...]:
        """Return the squares of blanks that *seat* may take back on its next turn (RULES 5.3)."""
        if self.rules.reclaim == "any":
            return self.board.blanks
        if self.rules.reclaim == "off" or self.last is None or self.last.play.seat == seat:
            return ()
        return tuple(laid.square for laid in self.last.play.laid if laid.letter.blank)

    def next_seat(self, seat: Seat) -> Seat:
        """Return the next seat after *seat* that is still in the game."""
        order = seats_from(seat + 1, len(self.players))
        return next(other for other in order if not self.players[other].retired)

    @property
    def undoable(self) -> Seat | None:
        """The seat whose turn can be taken back; None if there is none, or it is settled."""
        return self.before.on_turn if self.before is not None and self.phase != "over" else None

    def allowed(self, seat: Seat) -> int | None:
        """Return the time for all turns of a seat so far, overtime aside, in ms; None: no clock."""
        if self.rules.clock is None:
            return None
        return (self.rules.clock + self.rules.increment * self.players[seat].turns) * 1000

    def used(self, seat: Seat, now: int) -> int:
        """Return the time on a seat's clock in ms at the time *now*, with the turn under way."""
        used = self.players[seat].used
        if self.phase == "playing" and seat == self.on_turn and self.since is not None:
            used += max(0, now - self.since)
        return used


def replay(log: Iterable[Event]) -> Game:
    """Rebuild the game that a log tells of.

    Raises:
        CorruptLog: the events do not form a game.
    """
    later = iter(log)
    if (first := next(later, None)) is None:
        raise CorruptLog("an empty log")
    return reduce(apply, later, initial_game(first))


def initial_game(event: Event) -> Game:
    """Return the game before its first draw.

    Raises:
        CorruptLog: *event* is not :class:`Started`.
    """
    if not isinstance(event, events.Started):
        raise CorruptLog(f"{event.kind} before started")
    rules = event.rules
    return Game(
        rules=rules,
        lexicon=event.lexicon,
        digest=event.digest,
        players=tuple(Player(name) for name in event.players),
        bag=rules.tiles.distribution,
        board=Board.empty(rules.layout),
        seed=event.seed,
        rated=event.rated,
    )


def apply(game: Game, event: Event) -> Game:
    """Return the game after *event*.

    Raises:
        CorruptLog: the event does not fit; the log is damaged or the program is wrong.
    """
    if game.phase == "over":
        raise CorruptLog(f"{event.kind} after the end")
    try:
        return _apply(game, event)
    except (IllegalMove, IndexError, StopIteration) as error:
        raise CorruptLog(f"{event.kind}: {error}") from error


def _apply(game: Game, event: Event) -> Game:
    match event:
        case events.DrewForFirst():
            return _next(game)
        case events.Drew(seat, tiles):
            rack = multiset(game.players[seat].rack + tiles)
            return _next(
                game,
                players=_players(game, seat, rack=rack),
                draws=game.draws + bool(tiles),
                bag=take_tiles(tiles, game.bag),
                last=game.last and replace(game.last, drew=tiles),
            )
        case events.TurnBegan(seat, turn, at):
            _check_seat(game, seat)
            return _next(
                game,
                players=_charged(game, at),
                on_turn=seat,
                latest=seat,
                turn=turn,
                first=seat if turn == 1 else game.first,
                since=_running(game, at),
            )
        case events.Played():
            return _played(game, event)
        case events.Exchanged(seat, tiles, drew):
            rack = multiset(take_tiles(tiles, game.players[seat].rack) + drew)
            bag = multiset(take_tiles(drew, game.bag) + tiles)
            draws = game.draws + bool(drew)
            return _without_points(game, _turn_used(game, seat, rack=rack), bag=bag, draws=draws)
        case events.Passed(seat):
            return _without_points(game, _turn_used(game, seat))
        case events.Undone():
            return _undone(game, event)
        case events.Challenged():
            return _next(game, last=game.last and replace(game.last, judged=True), before=None)
        case events.Withdrawn():
            return _withdrawn(game, event)
        case events.TurnForfeited(seat):
            forfeits = game.players[seat].forfeits + 1
            return _next(game, players=_players(game, seat, forfeits=forfeits))
        case events.TurnSkipped(seat):
            players = _players(game, seat, forfeits=max(0, game.players[seat].forfeits - 1))
            return _next(game, players=players, latest=seat, scoreless=game.scoreless + 1)
        case events.TargetReached(seat):
            return _next(game, target_by=seat)
        case events.LastWordAwaited(why, at):
            since, players = _running(game, at), _charged(game, at)
            return _next(game, players=players, phase="last_word", pending=why, since=since)
        case events.Accepted(seat):
            return _next(game, accepted=(*game.accepted, seat))
        case events.Retired():
            return _retired(game, event)
        case events.RackReturned(seat, tiles):
            rack = take_tiles(tiles, game.players[seat].rack)
            bag = multiset(game.bag + tiles)
            return _next(game, players=_players(game, seat, rack=rack), bag=bag)
        case events.Awarded(seat, points):
            score = game.players[seat].score + points
            return _next(game, players=_players(game, seat, score=score))
        case events.Adjourned(at, why):
            adjourned = why in ("agreed", "absent")
            return _next(game, players=_charged(game, at), since=None, adjourned=adjourned)
        case events.Continued(at):
            return _next(game, since=at, adjourned=False)
        case events.Ended():
            return _ended(game, event)
        case events.Started():
            raise CorruptLog("started twice")
        case _:
            assert_never(event)


def _next(game: Game, **changes: Any) -> Game:
    """Return the game with one event more."""
    return replace(game, version=game.version + 1, **changes)


def _played(game: Game, event: events.Played) -> Game:
    player = game.players[event.seat]
    rack = player.rack
    if event.swapped:
        reclaimed = (BLANK,) * len(event.swapped)
        given = take_tiles((swap.letter.letter for swap in event.swapped), rack)
        rack = multiset(given + reclaimed)
    rack = take_tiles((laid.letter.tile for laid in event.laid), rack)
    return _next(
        game,
        **_turn_used(game, event.seat, rack=rack, score=player.score + event.points),
        board=game.board.with_letters(dict((*event.swapped, *event.laid))),
        moves=game.moves + 1,
        scoreless=0,
        last=LastPlay(event, scoreless=game.scoreless, target_by=game.target_by),
    )


def _withdrawn(game: Game, event: events.Withdrawn) -> Game:
    """Undo exactly what the play did; what others did since (a resignation) stays."""
    last = game.last
    if last is None:
        raise CorruptLog("withdrawn, but the latest turn was no play")
    play, player = last.play, game.players[event.seat]
    rack = (*take_tiles(event.returned, player.rack), *(laid.letter.tile for laid in play.laid))
    rack = take_tiles((BLANK,) * len(play.swapped), multiset(rack))
    rack = multiset(rack + tuple(swap.letter.letter for swap in play.swapped))
    lifted = {laid.square: None for laid in play.laid}
    blanks = {square: letter._replace(blank=True) for square, letter in play.swapped}
    return _next(
        game,
        players=_players(game, event.seat, rack=rack, score=player.score - event.points),
        board=game.board.with_letters({**lifted, **blanks}),
        bag=multiset(game.bag + event.returned),
        phase="playing",
        pending=None,
        accepted=(),
        departed=(),
        since=None if game.phase == "last_word" else game.since,
        scoreless=last.scoreless + 1 + game.scoreless,
        target_by=last.target_by,
        last=None,
    )


def _retired(game: Game, event: events.Retired) -> Game:
    own = game.last is not None and game.last.play.seat == event.seat
    rack = take_tiles(event.tiles, game.players[event.seat].rack)
    # In games of former versions the rack went into the bag during the last word, too.
    stays = game.phase == "last_word" and not event.tiles
    return _next(
        game,
        players=_players(game, event.seat, rack=rack, forfeits=0, retired=True),
        departed=(*game.departed, event.seat) if stays else game.departed,
        bag=multiset(game.bag + event.tiles),
        last=None if own else game.last,
        before=None,
    )


def _ended(game: Game, event: events.Ended) -> Game:
    return _next(
        game,
        players=_charged(game, event.at),
        phase="over",
        last=None,
        pending=None,
        since=None,
        adjourned=False,
        ended=event,
        before=None,
    )


def _undone(game: Game, event: events.Undone) -> Game:
    """Return the game before the latest turn, but for the time gone by and the draws used up."""
    if game.before is None or game.before.on_turn != event.seat:
        raise CorruptLog("undone, but there is no such turn")
    used = [player.used for player in _charged(game, event.at)]
    players = (replace(p, used=ms) for p, ms in zip(game.before.players, used, strict=True))
    return replace(
        game.before,
        players=tuple(players),
        since=event.at,
        draws=game.draws,
        version=game.version + 1,
    )


def _without_points(game: Game, used: dict[str, Any], **changes: Any) -> Game:
    moves, scoreless = game.moves + 1, game.scoreless + 1
    return _next(game, **used, **changes, moves=moves, scoreless=scoreless, last=None)


def _turn_used(game: Game, seat: Seat, **changes: Any) -> dict[str, Any]:
    """Return the changes by which *seat* has used the turn, and can take it back."""
    players = _players(game, seat, turns=game.players[seat].turns + 1, **changes)
    return {"players": players, "before": replace(game, before=None)}


def _running(game: Game, at: int) -> int | None:
    """Return the start of a turn that begins now; None while the game rests (RULES 6.10)."""
    return None if game.adjourned else at


def _charged(game: Game, at: int) -> tuple[Player, ...]:
    """Return the players, with the turn that ends now on its player's clock."""
    return _players(game, game.on_turn, used=game.used(game.on_turn, at))


def _check_seat(game: Game, seat: Seat) -> None:
    if seat not in range(len(game.players)):
        raise IndexError(f"there is no seat {seat}")


def _players(game: Game, seat: Seat, **changes: Any) -> tuple[Player, ...]:
    """Return the players, one of them changed."""
    _check_seat(game, seat)
    player = replace(game.players[seat], **changes)
    return (*game.players[:seat], player, *game.players[seat + 1 :])
