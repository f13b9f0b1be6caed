"""Fairness of the bag: a seed that is sealed before the first tile, and checked after the last.

The seal binds whoever runs the game: no draw can be other than the seed, the bag and the number of
the draw make it. RULES 9 has the bytes.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, cast

from crossroom_engine.core import events
from crossroom_engine.core.dice import Chance, Dice
from crossroom_engine.core.errors import BadText, CorruptLog
from crossroom_engine.core.events import Event, Seat
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tiles, draw_tiles, spell
from crossroom_engine.game.game import apply, initial_game

FIRST_AFTER_START: Final = 2
"""The number of the event after ``started``."""
FOLLOW_A_GAME: Final = ("rotate", "loser")
"""Values of ``first_player`` by which a former game decides, if there was one (RULES 1.2)."""

_SEED: Final = re.compile("[0-9a-f]{64}")


def make_seal(seed: str, bag: Tiles, at: int, players: Iterable[str]) -> str:
    """Return the SHA-256 digest, in hexadecimal, that commits to a seed for a game (RULES 9.1).

    Args:
        seed: 64 hexadecimal digits.
        bag: All tiles of the game.
        at: The start, in milliseconds since 1970 (UTC).
        players: Names in the order of seats.
    """
    lines = ("crossroom seal 1", seed, spell(bag), str(at), *players)
    return sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def draw_for_first(
    rules: Ruleset, players: int, chance: Callable[[int], Chance], due: Seat | None = None
) -> tuple[tuple[events.DrewForFirst, ...], Seat]:
    """Find out who begins; return the draws for that, too (RULES 1.2).

    Args:
        rules: The rules of the game.
        players: The number of players.
        chance: Returns the source of draws of a round, counted from 0.
        due: The seat that a former game lets begin, under ``rotate`` and ``loser``.
    """
    seats, bag = list(range(players)), rules.tiles.distribution
    if rules.first_player == "seat":
        return (), 0
    if due is not None and rules.first_player in FOLLOW_A_GAME:
        return (), due
    if rules.first_player == "random":
        return (), chance(0).choice(seats)
    rounds: list[events.DrewForFirst] = []
    while len(seats) > 1 and len(set(bag)) > 1:
        tiles = chance(len(rounds)).sample(bag, len(seats))
        drawn = tuple(zip(seats, tiles, strict=True))
        rounds.append(events.DrewForFirst(drawn))
        best = min(rules.tiles.rank(tile) for tile in tiles)
        seats = [seat for seat, tile in drawn if rules.tiles.rank(tile) == best]
    return tuple(rounds), seats[0]


@dataclass(frozen=True)
class Mismatch:
    """A difference from what the seed gives; ``event`` counts the game's events from 1."""

    event: int
    prose: str


@dataclass(frozen=True)
class Verdict:
    """The result of repeating the draws of a game; ``findings`` are those that differ."""

    seal: str
    seed: str
    draws: int
    findings: tuple[Mismatch, ...]


def verify_draws(log: Iterable[Event]) -> Verdict:
    """Repeat all draws of a finished game.

    Every hand must be the one that the seed gives, of as many tiles as were due to whoever had to
    draw, and nothing else may be drawn. Only the players can tell whether the seal is the one that
    they were shown at the start.

    Raises:
        BadText: the game was never sealed, or is not over, so nobody can check it.
        CorruptLog: the events do not form a game.
    """
    entries = tuple(log)
    started, ended = (entries[0], entries[-1]) if entries else (None, None)
    if not isinstance(started, events.Started):
        raise BadText("there is no game")
    if not started.seal:
        raise BadText("the bag of this game was not sealed")
    if not isinstance(ended, events.Ended):
        raise BadText("the game is not over, so its seed is not known yet")
    if not _SEED.fullmatch(ended.seed):
        raise BadText("the seed was not revealed: the end of the game lacks 64 hexadecimal digits")
    check = _DrawCheck(started, ended.seed)
    for event in entries[1:]:
        try:
            check.follow(event)
        except CorruptLog as error:
            if not check.findings:
                raise
            check.report(f"does not fit what came before: {error}")
            break
    return Verdict(started.seal, ended.seed, check.draws, tuple(check.findings))


class _DrawCheck:
    """A game on its way through its log: the next draws by the seed, and who has still to draw."""

    def __init__(self, started: events.Started, seed: str) -> None:
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
        rounds, first = draw_for_first(
            started.rules, players, lambda number: Dice(seed, f"first {number}")
        )
        self._rounds, self._first = list(rounds), cast("Seat | None", first)
        self._may_follow = started.rules.first_player in FOLLOW_A_GAME
        self._owing = list(range(players))

    def follow(self, event: Event) -> None:
        """Compare what *event* drew, and apply it."""
        self.number += 1
        if getattr(event, "seat", 0) not in range(len(self.game.players)):
            raise CorruptLog(f"{event.kind}: no such seat")
        self._check_draws(event)
        try:
            self.game = apply(self.game, event)
        except OverflowError as error:  # there is no letter for so great a column
            raise CorruptLog(f"{event.kind}: no such square") from error

    def report(self, prose: str) -> None:
        """Note that something is wrong with the latest event."""
        self.findings.append(Mismatch(self.number, prose))

    def _check_draws(self, event: Event) -> None:
        players = self.game.players
        match event:
            case events.DrewForFirst():
                self._compare_round(event)
                return
            case events.Drew(seat, tiles):
                if self._may_follow and self.number == FIRST_AFTER_START:
                    self._rounds, self._first = [], None  # the game before tells who begins
                if self._rounds:
                    self.report("a draw for the first turn is missing")
                    self._rounds = []
                if seat not in self._owing[:1]:
                    self.report(f"{players[seat].name} drew out of turn")
                self._owing = self._owing[1:]
                self._compare(seat, tiles, self._missing(seat))
                return
            case events.Exchanged(seat, tiles, drew):
                self._compare(seat, drew, len(tiles))
            case events.TurnBegan(seat, 1) if self._first not in (None, seat):
                self.report(f"the seed lets {players[self._first or 0].name} begin")
        for seat in self._owing:
            if wanted := self._missing(seat):
                self.report(f"{players[seat].name} did not draw {wanted}")
        self._owing = [event.seat] if isinstance(event, events.Played) else []

    def _compare_round(self, event: events.DrewForFirst) -> None:
        expected = self._rounds.pop(0) if self._rounds else None
        self.draws += 1
        if event != expected:
            gives = spell(tile for _, tile in expected.drawn) if expected else "no such draw"
            drew = spell(tile for _, tile in event.drawn)
            self.report(f"for the first turn was drawn {drew}; the seed gives {gives}")

    def _compare(self, seat: Seat, drew: Tiles, wanted: int) -> None:
        number = self.game.draws
        expected = draw_tiles(self.game.bag, wanted, Dice(self.seed, f"draw {number}"))
        self.draws += 1
        if drew != expected:
            told, gives = spell(drew) or "nothing", spell(expected) or "nothing"
            name = self.game.players[seat].name
            self.report(f"draw {number}: {name} drew {told}; the seed gives {gives}")

    def _missing(self, seat: Seat) -> int:
        """Return how many tiles *seat* draws to fill its rack."""
        game = self.game
        return max(0, min(game.rules.rack - len(game.players[seat].rack), len(game.bag)))
