"""What the player to move knows, and can do: what engines and bots think about.

Nothing here is secret to that player: the tiles of the others and of the bag are one multiset.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias

from crossroom_engine.core.board import Board, Square
from crossroom_engine.core.moves import Exchange, Pass, Place
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tiles, take_tiles
from crossroom_engine.movegen import best
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.movegen.play import Play
from crossroom_engine.words.lexicon import Lexicon

if TYPE_CHECKING:
    # What a game needs, and positions do not.
    from crossroom_engine.core.events import Seat
    from crossroom_engine.game.views import View

TurnMove: TypeAlias = Place | Exchange | Pass
"""What may be done with a turn."""


class Candidate(NamedTuple):
    """One way to use the turn, and what is known of it without looking ahead.

    Attributes:
        move: What the player would say.
        points: Of the play; 0 for an exchange or a pass.
        board: After it.
        kept: The tiles that stay in the rack, before any are drawn.
        given: The tiles that go back into the bag.
        equity: The points, and what the kept tiles are worth, in thousandths of a point.
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
        rules: Of the game.
        lexicon: The words that are played.
        board: What lies there.
        rack: Of the player to move.
        unseen: All tiles of the bag and of the other racks.
        bag: How many of those are in the bag.
        others: The sizes of the other racks in order of play, the next player's first.
        scores: In order of play, that of the player to move first.
        scoreless: Turns in a row, up to now, without a play (RULES 6.2).
        reclaimable: Where blanks lie that the player may take back (RULES 5.3).
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
        """The position of the seat whose view this is, which must be one that still plays."""
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
        """Are there enough tiles in the bag for an exchange?"""
        return self.bag >= max(1, self.rules.exchange_bag)

    def as_candidate(self, play: Play, worth: Leaves) -> Candidate:
        """A play as a candidate."""
        placed = place(self.rules, self.board, play.spot, play.text, play.swaps)
        laid = dict((*placed.swapped, *placed.laid))
        kept = take_tiles(play.tiles, self.rack)
        equity = 1000 * play.points + worth.value(kept)
        board = self.board.with_letters(laid)
        return Candidate(play.move, play.points, board, kept, (), equity)


@lru_cache
def rules_as_begun(rules: Ruleset, players: int) -> Ruleset:
    """The rules of a game that so many began, which hold for those who are left (RULES 6.2)."""
    return replace(rules, scoreless_limit=rules.scoreless_turns(players))


def _active(view: "View", first: "Seat") -> "list[Seat]":
    """Who still plays, in order of play from a seat on."""
    count = len(view.players)
    around = [seat % count for seat in range(first, first + count)]
    return [seat for seat in around if not view.players[seat].retired]


def leave_values(position: Position, leaves: Leaves) -> Leaves:
    """What the tiles of the rack are worth if they are kept, as things stand.

    While tiles can be drawn that is what *leaves* says. With an empty bag the game may end on this
    turn: then tiles that are kept cost their points, as the end adjustment has it, and whoever goes
    out gains those of the others.
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


def best_plays(position: Position, worth: Leaves, n: int, by: Leaves) -> list[Candidate]:
    """The *n* plays that are best with the leaves *by*, as candidates valued with *worth*.

    Raises:
        ValueError: *n* is less than 1, or the rack or the board holds what is no tile.
    """
    found = best(
        position.rules,
        position.board,
        position.rack,
        position.lexicon,
        n,
        by,
        position.reclaimable,
    )
    return [position.as_candidate(play, worth) for play in found]


def candidates(position: Position, leaves: Leaves, n: int) -> list[Candidate]:
    """The *n* best ways to use the turn without looking ahead, the best first.

    Plays, exchanges and the pass are told apart by equity alone; of equals, plays come first.

    Raises:
        ValueError: *n* is less than 1, or the rack or the board holds what is no tile.
    """
    worth = leave_values(position, leaves)
    found = best_plays(position, worth, n, worth)
    found += _exchanges(position, worth)
    found.sort(key=lambda candidate: -candidate.equity)
    return found[:n]


def _exchanges(position: Position, worth: Leaves) -> list[Candidate]:
    """Every exchange there is, and the pass."""
    rack, board = position.rack, position.board
    passing = Candidate(Pass(), 0, board, rack, (), worth.value(rack))
    if not position.may_exchange:
        return [passing]
    most = min(len(rack), position.bag)
    given = {tiles for count in range(1, most + 1) for tiles in combinations(rack, count)}
    kept = {tiles: take_tiles(tiles, rack) for tiles in sorted(given)}
    return [
        *(
            Candidate(Exchange(tiles), 0, board, rest, tiles, worth.value(rest))
            for tiles, rest in kept.items()
        ),
        passing,
    ]
