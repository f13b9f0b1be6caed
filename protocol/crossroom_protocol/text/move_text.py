"""What a move says to people: everything that followed from it, in one line."""

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
from crossroom_protocol.base.translate import say
from crossroom_protocol.base.wording import both, counted, either, faces, main_word, place, readable
from crossroom_protocol.events.room import Moved
from crossroom_protocol.text.rules_text import summary
from crossroom_protocol.text.standings import result, scores, to_move

AnEvent = TypeVar("AnEvent", bound=Event)

SEAL_SHOWN: Final = 16
"""Digits of a seal in prose: 64 bits, too many to find another seed for while a game lasts."""


_OVER: Final[dict[EndReason, str]] = {
    "no_plays": Phrase("nobody can play any more"),
    "scoreless": Phrase("too many turns without points"),
    "target": Phrase("the last round is complete"),
    "resigned": Phrase("only one player is left"),
    "challenge": Phrase("only one player is left"),
    "time": Phrase("only one player is left"),
    "absent": Phrase("only one player is left"),
    "aborted": Phrase("ended by agreement, without a result"),
    "cancelled": Phrase("cancelled, as nobody had moved"),
}


def tell_move(moved: Moved, game: View, *, reader: bool = False) -> str:
    """The sentence about a move; *game* is as it was right after. See :func:`prose.tell`."""
    return _Scene(moved, game, reader, frozenset(map(type, moved.events))).line()


