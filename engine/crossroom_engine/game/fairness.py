"""Is the bag fair? A seed that is sealed before the first tile, and checked after the last.

The seal binds whoever runs the game: afterwards no draw can be another than the seed, the bag and
the number of the draw make it. RULES 9 has the bytes.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from crossroom_engine.core.dice import Chance, Dice
from crossroom_engine.core.errors import BadText, CorruptLog
from crossroom_engine.core.events import (
    Drew,
    DrewForFirst,
    Ended,
    Event,
    Exchanged,
    Played,
    Seat,
    Started,
    TurnBegan,
)
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tiles, draw_tiles, spell
from crossroom_engine.game.game import apply, initial_game

_SEED: Final = re.compile("[0-9a-f]{64}")


def make_seal(seed: str, bag: Tiles, at: int, players: Iterable[str]) -> str:
    """The SHA-256 digest, in hexadecimal, that commits to a seed for one game (RULES 9.1).

    Args:
        seed: 64 hexadecimal digits.
        bag: All tiles of the game.
        at: When it begins, in milliseconds since 1970 (UTC).
        players: Their names, in the order of seats.
    """
    lines = ("crossroom seal 1", seed, spell(bag), str(at), *players)
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def draw_for_first(
    rules: Ruleset, players: int, chance: Callable[[int], Chance]
) -> tuple[tuple[DrewForFirst, ...], Seat]:
    """Who begins, and what was drawn to find out (RULES 1.2).

    Args:
        rules: Of the game.
        players: How many play.
        chance: What decides the round of that number, counted from 0.
    """
    seats, bag = list(range(players)), rules.tiles.distribution
    if rules.first_player == "seat":
        return (), 0
    if rules.first_player == "random":
        return (), chance(0).choice(seats)
    rounds: list[DrewForFirst] = []
    while len(seats) > 1 and len(set(bag)) > 1:
        tiles = chance(len(rounds)).sample(bag, len(seats))
        drawn = tuple(zip(seats, tiles, strict=True))
        rounds.append(DrewForFirst(drawn))
        best = min(rules.tiles.rank(tile) for tile in tiles)
        seats = [seat for seat, tile in drawn if rules.tiles.rank(tile) == best]
    return tuple(rounds), seats[0]


@dataclass(frozen=True)
class Mismatch:
    """Something that is not as the seed has it; ``event`` counts the game's events from 1."""

    event: int
    prose: str


@dataclass(frozen=True)
class Verdict:
    """What came of recomputing a game: ``draws`` were thrown again, ``findings`` disagree."""

    seal: str
    seed: str
    draws: int
    findings: tuple[Mismatch, ...]


def verify_draws(events: Iterable[Event]) -> Verdict:
    """Throw all dice of a finished game again.

    Every hand that was drawn must be the one that the seed gives, for whoever had to draw then, and
    as many tiles; nothing may be drawn besides. That the seal is the one that people were shown
    when the game began, only they can tell.

    Raises:
        BadText: the game was never sealed, or is not over, so nobody can check it.
        CorruptLog: the events do not form a game.
    """
    log = tuple(events)
    started, ended = (log[0], log[-1]) if log else (None, None)
    if not isinstance(started, Started):
        raise BadText("there is no game")
    if not started.seal:
        raise BadText("the bag of this game was not sealed")
    if not isinstance(ended, Ended):
        raise BadText("the game is not over, so its seed is not known yet")
    if not _SEED.fullmatch(ended.seed):
        raise BadText("the seed was not revealed: the end of the game lacks 64 hexadecimal digits")
    check = _DrawCheck(started, ended.seed)
    for event in log[1:]:
        try:
            check.follow(event)
        except CorruptLog as error:
            if not check.findings:
                raise
            check.report(f"does not fit what came before: {error}")
            break
    return Verdict(started.seal, ended.seed, check.draws, tuple(check.findings))


class _DrawCheck:
    """A game on its way through its log: what the seed gives next, and who has still to draw."""

    def __init__(self, started: Started, seed: str) -> None:
        self.game, self.seed = initial_game(started), seed
        self.draws, self.number = 0, 1
        self.findings: list[Mismatch] = []
        players = len(started.players)
        if not 2 <= players <= len(self.game.bag):
            raise CorruptLog(f"{players} players cannot share this bag")
        try:
            sealed = make_seal(seed, self.game.bag, started.at, started.players)
        except UnicodeEncodeError as error:
            raise CorruptLog("a name is no text") from error
        if sealed != started.seal:
            self.report("the seed is not the one that was sealed")
        rounds, self._first = draw_for_first(
            started.rules, players, lambda number: Dice(seed, f"first {number}")
        )
        self._rounds = list(rounds)
        self._owing = list(range(players))

    def follow(self, event: Event) -> None:
        """Compare what *event* drew, and apply it."""
        self.number += 1
        if getattr(event, "seat", 0) not in range(len(self.game.players)):
            raise CorruptLog(f"{event.kind}: no such seat")
        self._look_at(event)
        try:
            self.game = apply(self.game, event)
        except OverflowError as error:  # there is no letter for so great a column
            raise CorruptLog(f"{event.kind}: no such square") from error

    def report(self, prose: str) -> None:
        """Something is wrong with the event being looked at."""
        self.findings.append(Mismatch(self.number, prose))

    def _look_at(self, event: Event) -> None:
        players = self.game.players
        match event:
            case DrewForFirst():
                self._compare_round(event)
                return
            case Drew(seat, tiles):
                self._finish_rounds()
                if seat not in self._owing[:1]:
                    self.report(f"{players[seat].name} drew out of turn")
                self._owing = self._owing[1:]
                self._compare(seat, tiles, self._missing(seat))
                return
            case Exchanged(seat, tiles, drew):
                self._compare(seat, drew, len(tiles))
            case TurnBegan(seat, 1) if seat != self._first:
                self.report(f"the seed lets {players[self._first].name} begin")
        for seat in self._owing:
            if wanted := self._missing(seat):
                self.report(f"{players[seat].name} did not draw {wanted}")
        self._owing = [event.seat] if isinstance(event, Played) else []

    def _compare_round(self, event: DrewForFirst) -> None:
        expected = self._rounds.pop(0) if self._rounds else None
        self.draws += 1
        if event != expected:
            gives = spell(tile for _, tile in expected.drawn) if expected else "no such draw"
            drew = spell(tile for _, tile in event.drawn)
            self.report(f"for the first turn was drawn {drew}; the seed gives {gives}")

    def _finish_rounds(self) -> None:
        if self._rounds:
            self.report("a draw for the first turn is missing")
            self._rounds = []

    def _compare(self, seat: Seat, drew: Tiles, wanted: int) -> None:
        number = self.game.draws
        expected = draw_tiles(self.game.bag, wanted, Dice(self.seed, f"draw {number}"))
        self.draws += 1
        if drew != expected:
            told, gives = spell(drew) or "nothing", spell(expected) or "nothing"
            name = self.game.players[seat].name
            self.report(f"draw {number}: {name} drew {told}; the seed gives {gives}")

    def _missing(self, seat: Seat) -> int:
        """How many tiles *seat* draws to fill its rack."""
        game = self.game
        return max(0, min(game.rules.rack - len(game.players[seat].rack), len(game.bag)))
