"""Events of a game: past tense, complete, trusted.

Draws, verdicts and scores are settled and written here, so that replay needs neither word list nor
dice nor clock. ``at`` is in milliseconds since 1970 (UTC). Fields marked *secret* are hidden from
the other seats by :func:`crossroom_engine.game.views.redact`.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from crossroom_engine.core.board import PlacedTile
from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.moves import AdjournReason as AdjournReason
from crossroom_engine.core.moves import Seat as Seat
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tile, Tiles

EndReason: TypeAlias = Literal[
    "out", "no_plays", "scoreless", "target", "resigned", "challenge", "time", "absent",
    "cancelled", "aborted",
]  # fmt: skip
"""Why a game ended."""

RetireReason: TypeAlias = Literal["resigned", "challenge", "time", "absent"]
"""Why a player left a game that goes on."""


@dataclass(frozen=True)
class Started:
    """A game began. ``digest`` pins the agreed word list.

    ``seal`` commits to the ``seed`` of all draws (RULES 9); both are empty in a game whose bag was
    not sealed. ``rated``: the game counts for ratings. *Secret*: ``seed``.
    """

    rules: Ruleset
    players: tuple[str, ...]
    lexicon: str
    digest: str
    at: int
    seal: str = ""
    seed: str = field(default="", repr=False)
    rated: bool = False
    kind: Literal["started"] = "started"


@dataclass(frozen=True)
class DrewForFirst:
    """One round of drawing for the first turn: a tile for each seat that took part."""

    drawn: tuple[tuple[Seat, Tile], ...]
    kind: Literal["drew_for_first"] = "drew_for_first"


@dataclass(frozen=True)
class Drew:
    """Tiles went from the bag to a rack. *Secret*: ``tiles``."""

    seat: Seat
    tiles: Tiles
    kind: Literal["drew"] = "drew"


@dataclass(frozen=True)
class TurnBegan:
    """A turn began; ``turn`` counts from 1 through the whole game."""

    seat: Seat
    turn: int
    at: int
    kind: Literal["turn_began"] = "turn_began"


@dataclass(frozen=True)
class Played:
    """Tiles were laid.

    ``spot`` and ``text`` give the main word from its first square, with ``.`` for tiles that were
    there; ``words`` starts with the main word; ``points`` is everything earned; ``swapped`` are the
    real letters that replaced blanks.
    """

    seat: Seat
    spot: Spot
    text: str
    laid: tuple[PlacedTile, ...]
    words: tuple[str, ...]
    points: int
    swapped: tuple[PlacedTile, ...] = ()
    kind: Literal["played"] = "played"


@dataclass(frozen=True)
class Exchanged:
    """Tiles were exchanged. *Secret*: which went (``tiles``) and came (``drew``)."""

    seat: Seat
    tiles: Tiles
    drew: Tiles
    kind: Literal["exchanged"] = "exchanged"


@dataclass(frozen=True)
class Passed:
    """A turn was used for nothing."""

    seat: Seat
    kind: Literal["passed"] = "passed"


@dataclass(frozen=True)
class Challenged:
    """``seat`` doubted the play of ``player``; ``bad`` are the words not in the list."""

    seat: Seat
    player: Seat
    words: tuple[str, ...]
    bad: tuple[str, ...]
    kind: Literal["challenged"] = "challenged"


@dataclass(frozen=True)
class Withdrawn:
    """The latest play came off the board; ``seat`` lost that turn and ``points``.

    *Secret*: ``returned``, the tiles drawn after the play, which went back into the bag.
    """

    seat: Seat
    points: int
    returned: Tiles
    kind: Literal["withdrawn"] = "withdrawn"


@dataclass(frozen=True)
class TurnForfeited:
    """``seat`` will be skipped at its next turn; twice, if this happens twice."""

    seat: Seat
    kind: Literal["turn_forfeited"] = "turn_forfeited"


@dataclass(frozen=True)
class TurnSkipped:
    """The turn of ``seat`` came and was lost."""

    seat: Seat
    kind: Literal["turn_skipped"] = "turn_skipped"


@dataclass(frozen=True)
class Undone:
    """The latest turn, that of ``seat``, was taken back by agreement; only time does not come back.

    ``squares`` are those from which its tiles were lifted; none if it was no play, or in old logs.
    *Secret*: ``returned``, the tiles drawn in that turn, which went from the rack to the bag, and
    ``regained``, those given away in it, which came back.
    """

    seat: Seat
    returned: Tiles
    regained: Tiles
    at: int
    squares: tuple[Square, ...] = ()
    kind: Literal["undone"] = "undone"


@dataclass(frozen=True)
class TargetReached:
    """``seat`` was the first to reach the target; the round is finished, then the game ends."""

    seat: Seat
    kind: Literal["target_reached"] = "target_reached"


@dataclass(frozen=True)
class LastWordAwaited:
    """The game ends for ``why`` unless the latest play is challenged."""

    why: EndReason
    at: int
    kind: Literal["last_word_awaited"] = "last_word_awaited"


@dataclass(frozen=True)
class Accepted:
    """``seat`` lets the last play stand; ``late``: by not answering in time."""

    seat: Seat
    late: bool = False
    kind: Literal["accepted"] = "accepted"


@dataclass(frozen=True)
class Retired:
    """``seat`` is out of the game. *Secret*: ``tiles``, which went from the rack to the bag.

    During the wait for the last word the tiles stay on the rack (RULES 4.4).
    """

    seat: Seat
    why: RetireReason
    tiles: Tiles
    kind: Literal["retired"] = "retired"


@dataclass(frozen=True)
class RackReturned:
    """The game goes on, and the rack of ``seat``, who left it meanwhile, went into the bag.

    *Secret*: ``tiles``.
    """

    seat: Seat
    tiles: Tiles
    kind: Literal["rack_returned"] = "rack_returned"


@dataclass(frozen=True)
class Awarded:
    """Points other than those of a play: a challenge, tiles left over, others' tiles, overtime."""

    seat: Seat
    points: int
    why: Literal["challenge", "left_over", "went_out", "overtime"]
    kind: Literal["awarded"] = "awarded"


@dataclass(frozen=True)
class Adjourned:
    """The clock was stopped; ``why`` says what starts it again (RULES 6.7, 6.10)."""

    at: int
    why: AdjournReason = "server"
    kind: Literal["adjourned"] = "adjourned"


@dataclass(frozen=True)
class Continued:
    """The clock was started again."""

    at: int
    kind: Literal["continued"] = "continued"


@dataclass(frozen=True)
class Ended:
    """The game is over. ``winners`` is empty if it was cancelled or aborted; several share a tie.

    ``seed`` is that of the draws, now public; empty if the bag was not sealed.
    """

    why: EndReason
    winners: tuple[Seat, ...]
    at: int
    seed: str = ""
    kind: Literal["ended"] = "ended"


Event: TypeAlias = (
    Started | DrewForFirst | Drew | TurnBegan | Played | Exchanged | Passed | Challenged | Withdrawn
    | TurnForfeited | TurnSkipped | Undone | TargetReached | LastWordAwaited | Accepted | Retired
    | RackReturned | Awarded | Adjourned | Continued | Ended
)  # fmt: skip