@dataclass(frozen=True)
class _Scene:
    """A move, the game as it is after it, whether somebody listens, and the kinds of events."""

    moved: Moved
    game: View
    reader: bool
    kinds: frozenset[type[Event]]

    def line(self) -> str:
        ended = next(self._of(Ended), None) if self._has(Ended) else None
        clauses = [clause for event in self.moved.events if (clause := self._clause(event))]
        return "; ".join([*clauses, *(self._ending(ended) if ended else self._standing())])

    def _of(self, kind: type[AnEvent]) -> Iterator[AnEvent]:
        return (event for event in self.moved.events if isinstance(event, kind))

    def _has(self, *kinds: type[Event]) -> bool:
        return not self.kinds.isdisjoint(kinds)

    def _name(self, seat: Seat) -> str:
        return self.game.players[seat].name

    def _clause(self, event: Event) -> str:
        match event:
            case Started(rules=rules, lexicon=lexicon, seal=seal):
                sealed = (
                    say("; bag sealed: sha256 {seal}...", seal=seal[:SEAL_SHOWN]) if seal else ""
                )
                begun = say("game {game} begins: ", game=self.moved.game)
                return f"{begun}{summary(rules, lexicon)}{sealed}"
            case DrewForFirst(drawn):
                tiles = (f"{self._name(seat)} {faces([tile], spoken=True)}" for seat, tile in drawn)
                return say("drawn for the first turn: {tiles}", tiles=", ".join(tiles))
            case Drew(_, tiles):
                return (
                    ""
                    if HIDDEN in tiles
                    else say("you draw {tiles}", tiles=faces(tiles, spoken=self.reader))
                )
            case Played():
                return self._play(event)
            case Exchanged():
                return self._exchange(event)
            case Passed(seat):
                return say("{name} passes", name=self._name(seat))
            case Challenged():
                return self._challenge(event)
            case Withdrawn():
                return self._withdrawal(event)
            case TurnForfeited(seat):
                return say("{name} will lose the next turn", name=self._name(seat))
            case TurnSkipped(seat):
                return say("{name} loses this turn", name=self._name(seat))
            case TargetReached(seat):
                return say(
                    "{name} has reached the target, and this round is the last",
                    name=self._name(seat),
                )
            case LastWordAwaited():
                return self._last_word(event)
            case Accepted(seat, late):
                name = self._name(seat)
                if late:
                    return say("{name} did not challenge in time", name=name)
                return say("{name} accepts", name=name)
            case Retired():
                return self._retirement(event)
            case Awarded(seat, points, "challenge"):
                return say(
                    "{name} gets {points} points for it", name=self._name(seat), points=points
                )
            case Undone():
                return self._taking_back(event)
            case Adjourned():
                return self._adjournment(event)
            case Continued():
                return say("the clock runs again")
            case TurnBegan() | Awarded() | Ended():
                return ""  # told at the end of the line
            case _:
                assert_never(event)

    def _play(self, play: Played) -> str:
        player, laid = self.game.players[play.seat], len(play.laid)
        blanks = [tile.letter.letter for tile in play.laid if tile.letter.blank]
        drawn = sum(len(draw.tiles) for draw in self._of(Drew))
        told = say(
            "{name} plays {spot} {main_word}",
            name=player.name,
            spot=place(play.spot, spoken=self.reader),
            main_word=main_word(play),
        )
        if blanks:
            told += say(" (a blank for {blanks})", blanks=both(blanks))
        if play.words[1:]:
            told += say(" with {words}", words=both(readable(play.words[1:])))
        told += say(" for {points}", points=play.points)
        if player.tiles == drawn:
            told += _all_at_once(laid)
        for swap in play.swapped:
            told += say(
                ", swapping {faces} for the blank on {square}",
                faces=faces([swap.letter.letter]),
                square=swap.square,
            )
        return told if self._has(Ended) else f"{told}: {scores(self.game)}"

    def _exchange(self, event: Exchanged) -> str:
        name, count = self._name(event.seat), len(event.tiles)
        if HIDDEN in event.tiles:
            return say("{name} exchanges {count}", name=name, count=counted(count, "tile"))
        given, drawn = (faces(tiles, spoken=self.reader) for tiles in (event.tiles, event.drew))
        return say(
            "{name} exchanges {given} and draws {drawn}", name=name, given=given, drawn=drawn
        )

    def _challenge(self, event: Challenged) -> str:
        words, bad = readable(event.words), readable(event.bad)
        told = say("{name} challenges {words}", name=self._name(event.seat), words=both(words))
        if not bad:
            if words[1:]:
                return told + say(": all are in the word list, the play stands")
            return told + say(": in the word list, the play stands")
        if not words[1:]:
            return told + say(": not in the word list")
        wrong = say(": {words} are not in the word list", words=both(bad))
        return told + (wrong if bad[1:] else say(": {word} is not in the word list", word=bad[0]))

    def _withdrawal(self, event: Withdrawn) -> str:
        returned = ""
        if event.returned and HIDDEN not in event.returned:
            returned = say(
                ", puts {returned} back into the bag",
                returned=faces(event.returned, spoken=self.reader),
            )
        return say(
            "{name} takes it back{returned} and loses the turn",
            name=self._name(event.seat),
            returned=returned,
        )

    def _taking_back(self, event: Undone) -> str:
        told = say("{name} takes the latest turn back", name=self._name(event.seat))
        if event.returned and HIDDEN not in event.returned:
            told += say(
                " and puts {returned} back into the bag",
                returned=faces(event.returned, spoken=self.reader),
            )
        return told

    def _adjournment(self, event: Adjourned) -> str:
        if event.why == "server":
            return say("the clock is stopped")
        away = (
            say("{name} stays away, so ", name=self._name(self.game.on_turn))
            if event.why == "absent"
            else ""
        )
        return say(
            "{away}the game is adjourned; it goes on when all are back and say /ready", away=away
        )

    def _last_word(self, event: LastWordAwaited) -> str:
        names = [self._name(seat) for seat in self.game.awaited]
        told = say(
            "{why}, so this ends the game unless it is challenged: {names} may /challenge or "
            "/accept",
            why=self._why(event.why),
            names=both(names),
        )
        if self.game.due is not None:
            seconds = round((self.game.due - event.at) / 1000)
            told += say(" within {seconds}", seconds=counted(seconds, "second"))
        return told

    def _retirement(self, event: Retired) -> str:
        name = self._name(event.seat)
        match event.why:
            case "resigned":
                told = say("{name} resigns", name=name)
            case "challenge":
                told = say("{name} loses the game by this challenge", name=name)
            case "time":
                told = say("{name} is out of time and loses", name=name)
            case "absent":
                told = say("{name} has been away for too long and loses", name=name)
        count = len(event.tiles)
        return (
            say("{told}, and {count} go back into the bag", told=told, count=counted(count, "tile"))
            if count
            else told
        )

    def _standing(self) -> list[str]:
        """What holds now: scores, bag, turns without points, whose turn it is, open challenges."""
        game, told = self.game, []
        if self._has(Started):
            return [say("{to_move}, bag {bag}", to_move=to_move(game), bag=game.bag)]
        if self._has(Withdrawn, Awarded, Undone):
            told.append(scores(game))
        if self._has(Played, Exchanged, Withdrawn, Retired, Undone):
            told.append(_bag(game))
        if game.scoreless > 1 and self._has(Passed, Exchanged, Withdrawn, TurnSkipped):
            told.append(say("{scoreless} turns in a row without points", scoreless=game.scoreless))
        if not self._has(Adjourned, LastWordAwaited):
            told.append(to_move(game))
        if self._has(Played) and game.open_play is not None and game.phase == "playing":
            told.append(self._doubt(game.open_play.seat))
        return told

    def _doubt(self, player: Seat) -> str:
        if self.game.seat != player:
            return say("/challenge is open")
        others = [
            other.name
            for seat, other in enumerate(self.game.players)
            if seat != player and not other.retired
        ]
        return say("{others} may /challenge", others=either(others))

    def _ending(self, ended: Ended) -> list[str]:
        """Why the game is over, what that did to the scores, who won, and what players do next."""
        game, told = self.game, [say("game over: {why}", why=self._why(ended.why))]
        again = [say("/ready for another game")] if game.seat is not None else []
        if ended.seed:
            again = [self._reveal(ended.seed), *again]
        if ended.why in ("cancelled", "aborted"):
            return told + again
        told += map(self._award, self._of(Awarded))
        charged = {event.seat for event in self._of(Awarded) if event.why == "left_over"}
        told += [
            say("{name} is left with {rack}", name=player.name, rack=self._rack(seat))
            for seat, player in enumerate(game.players)
            if player.rack and seat not in charged
        ]
        return [*told, say("final scores {scores}", scores=scores(game)), result(game), *again]

    def _reveal(self, seed: str) -> str:
        """64 hexadecimal digits are nothing to listen to; the record has them too."""
        return (
            say("the bag's seed is in /export json")
            if self.reader
            else say("the bag's seed was {seed}", seed=seed)
        )

    def _rack(self, seat: Seat) -> str:
        return faces(self.game.players[seat].rack or (), spoken=self.reader)

    def _why(self, reason: EndReason) -> str:
        if reason != "out":
            return say(_OVER[reason])
        done = [player.name for player in self.game.players if not player.tiles]
        if done[1:]:
            return say("{names} have no tiles left", names=both(done))
        return say("{name} has no tiles left", name=both(done))

    def _award(self, event: Awarded) -> str:
        name, points = self._name(event.seat), event.points
        match event.why:
            case "challenge":
                return ""
            case "left_over":
                return say(
                    "{name} loses {points} for {rack}",
                    name=name,
                    points=-points,
                    rack=self._rack(event.seat),
                )
            case "went_out":
                return say("{name} gets {points} for going out", name=name, points=points)
            case "overtime":
                return say("{name} loses {points} for overtime", name=name, points=-points)


def _all_at_once(laid: int) -> str:
    return say(", all {laid} tiles at once", laid=laid) if laid > 1 else say(", the last tile")


def _bag(game: View) -> str:
    if game.bag:
        return say("bag {bag}", bag=game.bag)
    racks = (f"{player.name} {player.tiles}" for player in game.players if not player.retired)
    return say("the bag is empty, tiles on racks: {racks}", racks=", ".join(racks))
