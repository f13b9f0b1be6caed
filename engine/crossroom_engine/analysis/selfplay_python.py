"""Self-play in plain Python: a game by players who look no further than their own next play.

It does as ``kernel/selfplay.c`` does, turn by turn: :mod:`crossroom_engine.analysis.selfplay` plays
whole games with it, :mod:`crossroom_engine.analysis.rollouts` goes on with a game.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from crossroom_engine.core.board import Board
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tile, Tiles, multiset, take_tiles
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.movegen.numbering import number_tiles
from crossroom_engine.movegen.play import Play
from crossroom_engine.movegen.python_backend import PythonBackend
from crossroom_engine.words.lexicon import Lexicon

MAX_TURNS: Final = 400
"""Turns after which a game ends at the latest."""


class MatchRules(NamedTuple):
    """The rules of a game that go beyond a single play, as numbers.

    Attributes:
        least_exchange: Fewest tiles in the bag for an exchange, 1 or more.
        scoreless: Turns without a play in a row that end the game.
        begins: The seat that begins the rounds.
        target: Points that end the game after the round; 0 for none.
        end: The end adjustment: 0 for none, 1 for sum, 2 for double.
    """

    least_exchange: int
    scoreless: int
    begins: int
    target: int
    end: int

    @classmethod
    def from_rules(cls, rules: Ruleset, players: int, begins: int = 0) -> "MatchRules":
        """Return the rules for so many players."""
        end = ("none", "sum", "double").index(rules.end_adjustment)
        least, scoreless = max(1, rules.exchange_bag), rules.scoreless_turns(players)
        return cls(least, scoreless, begins, rules.target or 0, end)


class SelfPlayTurn(NamedTuple):
    """A turn, and the tiles kept.

    Attributes:
        seat: 0 for whoever began.
        bag: Tiles in the bag before the turn.
        points: Points of a play; 0 for an exchange or a pass.
        laid, exchanged: Numbers of tiles; a pass has neither.
        kept: The tiles that stayed in the rack, before others were drawn.
    """

    seat: int
    bag: int
    points: int
    laid: int
    exchanged: int
    kept: Tiles


class SelfPlayGame:
    """A game at any point.

    Args:
        rules: The rules of the game.
        lexicon: The words that everybody knows.
        players: The leaves that each seat goes by; None for points alone.
        tiles: The bag, in order; even seats draw from its beginning, odd ones from its end.
        random: The seed: 0 up to 2**64 - 1.
        begins: The seat that begins the rounds.

    Attributes:
        leave_values: The value, to each, of the rack that its latest turn left; thousandths of a
            point.
        seat: Whose turn it is.
        scoreless: Turns without a play in a row.
    """

    def __init__(
        self,
        rules: Ruleset,
        lexicon: Lexicon,
        players: Sequence[Leaves | None],
        tiles: Sequence[Tile],
        random: int,
        begins: int = 0,
    ) -> None:
        self.rules, self._lexicon, self._players, self._random = rules, lexicon, players, random
        self.match_rules = MatchRules.from_rules(rules, len(players), begins)
        self._numbers = number_tiles(rules, lexicon)
        self._backend = PythonBackend(rules, lexicon)
        self.board = Board.empty(rules.layout)
        self.bag = list(tiles)
        self.racks: list[list[Tile]] = [[] for _ in players]
        self.scores, self.leave_values = [0] * len(players), [0] * len(players)
        self.seat = self.scoreless = self._passes = 0
        self.shuffle()

    def _draw_number(self) -> int:
        """Draw 64 bits: SplitMix64, by S. Vigna, after G. L. Steele, D. Lea, C. H. Flood (2014)."""
        self._random = z = (self._random + 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    def shuffle(self) -> None:
        """Shuffle the bag."""
        for end in range(len(self.bag), 1, -1):
            one = (self._draw_number() >> 32) * end >> 32
            self.bag[one], self.bag[end - 1] = self.bag[end - 1], self.bag[one]

    def fill_rack(self, seat: int, full: int) -> None:
        """Draw until there are *full* tiles in a rack, or none in the bag."""
        rack = self.racks[seat]
        while len(rack) < full and self.bag:
            rack.append(self.bag.pop(-1 if seat % 2 else 0))
        rack.sort(key=self._numbers.__getitem__)

    def exchange(self, seat: int, given: Sequence[Tile]) -> None:
        """Draw, then put tiles back that were taken from the rack."""
        self.fill_rack(seat, self.rules.rack)
        for tile in sorted(given, key=self._numbers.__getitem__, reverse=True):
            self.bag.insert(len(self.bag) if seat % 2 else 0, tile)
        self.shuffle()

    def leave_value(self, seat: int, kept: Tiles) -> int:
        """Return what it is worth to a player to keep some tiles, in thousandths of a point.

        With an empty bag the game may end on this turn: tiles that are kept go to another, and
        those of the others come to whoever goes out.
        """
        leaves, total = self._players[seat], self.rules.tiles.total_points
        if leaves is None:
            return 0
        if self.bag:
            return leaves.value(kept)
        if self.rules.end_adjustment == "none":
            return 0
        if kept:
            return -2000 * total(kept)
        others = sum(total(rack) for other, rack in enumerate(self.racks) if other != seat)
        return 2000 * others // (len(self.racks) - 1)

    def play_turn(self) -> SelfPlayTurn:
        """Let the player to move take the best play, or exchange, or pass; then draw."""
        seat, rack, best = self.seat, self.racks[self.seat], self._best()
        kept, bag = rack, len(self.bag)
        if best is None or self._players[seat]:
            kept = self._kept()
        value = self.leave_value(seat, multiset(kept))
        if best and (len(kept) == len(rack) or value <= best[0]):
            play = best[1]
            left = take_tiles(play.tiles, multiset(rack))
            self.leave_values[seat] = self.leave_value(seat, left)
            placement = place(self.rules, self.board, play.spot, play.text)
            self.board = self.board.with_letters(dict(placement.laid))
            self.scores[seat] += play.points
            rack[:] = left
            self.fill_rack(seat, self.rules.rack)
            return SelfPlayTurn(seat, bag, play.points, len(play.tiles), 0, left)
        self.leave_values[seat] = value
        given = take_tiles(kept, multiset(rack))
        if given:
            rack[:] = kept
            self.exchange(seat, given)
        return SelfPlayTurn(seat, bag, 0, 0, len(given), multiset(kept))

    def _best(self) -> tuple[int, Play] | None:
        """Return the best play and its value."""
        rank, rack = self._backend.rank, multiset(self.racks[self.seat])

        def value(play: Play) -> int:
            return 1000 * play.points + self.leave_value(self.seat, take_tiles(play.tiles, rack))

        found = self._backend.plays(self.board, rack)
        best = min(found, key=lambda play: rank(play, value(play)), default=None)
        return best and (value(best), best)

    def _kept(self) -> list[Tile]:
        """Return what to keep in an exchange; the whole rack if nothing may be exchanged."""
        rack, bag = self.racks[self.seat], len(self.bag)
        if bag < self.match_rules.least_exchange:
            return rack
        hands = (
            [tile for place, tile in enumerate(rack) if held >> place & 1]
            for held in range(2 ** len(rack) - 1)
        )
        allowed = (hand for hand in hands if len(rack) - len(hand) <= bag)

        def rank(hand: list[Tile]) -> tuple[int, int]:
            return self.leave_value(self.seat, multiset(hand)), -len(hand)

        return max(allowed, key=rank, default=rack)

    def end_turn(self, is_play: bool) -> bool:
        """Hand the turn on, after a play or something else; return whether that ends the game."""
        players, rules = len(self.racks), self.match_rules
        is_out = not self.bag and not self.racks[self.seat]
        self.scoreless = 0 if is_play else self.scoreless + 1
        self._passes = 0 if is_play or self.bag else self._passes + 1
        self.seat = (self.seat + 1) % players
        is_target_reached = 0 < rules.target <= max(self.scores) and self.seat == rules.begins
        is_stalled = self.scoreless >= rules.scoreless or self._passes == players
        return is_out or is_stalled or is_target_reached

    def settle(self) -> None:
        """Adjust the scores by the tiles that are left."""
        end, out = self.rules.end_adjustment, [not rack for rack in self.racks]
        left = [self.rules.tiles.total_points(rack) for rack in self.racks]
        if end == "none":
            return
        for seat, points in enumerate(left):
            if end == "sum" or not any(out):
                self.scores[seat] -= points
        if any(out):
            self.scores[out.index(True)] += sum(left) * (2 if end == "double" else 1)
