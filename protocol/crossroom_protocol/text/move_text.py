"""Tell a move to people: everything that followed from it, in one line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeVar, assert_never

from crossroom_engine.core.events import (
    Accepted,
    Adjourned,
    Awarded,
    Challenged,
    Continued,
    Drew,
    DrewForFirst,
    Ended,
    EndReason,
    Event,
    Exchanged,
    LastWordAwaited,
    Passed,
    Played,
    RackReturned,
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
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.tiles import HIDDEN
from crossroom_engine.game.views import View
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import (
    format_count,
    format_spot,
    format_tiles,
    join_and,
    join_or,
    main_word,
    strip_brackets,
)
from crossroom_protocol.events.room import Moved
from crossroom_protocol.text.rules_text import rules_summary
from crossroom_protocol.text.status_text import result_text, scores_text, to_move_text

AnEvent = TypeVar("AnEvent", bound=Event)

SEAL_DIGITS: Final = 16
"""Digits of a seal in prose: 64 bits, too many to find another seed for while a game lasts."""


_OVER: Final[dict[EndReason, str]] = {
    "no_plays": Phrase("nobody can play any more"),
    "scoreless": Phrase("too many turns without points"),
    "target": Phrase("the last round is complete"),
    "resigned": Phrase("nobody else is in the game"),
    "challenge": Phrase("nobody else is in the game"),
    "time": Phrase("nobody else is in the game"),
    "absent": Phrase("nobody else is in the game"),
    "aborted": Phrase("ended by agreement, without a result"),
    "cancelled": Phrase("cancelled, as nobody had moved"),
}


def move_line(moved: Moved, game: View, *, reader: bool = False) -> str:
    """Return the sentence about a move; *game* is as it was right after."""
    return MoveText(moved, game, reader, frozenset(map(type, moved.events))).line()


@dataclass(frozen=True)
class MoveText:
    """The clauses that tell a move.

    ``game`` is as it is after it, ``reader`` says whether somebody listens, ``kinds`` are those of
    its events.
    """

    moved: Moved
    game: View
    reader: bool
    kinds: frozenset[type[Event]]

    def line(self) -> str:
        """Return the whole sentence."""
        ended = next(self.of_kind(Ended), None) if self.has(Ended) else None
        return "; ".join([*self.clauses(), *(self._ending(ended) if ended else self.standing())])

    def clauses(self) -> list[str]:
        """List what each event of the move did."""
        return [clause for event in self.moved.events if (clause := self.clause(event))]

    def of_kind(self, kind: type[AnEvent]) -> Iterator[AnEvent]:
        """Yield the events of one kind."""
        return (event for event in self.moved.events if isinstance(event, kind))

    def has(self, *kinds: type[Event]) -> bool:
        """Whether an event of one of the *kinds* is among them."""
        return not self.kinds.isdisjoint(kinds)

    def _name(self, seat: Seat) -> str:
        return self.game.players[seat].name

    def clause(self, event: Event) -> str:
        """Tell what one event did; empty if that is told at the end of the line."""
        match event:
            case Started(rules=rules, lexicon=lexicon, seal=seal):
                sealed = (
                    gettext("; bag sealed: sha256 {seal}...", seal=seal[:SEAL_DIGITS])
                    if seal
                    else ""
                )
                begun = gettext("game {game} begins: ", game=self.moved.game)
                return f"{begun}{rules_summary(rules, lexicon)}{sealed}"
            case DrewForFirst(drawn):
                tiles = (
                    f"{self._name(seat)} {format_tiles([tile], spoken=True)}"
                    for seat, tile in drawn
                )
                return gettext("drawn for the first turn: {tiles}", tiles=", ".join(tiles))
            case Drew(_, tiles):
                return (
                    ""
                    if HIDDEN in tiles
                    else gettext("you draw {tiles}", tiles=format_tiles(tiles, spoken=self.reader))
                )
            case Played():
                return self._play(event)
            case Exchanged():
                return self._exchange(event)
            case Passed(seat):
                return gettext("{name} passes", name=self._name(seat))
            case Challenged():
                return self._challenge(event)
            case Withdrawn():
                return self._withdrawal(event)
            case TurnForfeited(seat):
                return gettext("{name} will lose the next turn", name=self._name(seat))
            case TurnSkipped(seat):
                return gettext("{name} loses this turn", name=self._name(seat))
            case TargetReached(seat):
                return gettext(
                    "{name} has reached the target, and this round is the last",
                    name=self._name(seat),
                )
            case LastWordAwaited():
                return self._last_word(event)
            case Accepted(seat, late):
                name = self._name(seat)
                if late:
                    return gettext("{name} did not challenge in time", name=name)
                return gettext("{name} accepts", name=name)
            case Retired():
                return self._retirement(event)
            case RackReturned(seat):
                return gettext("the rack of {name} goes into the bag", name=self._name(seat))
            case Awarded(seat, points, "challenge"):
                return gettext(
                    "{name} gets {points} points for it", name=self._name(seat), points=points
                )
            case Undone():
                return self._taking_back(event)
            case Adjourned():
                return self._adjournment(event)
            case Continued():
                if self.game.due is None:
                    return gettext("the game goes on")
                return gettext("the clock runs again")
            case TurnBegan() | Awarded() | Ended():
                return ""  # told at the end of the line
            case _:
                assert_never(event)

    def _play(self, play: Played) -> str:
        player, laid = self.game.players[play.seat], len(play.laid)
        blanks = [tile.letter.letter for tile in play.laid if tile.letter.blank]
        drawn = sum(len(draw.tiles) for draw in self.of_kind(Drew))
        told = gettext(
            "{name} plays {spot} {main_word}",
            name=player.name,
            spot=format_spot(play.spot, spoken=self.reader),
            main_word=main_word(play),
        )
        if blanks:
            told += gettext(" (a blank for {blanks})", blanks=join_and(blanks))
        if play.words[1:]:
            told += gettext(" with {words}", words=join_and(strip_brackets(play.words[1:])))
        told += gettext(" for {points}", points=play.points)
        if player.tiles == drawn:
            told += _all_at_once(laid)
        for swap in play.swapped:
            told += gettext(
                ", swapping {faces} for the blank on {square}",
                faces=format_tiles([swap.letter.letter]),
                square=swap.square,
            )
        return told if self.has(Ended) else f"{told}: {scores_text(self.game)}"

    def _exchange(self, event: Exchanged) -> str:
        name, count = self._name(event.seat), len(event.tiles)
        if HIDDEN in event.tiles:
            return gettext("{name} exchanges {count}", name=name, count=format_count(count, "tile"))
        given, drawn = (
            format_tiles(tiles, spoken=self.reader) for tiles in (event.tiles, event.drew)
        )
        return gettext(
            "{name} exchanges {given} and draws {drawn}", name=name, given=given, drawn=drawn
        )

    def _challenge(self, event: Challenged) -> str:
        words, bad = strip_brackets(event.words), strip_brackets(event.bad)
        told = gettext(
            "{name} challenges {words}", name=self._name(event.seat), words=join_and(words)
        )
        if not bad:
            if words[1:]:
                return told + gettext(": all are in the word list, the play stands")
            return told + gettext(": in the word list, the play stands")
        if not words[1:]:
            return told + gettext(": not in the word list")
        wrong = gettext(": {words} are not in the word list", words=join_and(bad))
        return told + (
            wrong if bad[1:] else gettext(": {word} is not in the word list", word=bad[0])
        )

    def _withdrawal(self, event: Withdrawn) -> str:
        returned = ""
        if event.returned and HIDDEN not in event.returned:
            returned = gettext(
                ", puts {returned} back into the bag",
                returned=format_tiles(event.returned, spoken=self.reader),
            )
        return gettext(
            "{name} takes it back{returned} and loses the turn",
            name=self._name(event.seat),
            returned=returned,
        )

    def _taking_back(self, event: Undone) -> str:
        told = gettext("{name} takes the latest turn back", name=self._name(event.seat))
        if event.returned and HIDDEN not in event.returned:
            told += gettext(
                " and puts {returned} back into the bag",
                returned=format_tiles(event.returned, spoken=self.reader),
            )
        return told

    def _adjournment(self, event: Adjourned) -> str:
        if event.why == "server":
            return gettext("the clock is stopped")
        if event.why == "jump":
            return gettext("the server was suspended or its clock was set; nobody loses time by it")
        away = (
            gettext("{name} stays away, so ", name=self._name(self.game.on_turn))
            if event.why == "absent"
            else ""
        )
        return gettext(
            "{away}the game is adjourned; it goes on when all are back and say /ready", away=away
        )

    def _last_word(self, event: LastWordAwaited) -> str:
        names = [self._name(seat) for seat in self.game.awaited]
        told = gettext(
            "{why}, so this ends the game unless it is challenged: {names} may /challenge or "
            "/accept",
            why=self.why(event.why),
            names=join_and(names),
        )
        if self.game.due is not None:
            seconds = round((self.game.due - event.at) / 1000)
            told += gettext(" within {seconds}", seconds=format_count(seconds, "second"))
        return told

    def _retirement(self, event: Retired) -> str:
        name = self._name(event.seat)
        cancelled = any(ended.why == "cancelled" for ended in self.of_kind(Ended))
        match event.why:
            case "resigned":
                told = gettext("{name} resigns", name=name)
            case "time" if cancelled:
                told = gettext("{name} is out of time", name=name)
            case "absent" if cancelled:
                told = gettext("{name} has been away for too long", name=name)
            case "challenge":
                told = gettext("{name} loses the game by this challenge", name=name)
            case "time":
                told = gettext("{name} is out of time and loses", name=name)
            case "absent":
                told = gettext("{name} has been away for too long and loses", name=name)
        count = len(event.tiles)
        return (
            gettext(
                "{told}, and {count} go back into the bag",
                told=told,
                count=format_count(count, "tile"),
            )
            if count
            else told
        )

    def standing(self) -> list[str]:
        """List what holds now: scores, bag, scoreless turns, whose turn it is, open challenges."""
        game = self.game
        if self.has(Started):
            return [gettext("{to_move}, bag {bag}", to_move=to_move_text(game), bag=game.bag)]
        told = self.changes()
        if not self.has(Adjourned, LastWordAwaited):
            told.append(to_move_text(game))
        if self.has(Played) and game.open_play is not None and game.phase == "playing":
            told.append(self._doubt(game.open_play.seat))
        return told

    def changes(self) -> list[str]:
        """List what the move changed for all: scores, bag, scoreless turns."""
        game, told = self.game, []
        if self.has(Withdrawn, Awarded, Undone):
            told.append(scores_text(game))
        if self.has(Played, Exchanged, Withdrawn, Retired, Undone):
            told.append(_bag(game))
        if game.scoreless > 1 and self.has(Passed, Exchanged, Withdrawn, TurnSkipped):
            told.append(
                gettext(
                    "{scoreless} turns in a row without points ({limit} end the game)",
                    scoreless=game.scoreless,
                    limit=game.scoreless_limit,
                )
            )
        return told

    def _doubt(self, player: Seat) -> str:
        if self.game.seat != player:
            return gettext("/challenge is open")
        others = [
            other.name
            for seat, other in enumerate(self.game.players)
            if seat != player and not other.retired
        ]
        return gettext("{others} may /challenge", others=join_or(others))

    def _ending(self, ended: Ended) -> list[str]:
        """Why the game is over, what that did to the scores, who won, and what players do next."""
        game, told = self.game, [gettext("game over: {why}", why=self.why(ended.why))]
        again = [gettext("/ready for another game")] if game.seat is not None else []
        if ended.seed:
            again = [self._reveal(ended.seed), *again]
        told += self.awards(ended)
        if ended.why not in ("cancelled", "aborted"):
            told += [
                gettext("final scores {scores}", scores=scores_text(game)),
                result_text(game),
            ]
        return told + again

    def awards(self, ended: Ended) -> list[str]:
        """List what the end did to the scores, and who is left with which tiles."""
        if ended.why in ("cancelled", "aborted"):
            return []
        charged = {event.seat for event in self.of_kind(Awarded) if event.why == "left_over"}
        return [
            *map(self._award, self.of_kind(Awarded)),
            *(
                gettext("{name} is left with {rack}", name=player.name, rack=self._rack(seat))
                for seat, player in enumerate(self.game.players)
                if player.rack and seat not in charged
            ),
        ]

    def _reveal(self, seed: str) -> str:
        """64 hexadecimal digits are nothing to listen to; the record has them too."""
        return (
            gettext("the bag's seed is in /export json")
            if self.reader
            else gettext("the bag's seed was {seed}", seed=seed)
        )

    def _rack(self, seat: Seat) -> str:
        return format_tiles(self.game.players[seat].rack or (), spoken=self.reader)

    def why(self, reason: EndReason) -> str:
        """Tell why the game is over."""
        if reason != "out":
            return gettext(_OVER[reason])
        out = [player for player in self.game.players if not player.tiles]
        done = [player.name for player in out if not (player.retired and out[1:])]
        if done[1:]:
            return gettext("{names} have no tiles left", names=join_and(done))
        return gettext("{name} has no tiles left", name=join_and(done))

    def _award(self, event: Awarded) -> str:
        name, points = self._name(event.seat), event.points
        match event.why:
            case "challenge":
                return ""
            case "left_over":
                return gettext(
                    "{name} loses {points} for {rack}",
                    name=name,
                    points=-points,
                    rack=self._rack(event.seat),
                )
            case "went_out":
                return gettext("{name} gets {points} for going out", name=name, points=points)
            case "overtime":
                return gettext("{name} loses {points} for overtime", name=name, points=-points)


def _all_at_once(laid: int) -> str:
    return (
        gettext(", all {laid} tiles at once", laid=laid) if laid > 1 else gettext(", the last tile")
    )


def _bag(game: View) -> str:
    if game.bag:
        return gettext("bag {bag}", bag=game.bag)
    racks = (f"{player.name} {player.tiles}" for player in game.players if not player.retired)
    return gettext("the bag is empty, tiles on racks: {racks}", racks=", ".join(racks))
