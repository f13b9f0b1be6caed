"""Positions as the player to move knows them, and the candidates for the turn.

Nothing here is secret to that player: the tiles of the others and of the bag are one multiset.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nsmallest
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.moves import Exchange, Pass, Place, Seat, seats_from
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tiles, take_tiles
from crossroom_engine.movegen import best
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.movegen.play import Play
from crossroom_engine.words.lexicon import Lexicon

if TYPE_CHECKING:
    from crossroom_engine.game.views import View  # positions need no games

TurnMove: TypeAlias = Place | Exchange | Pass
"""Moves that use a turn."""

IsOver: TypeAlias = Callable[[], bool]
"""Returns whether the time for a search is over; the engine does not look at the clock."""


class Candidate(NamedTuple):
    """A way to use the turn, valued without looking ahead.

    Attributes:
        move: The move of the player.
        points: Those of a play; 0 for an exchange or a pass.
        board: The board after it.
        kept: The tiles that stay in the rack, before any are drawn.
        given: The tiles that go back into the bag.
        equity: The points and the value of the kept tiles, in thousandths of a point.
    """

    move: TurnMove
    points: int
    board: Board
    kept: Tiles
    given: Tiles
    equity: int


@dataclass(frozen=True)
class Position:
    """A position on the board, as the player to move knows it.

    Args:
        rules: The rules of the game.
        lexicon: The words that are played.
        board: The tiles on the board.
        rack: The rack of the player to move.
        unseen: All tiles of the bag and of the other racks.
        bag: The number of those in the bag.
        others: The sizes of the other racks in order of play, the next player's first.
        scores: In order of play, that of the player to move first.
        scoreless: Turns in a row, up to now, without a play (RULES 6.2).
        reclaimable: The squares of blanks that the player may take back (RULES 5.3).
        begins: Who begins every round, an index of *scores*; it matters where a target ends the
            game (RULES 6.3).
    """

    rules: Ruleset
    lexicon: Lexicon
    board: Board
    rack: Tiles
    unseen: Tiles
    bag: int
    others: tuple[int, ...]
    scores: tuple[int, ...]
    scoreless: int = 0
    reclaimable: tuple[Square, ...] = ()
    begins: int = 0

    @classmethod
    def from_view(cls, view: "View", rules: Ruleset, lexicon: Lexicon) -> Self:
        """Return the position of the seat whose view this is; it must still be playing."""
        assert view.seat is not None, "a watcher is in no position"
        seats = _active(view, view.seat)
        active = [view.players[seat] for seat in seats]
        return cls(
            rules=rules_as_begun(rules, len(view.players)),
            lexicon=lexicon,
            board=Board.from_rows(view.board, rules.tiles),
            rack=view.rack,
            unseen=view.unseen,
            bag=view.bag,
            others=tuple(player.tiles for player in active[1:]),
            scores=tuple(player.score for player in active),
            scoreless=view.scoreless,
            reclaimable=view.reclaimable,
            begins=seats.index(_active(view, view.first)[0]),
        )

    @property
    def may_exchange(self) -> bool:
        """Whether there are enough tiles in the bag for an exchange."""
        return self.bag >= max(1, self.rules.exchange_bag)

    @property
    def is_plain_duel(self) -> bool:
        """Whether two play, without a target, and blanks stay: endgames can only be solved then."""
        rules = self.rules
        return len(self.scores) == 2 and rules.target is None and rules.reclaim == "off"

    def as_candidate(self, play: Play, values: Leaves) -> Candidate:
        """Return a play as a candidate, its kept tiles valued with *values*."""
        placed = place(self.rules, self.board, play.spot, play.text, play.swaps)
        laid = dict((*placed.swapped, *placed.laid))
        kept = take_tiles(play.tiles, self.rack)
        equity = 1000 * play.points + values.value(kept)
        board = self.board.with_letters(laid)
        return Candidate(play.move, play.points, board, kept, (), equity)


@lru_cache
def rules_as_begun(rules: Ruleset, players: int) -> Ruleset:
    """Return the rules of a game that so many began, as they hold for those left (RULES 6.2)."""
    return replace(rules, scoreless_limit=rules.scoreless_turns(players))


def _active(view: "View", first: Seat) -> list[Seat]:
    """Return who still plays, in order of play from a seat on."""
    around = seats_from(first, len(view.players))
    return [seat for seat in around if not view.players[seat].retired]


def leave_values(position: Position, leaves: Leaves) -> Leaves:
    """Return what the tiles of the rack are worth if they are kept, as things stand.

    While tiles can be drawn, that is *leaves*. With an empty bag the game may end on this turn:
    then kept tiles cost their points, as the end adjustment has it, and whoever goes out gains
    those of the others.
    """
    if position.bag:
        return leaves
    if position.rules.end_adjustment == "none":
        return Leaves("nothing", {})
    tiles = position.rules.tiles
    return Leaves(
        "end adjustment",
        {kind.tile: -2000 * kind.points for kind in tiles.kinds},
        empty=2000 * tiles.total_points(position.unseen) // max(1, len(position.others)),
    )


def best_plays(position: Position, values: Leaves, n: int, by: Leaves) -> list[Candidate]:
    """Return the *n* best plays by the leaves *by*, as candidates valued with *values*.

    Raises:
        ValueError: *n* is less than 1, or the rack or the board holds what is no tile.
    """
    p = position
    found = best(p.rules, p.board, p.rack, p.lexicon, n, by, p.reclaimable)
    return [p.as_candidate(play, values) for play in found]


def candidates(position: Position, leaves: Leaves, n: int) -> list[Candidate]:
    """Return the *n* best ways to use the turn without looking ahead, the best first.

    Plays, exchanges and the pass are ranked by equity alone; of equals, plays come first.

    Raises:
        ValueError: *n* is less than 1, or the rack or the board holds what is no tile.
    """
    values = leave_values(position, leaves)
    found = best_plays(position, values, n, values)
    found += _best_exchanges(position, values, n)
    rack = position.rack
    found.append(Candidate(Pass(), 0, position.board, rack, (), values.value(rack)))
    found.sort(key=lambda candidate: -candidate.equity)
    return found[:n]


def best_turn(position: Position, leaves: Leaves) -> TurnMove:
    """Return the move of the first of the :func:`candidates`, without making the others."""
    p, values = position, leave_values(position, leaves)
    moves: list[tuple[int, TurnMove]] = [
        (1000 * play.points + values.value(take_tiles(play.tiles, p.rack)), play.move)
        for play in best(p.rules, p.board, p.rack, p.lexicon, 1, values)
    ]
    moves += [(exchange.equity, exchange.move) for exchange in _best_exchanges(p, values, 1)]
    moves.append((values.value(p.rack), Pass()))
    return max(moves, key=lambda move: move[0])[1]


def _best_exchanges(position: Position, values: Leaves, n: int) -> list[Candidate]:
    """Return the *n* best exchanges; of equals, those first whose tiles come first."""
    rack = position.rack
    most = min(len(rack), position.bag) if position.may_exchange else 0
    kept_values, everything = values.subset_values(rack), (1 << len(rack)) - 1
    subsets = [kept for kept in range(everything) if (everything ^ kept).bit_count() <= most]
    subsets.sort(key=kept_values.__getitem__, reverse=True)
    given: dict[Tiles, int] = {}  # the same tiles may be given in several ways
    for kept in subsets:
        value = kept_values[kept]
        if len(given) >= n and value < min(given.values()):
            break
        given[tuple(tile for at, tile in enumerate(rack) if not kept >> at & 1)] = value
    best_first = nsmallest(n, given.items(), key=lambda exchange: (-exchange[1], exchange[0]))
    return [
        Candidate(Exchange(tiles), 0, position.board, take_tiles(tiles, rack), tiles, value)
        for tiles, value in best_first
    ]
