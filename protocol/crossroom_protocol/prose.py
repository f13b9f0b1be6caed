"""What an entry of a room's log says to people: one line each, and nothing left out.

Whoever hears the lines knows as much as whoever sees the board: words, points, scores, what the bag
holds, whose turn it is and what may be done. Entries arrive redacted, so a tile that is named here
is one that the reader may see.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeVar, assert_never

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
    Undone,
    Withdrawn,
)
from crossroom_engine.tiles import HIDDEN
from crossroom_engine.views import View, owner
from crossroom_protocol import order_prose
from crossroom_protocol.notices import RoomView
from crossroom_protocol.offer_prose import tell_offer
from crossroom_protocol.order_events import OrderEvent
from crossroom_protocol.room_events import (
    Agreed,
    HintTaken,
    Moved,
    NameRegistered,
    Renamed,
    RoomEvent,
    RulesChanged,
    Said,
    SeatLeft,
    SeatTaken,
)
from crossroom_protocol.rules_text import summary
from crossroom_protocol.wording import both, counted, faces, main_word, place, readable

AnEvent = TypeVar("AnEvent", bound=Event)

SEAL_SHOWN: Final = 16
"""Digits of a seal in prose: 64 bits, too many to find another seed for while a game lasts."""


def tell(event: RoomEvent, room: RoomView, *, reader: bool = False) -> str:
    """The sentence about *event*; *room* is as it was right after. No mark, no number.

    With *reader*, for those who listen: blanks and directions are spoken out.
    """
    match event:
        case SeatTaken(seat, _, name, bot, _):
            return f"{name} takes seat {seat + 1}" + (f" (a bot, level {bot})" if bot else "")
        case SeatLeft(seat, name):
            moved_up = f"; the seats are now {seating(room)}" if seat < len(room.seats) else ""
            return f"{name} leaves seat {seat + 1}{moved_up}"
        case Renamed(_, old, name):
            return f"{old} is now called {name}"
        case NameRegistered(_, name):
            return f"{name} is registered here; games count for that name from the next on"
        case Agreed(_, name, ready):
            return f"{name} is ready{_missing(room)}" if ready else f"{name} is not ready any more"
        case RulesChanged(name, setting, value):
            return f"{name} sets {setting} to {value}; say /ready again if you agree"
        case Said(name, text, me):
            return f"* {name} {text}" if me else f"{name}: {text}"
        case HintTaken(_, name):
            return f"{name} takes a hint"
        case Moved():
            assert room.game is not None, "a move without a game"
            return _Scene(event, room.game, reader).line()
        case _ if isinstance(event, OrderEvent):
            return order_prose.tell(event)
        case _:
            return tell_offer(event, room)


def addressed(event: RoomEvent, players: int) -> set[Seat]:
    """The seats that hear more of *event* than a watcher, in a game of so many; all others do not.

    Whoever owns the tiles hears their names, whoever played, who may challenge it, and players of a
    game that is over, how to begin another.
    """
    if not isinstance(event, Moved):
        return set()
    if any(isinstance(step, Ended) for step in event.events):
        return set(range(players))
    played = {step.seat for step in event.events if isinstance(step, Played)}
    return played | {seat for step in event.events if (seat := owner(step)) is not None}


def seating(room: RoomView) -> str:
    """Who sits where: ``1 alice, 2 bob``."""
    return ", ".join(f"{number} {seat.name}" for number, seat in enumerate(room.seats, 1))


def scores(game: View) -> str:
    """The score of everybody: ``alice 48, bob 0``."""
    return ", ".join(f"{player.name} {player.score}" for player in game.players)


def to_move(game: View) -> str:
    """Whom the game waits for: ``bob to move (turn 2)``."""
    if game.phase == "last_word":
        waiting = [game.players[seat].name for seat in game.awaited]
        return f"waiting for {both(waiting)}: /accept or /challenge"
    return f"{game.players[game.on_turn].name} to move (turn {game.turn})"


def result(game: View) -> str:
    """Who won: ``alice wins``."""
    winners = [game.players[seat].name for seat in game.winners]
    match winners:
        case []:
            return "nobody wins"
        case [winner]:
            return f"{winner} wins"
        case _:
            return f"{both(winners)} share the win"


def _missing(room: RoomView) -> str:
    waiting = [seat.name for seat in room.seats if not seat.ready]
    if len(room.seats) < 2:
        return "; a game takes two: invite a friend, or /bot add"
    return f"; waiting for {both(waiting)}" if waiting else ""


_OVER: Final[dict[Reason, str]] = {
    "no_plays": "nobody can play any more",
    "scoreless": "too many turns without points",
    "target": "the last round is complete",
    "resigned": "only one player is left",
    "challenge": "only one player is left",
    "time": "only one player is left",
    "absent": "only one player is left",
    "aborted": "ended by agreement, without a result",
    "cancelled": "cancelled, as nobody had moved",
}


@dataclass(frozen=True)
class _Scene:
    """A move, the game as it is after it, and whether somebody listens."""

    moved: Moved
    game: View
    reader: bool

    def line(self) -> str:
        ended = next(self._of(Ended), None)
        clauses = [clause for event in self.moved.events if (clause := self._clause(event))]
        return "; ".join([*clauses, *(self._ending(ended) if ended else self._standing())])

    def _of(self, kind: type[AnEvent]) -> Iterator[AnEvent]:
        return (event for event in self.moved.events if isinstance(event, kind))

    def _has(self, *kinds: type[Event]) -> bool:
        return any(isinstance(event, kinds) for event in self.moved.events)

    def _name(self, seat: Seat) -> str:
        return self.game.players[seat].name

    def _clause(self, event: Event) -> str:
        match event:
            case Started(rules=rules, lexicon=lexicon, seal=seal):
                sealed = f"; bag sealed: sha256 {seal[:SEAL_SHOWN]}..." if seal else ""
                return f"game {self.moved.game} begins: {summary(rules, lexicon)}{sealed}"
            case DrewForFirst(drawn):
                tiles = (f"{self._name(seat)} {faces([tile], spoken=True)}" for seat, tile in drawn)
                return f"drawn for the first turn: {', '.join(tiles)}"
            case Drew(_, tiles):
                return "" if HIDDEN in tiles else f"you draw {faces(tiles, spoken=self.reader)}"
            case Played():
                return self._play(event)
            case Exchanged():
                return self._exchange(event)
            case Passed(seat):
                return f"{self._name(seat)} passes"
            case Challenged():
                return self._challenge(event)
            case Withdrawn():
                return self._withdrawal(event)
            case TurnForfeited(seat):
                return f"{self._name(seat)} will lose the next turn"
            case TurnSkipped(seat):
                return f"{self._name(seat)} loses this turn"
            case TargetReached(seat):
                return f"{self._name(seat)} has reached the target, and this round is the last"
            case LastWordAwaited():
                return self._last_word(event)
            case Accepted(seat, late):
                return f"{self._name(seat)} {'did not challenge in time' if late else 'accepts'}"
            case Retired():
                return self._retirement(event)
            case Awarded(seat, points, "challenge"):
                return f"{self._name(seat)} gets {points} points for it"
            case Undone():
                return self._taking_back(event)
            case Adjourned():
                return self._adjournment(event)
            case Continued():
                return "the clock runs again"
            case TurnBegan() | Awarded() | Ended():
                return ""  # told at the end of the line
            case _:
                assert_never(event)

    def _play(self, play: Played) -> str:
        player, laid = self.game.players[play.seat], len(play.laid)
        blanks = [tile.letter.letter for tile in play.laid if tile.letter.blank]
        drawn = sum(len(draw.tiles) for draw in self._of(Drew))
        told = f"{player.name} plays {place(play.spot, spoken=self.reader)} {main_word(play)}"
        if blanks:
            told += f" (a blank for {both(blanks)})"
        if play.words[1:]:
            told += f" with {both(readable(play.words[1:]))}"
        told += f" for {play.points}"
        if player.tiles == drawn:
            told += f", all {laid} tiles at once" if laid > 1 else ", the last tile"
        for swap in play.swapped:
            told += f", swapping {faces([swap.letter.letter])} for the blank on {swap.square}"
        return told if self._has(Ended) else f"{told}: {scores(self.game)}"

    def _exchange(self, event: Exchanged) -> str:
        name, count = self._name(event.seat), len(event.tiles)
        if HIDDEN in event.tiles:
            return f"{name} exchanges {counted(count, 'tile')}"
        given, drawn = (faces(tiles, spoken=self.reader) for tiles in (event.tiles, event.drew))
        return f"{name} exchanges {given} and draws {drawn}"

    def _challenge(self, event: Challenged) -> str:
        words, bad = readable(event.words), readable(event.bad)
        told = f"{self._name(event.seat)} challenges {both(words)}"
        if not bad:
            good = "all are in" if words[1:] else "in"
            return f"{told}: {good} the word list, the play stands"
        wrong = f"{both(bad)} {'are' if bad[1:] else 'is'} not in" if words[1:] else "not in"
        return f"{told}: {wrong} the word list"

    def _withdrawal(self, event: Withdrawn) -> str:
        returned = ""
        if event.returned and HIDDEN not in event.returned:
            returned = f", puts {faces(event.returned, spoken=self.reader)} back into the bag"
        return f"{self._name(event.seat)} takes it back{returned} and loses the turn"

    def _taking_back(self, event: Undone) -> str:
        told = f"{self._name(event.seat)} takes the latest turn back"
        if event.returned and HIDDEN not in event.returned:
            told += f" and puts {faces(event.returned, spoken=self.reader)} back into the bag"
        return told

    def _adjournment(self, event: Adjourned) -> str:
        if event.why == "server":
            return "the clock is stopped"
        away = f"{self._name(self.game.on_turn)} stays away, so " if event.why == "absent" else ""
        return f"{away}the game is adjourned; it goes on when all are back and say /ready"

    def _last_word(self, event: LastWordAwaited) -> str:
        names = [self._name(seat) for seat in self.game.awaited]
        within = ""
        if self.game.due is not None:
            seconds = round((self.game.due - event.at) / 1000)
            within = f" within {counted(seconds, 'second')}"
        return (
            f"{self._why(event.why)}, so this ends the game unless it is challenged: "
            f"{both(names)} may /challenge or /accept{within}"
        )

    def _retirement(self, event: Retired) -> str:
        name = self._name(event.seat)
        match event.why:
            case "resigned":
                told = f"{name} resigns"
            case "challenge":
                told = f"{name} loses the game by this challenge"
            case "time":
                told = f"{name} is out of time and loses"
            case "absent":
                told = f"{name} has been away for too long and loses"
        count = len(event.tiles)
        return f"{told}, and {counted(count, 'tile')} go back into the bag" if count else told

    def _standing(self) -> list[str]:
        """What holds now: scores, bag, turns without points, whose turn it is, open challenges."""
        game, told = self.game, []
        if self._has(Started):
            return [f"{to_move(game)}, bag {game.bag}"]
        if self._has(Withdrawn, Awarded, Undone):
            told.append(scores(game))
        if self._has(Played, Exchanged, Withdrawn, Retired, Undone):
            told.append(_bag(game))
        if game.scoreless > 1 and self._has(Passed, Exchanged, Withdrawn, TurnSkipped):
            told.append(f"{game.scoreless} turns in a row without points")
        if not self._has(Adjourned, LastWordAwaited):
            told.append(to_move(game))
        if self._has(Played) and game.open_play is not None and game.phase == "playing":
            told.append(self._doubt(game.open_play.seat))
        return told

    def _doubt(self, player: Seat) -> str:
        if self.game.seat != player:
            return "/challenge is open"
        others = [
            other.name
            for seat, other in enumerate(self.game.players)
            if seat != player and not other.retired
        ]
        return f"{both(others, 'or')} may /challenge"

    def _ending(self, ended: Ended) -> list[str]:
        """Why the game is over, what that did to the scores, who won, and what players do next."""
        game, told = self.game, [f"game over: {self._why(ended.why)}"]
        again = ["/ready for another game"] if game.seat is not None else []
        if ended.seed:
            again = [self._reveal(ended.seed), *again]
        if ended.why in ("cancelled", "aborted"):
            return told + again
        told += map(self._award, self._of(Awarded))
        charged = {event.seat for event in self._of(Awarded) if event.why == "left_over"}
        told += [
            f"{player.name} is left with {self._rack(seat)}"
            for seat, player in enumerate(game.players)
            if player.rack and seat not in charged
        ]
        return [*told, f"final scores {scores(game)}", result(game), *again]

    def _reveal(self, seed: str) -> str:
        """64 hexadecimal digits are nothing to listen to; the record has them too."""
        return "the bag's seed is in /export json" if self.reader else f"the bag's seed was {seed}"

    def _rack(self, seat: Seat) -> str:
        return faces(self.game.players[seat].rack or (), spoken=self.reader)

    def _why(self, reason: Reason) -> str:
        if reason != "out":
            return _OVER[reason]
        done = [player.name for player in self.game.players if not player.tiles]
        return f"{both(done)} {'have' if done[1:] else 'has'} no tiles left"

    def _award(self, event: Awarded) -> str:
        name, points = self._name(event.seat), event.points
        match event.why:
            case "challenge":
                return ""
            case "left_over":
                return f"{name} loses {-points} for {self._rack(event.seat)}"
            case "went_out":
                return f"{name} gets {points} for going out"
            case "overtime":
                return f"{name} loses {-points} for overtime"


def _bag(game: View) -> str:
    if game.bag:
        return f"bag {game.bag}"
    racks = (f"{player.name} {player.tiles}" for player in game.players if not player.retired)
    return f"the bag is empty, tiles on racks: {', '.join(racks)}"
