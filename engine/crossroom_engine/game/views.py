"""Views and redacted events: the only way out for anything secret.

A *seat* of None is a watcher. Racks of others stay hidden until the game is over.
"""

from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal, TypeAlias, assert_never

from crossroom_engine.core import events
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.events import EndReason, Event, Seat
from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.tiles import HIDDEN, Tiles, multiset
from crossroom_engine.game.game import Game, Phase
from crossroom_engine.game.timing import due_at

_OWNED: Final = (
    events.Drew, events.Retired, events.RackReturned, events.Exchanged, events.Withdrawn,
    events.Undone,
)  # fmt: skip
"""Events with hidden tiles."""

_PUBLIC: Final = (
    events.DrewForFirst, events.TurnBegan, events.Played, events.Passed, events.Challenged,
    events.TurnForfeited, events.TurnSkipped, events.TargetReached, events.LastWordAwaited,
    events.Accepted, events.Awarded, events.Adjourned, events.Continued, events.Ended,
)  # fmt: skip
"""Events without secrets."""

MoveOption: TypeAlias = Literal["place", "exchange", "pass", "challenge", "accept", "resign"]
"""A kind of move, as in the ``kind`` of :data:`crossroom_engine.core.moves.Move`."""


@dataclass(frozen=True)
class PlayerView:
    """A seat as a reader sees it: ``rack`` is None where hidden, ``tiles`` is its size.

    ``used`` is the time of the player's finished turns, ``allowed`` that for all turns so far,
    overtime aside, both in milliseconds (None: there is no clock); ``forfeits`` the number of turns
    that the player has still to lose.
    """

    name: str
    score: int
    tiles: int
    rack: Tiles | None
    used: int
    forfeits: int
    retired: bool
    allowed: int | None = None


@dataclass(frozen=True)
class View:
    """A whole game as one reader may see it; no memory is needed to draw it.

    ``board`` holds a text per row: a capital is a tile, lower case a blank, ``.`` an empty square,
    ``[CH]`` a tile of several characters. ``unseen`` are the tiles in the bag and on hidden racks
    together. ``first`` begins every round. ``reclaimable`` are the squares of the blanks that this
    reader may take back (RULES 5.3). ``scoreless`` turns in a row of ``scoreless_limit``, which end
    the game (RULES 6.2). ``since`` is the start of the running turn, or of the wait for
    the last word, and ``due`` when the server will act if nobody does, in ms since 1970; None while
    no clock runs. ``adjourned``: until all are back and ready (RULES 6.10). ``undoable`` is whose
    turn can be taken back (RULES 6.12).
    """

    seat: Seat | None
    players: tuple[PlayerView, ...]
    board: tuple[str, ...]
    bag: int
    unseen: Tiles
    phase: Phase
    turn: int
    first: Seat
    on_turn: Seat
    options: tuple[MoveOption, ...]
    reclaimable: tuple[Square, ...]
    open_play: events.Played | None
    awaited: tuple[Seat, ...]
    scoreless: int
    scoreless_limit: int
    target_by: Seat | None
    since: int | None
    due: int | None
    ended: EndReason | None
    winners: tuple[Seat, ...]
    version: int
    adjourned: bool = False
    undoable: Seat | None = None

    @property
    def rack(self) -> Tiles:
        """The reader's own rack; empty for a watcher."""
        return (self.players[self.seat].rack or ()) if self.seat is not None else ()


def view(game: Game, seat: Seat | None, watched: View | None = None) -> View:
    """Return everything that *seat* may see of *game*.

    Args:
        game: The whole game.
        seat: The reader.
        watched: The view of a watcher, if it is at hand: most of it is the same.
    """
    watched = watched or _watched(game)
    if seat is None:
        return watched
    own = replace(watched.players[seat], rack=game.players[seat].rack)
    players = (*watched.players[:seat], own, *watched.players[seat + 1 :])
    return replace(
        watched,
        seat=seat,
        players=players,
        unseen=_unseen(game, players),
        options=move_options(game, seat),
        reclaimable=game.reclaimable(seat),
    )


def _watched(game: Game) -> View:
    over = game.phase == "over"
    players = tuple(
        PlayerView(
            name=player.name,
            score=player.score,
            tiles=len(player.rack),
            rack=player.rack if over else None,
            used=player.used,
            forfeits=player.forfeits,
            retired=player.retired,
            allowed=game.allowed(seat),
        )
        for seat, player in enumerate(game.players)
    )
    return View(
        seat=None,
        players=players,
        board=game.board.rows,
        bag=len(game.bag),
        unseen=_unseen(game, players),
        phase=game.phase,
        turn=game.turn,
        first=game.first,
        on_turn=game.on_turn,
        options=(),
        reclaimable=(),
        open_play=game.open_play,
        awaited=game.awaited,
        scoreless=game.scoreless,
        scoreless_limit=game.rules.scoreless_turns(len(game.players)),
        target_by=game.target_by,
        since=game.since,
        due=due_at(game),
        ended=game.ended.why if game.ended else None,
        winners=game.ended.winners if game.ended else (),
        version=game.version,
        adjourned=game.adjourned,
        undoable=game.undoable,
    )


def move_options(game: Game, seat: Seat) -> tuple[MoveOption, ...]:
    """Return the kinds of move that *seat* may make now; an exchange of nothing is a pass."""
    if game.phase == "over" or game.players[seat].retired:
        return ()
    if game.adjourned:
        return ("resign",) if len(game.active) == 2 else ()
    found: list[MoveOption] = []
    if game.phase == "playing" and seat == game.on_turn:
        found += ["place", "pass"]
        if len(game.bag) >= max(1, game.rules.exchange_bag):
            found.append("exchange")
    if game.may_challenge(seat):
        found.append("challenge")
    if seat in game.awaited:
        found.append("accept")
    return (*found, "resign")


def event_owner(event: Event) -> Seat | None:
    """Return who may hear more of *event* than all others; None: nobody."""
    return event.seat if isinstance(event, _OWNED) else None


def redact(event: Event, seat: Seat | None) -> Event:
    """Return *event* as *seat* may hear it: hidden tiles keep their number, but not their faces."""
    if isinstance(event, _PUBLIC) or (seat is not None and event_owner(event) == seat):
        return event
    match event:
        case (
            events.Drew(tiles=tiles)
            | events.Retired(tiles=tiles)
            | events.RackReturned(tiles=tiles)
        ):
            return replace(event, tiles=_hide(tiles))
        case events.Exchanged(_, tiles, drew):
            return replace(event, tiles=_hide(tiles), drew=_hide(drew))
        case events.Withdrawn(returned=returned):
            return replace(event, returned=_hide(returned))
        case events.Undone(returned=returned, regained=regained):
            return replace(event, returned=_hide(returned), regained=_hide(regained))
        case events.Started():
            return replace(event, seed="")
        case _:
            assert_never(event)


def _hide(tiles: Tiles) -> Tiles:
    return (HIDDEN,) * len(tiles)


def _unseen(game: Game, players: tuple[PlayerView, ...]) -> Tiles:
    pairs = zip(game.players, players, strict=True)
    hidden = (player.rack for player, shown in pairs if shown.rack is None)
    return multiset(chain(game.bag, *hidden))
