"""Moves that players and the server may try: imperative, untrusted, not yet judged."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.tiles import Tiles

Seat: TypeAlias = int
"""0-based seat at the table, in turn order."""


def seats_from(first: Seat, count: int) -> list[Seat]:
    """List all of *count* seats in turn order, from the seat *first* on."""
    return [(first + step) % count for step in range(count)]


AdjournReason: TypeAlias = Literal["server", "jump", "agreed", "absent"]
"""Why a clock is stopped.

The server stopped or its time jumped; or the game is adjourned, because the players agreed or
somebody stayed away.
"""


@dataclass(frozen=True)
class Place:
    """Lay tiles: ``text`` is for :meth:`TileSet.parse_play`, ``swaps`` are blanks to reclaim."""

    spot: Spot
    text: str
    swaps: tuple[Square, ...] = ()
    kind: Literal["place"] = "place"


@dataclass(frozen=True)
class Exchange:
    """Put tiles into the bag and draw as many."""

    tiles: Tiles
    kind: Literal["exchange"] = "exchange"


@dataclass(frozen=True)
class Pass:
    """Use the turn for nothing."""

    kind: Literal["pass"] = "pass"


@dataclass(frozen=True)
class Challenge:
    """Doubt the words of the latest play."""

    kind: Literal["challenge"] = "challenge"


@dataclass(frozen=True)
class Accept:
    """Let the play that ends the game stand."""

    kind: Literal["accept"] = "accept"


@dataclass(frozen=True)
class Resign:
    """Give up, whether or not it is this player's turn."""

    kind: Literal["resign"] = "resign"


@dataclass(frozen=True)
class CallTime:
    """Let the time that is over have its consequences, if there are any."""

    kind: Literal["call_time"] = "call_time"


@dataclass(frozen=True)
class Adjourn:
    """Stop the clock; ``why`` says what starts it again (RULES 6.7, 6.10)."""

    why: AdjournReason = "server"
    kind: Literal["adjourn"] = "adjourn"


@dataclass(frozen=True)
class Continue:
    """Start the clock again after :class:`Adjourn`."""

    kind: Literal["continue"] = "continue"


@dataclass(frozen=True)
class Undo:
    """Take back the latest turn, that of ``seat``; the others have agreed."""

    seat: Seat
    kind: Literal["undo"] = "undo"


@dataclass(frozen=True)
class Abort:
    """End the game without a result; all have agreed."""

    kind: Literal["abort"] = "abort"


@dataclass(frozen=True)
class Forfeit:
    """Let ``seat`` lose, which has been waited for long enough."""

    seat: Seat
    kind: Literal["forfeit"] = "forfeit"


Move: TypeAlias = Place | Exchange | Pass | Challenge | Accept | Resign
"""Moves of a seat."""

OfficialMove: TypeAlias = CallTime | Adjourn | Continue | Undo | Abort | Forfeit
"""Moves of the server alone, for no seat."""
