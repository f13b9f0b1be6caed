"""A crossword game as GCG records it: players, rules, and one entry for each event line.

GCG 1.2, by John Chew, is the format in which crossword games are recorded and exchanged. What GCG
calls as the game calls something else is prefixed here: :class:`GcgPlay` is no play of the game.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.events import Seat
from crossroom_engine.core.rules import EndAdjustment, Ruleset
from crossroom_engine.core.tiles import Tiles

RULES_TAG: Final = "crossroom rules:"
"""Begins, in a ``#description``, the rules of our games: a preset and ``name=value`` settings."""

NOTE_TAG: Final = "crossroom:"
"""Begins a ``#note`` of what GCG has no line for; other programs show it to people."""


ENDS_WITHOUT_ADJUSTMENT: Final = frozenset({"resigned", "challenge", "time", "cancelled"})
"""Reasons for the end of a game after which tiles left over do not count."""


@dataclass(frozen=True)
class GcgPlay:
    """A word was laid; ``swaps`` are the blanks that were taken back from the board."""

    spot: Spot
    text: str
    swaps: tuple[Square, ...] = ()


@dataclass(frozen=True)
class GcgExchange:
    """``count`` tiles were exchanged; ``tiles`` is None where they are not named."""

    count: int
    tiles: Tiles | None


@dataclass(frozen=True)
class GcgPass:
    """A turn without a play; ``lost`` to a challenge, as far as a record of ours says so."""

    lost: bool = False


@dataclass(frozen=True)
class Withdrawal:
    """``--``: the play just before was challenged and came back."""


@dataclass(frozen=True)
class Bonus:
    """``(challenge)``: points because the play just before was challenged and stood."""


@dataclass(frozen=True)
class Leftover:
    """Tiles in brackets: points at the end, for others' tiles (gained) or one's own (lost)."""

    tiles: Tiles


@dataclass(frozen=True)
class Overtime:
    """``(time)``: points lost for overstepping the clock."""


@dataclass(frozen=True)
class Retirement:
    """The player left a game that went on (only in records of ours)."""


GcgAction: TypeAlias = (
    GcgPlay | GcgExchange | GcgPass | Withdrawal | Bonus | Leftover | Overtime | Retirement
)


@dataclass(frozen=True)
class GcgEntry:
    """An event line, number ``line`` of the text (1-based).

    ``rack`` is empty where it is not stated, and may be only part of the true one; ``points`` and
    ``total`` are as recorded.
    """

    line: int
    name: str
    rack: Tiles
    action: GcgAction
    points: int
    total: int
    notes: tuple[str, ...] = ()


class GcgPlayer(NamedTuple):
    """A player: the nickname that event lines use, and the full name."""

    nick: str
    name: str


class Pragma(NamedTuple):
    """A ``#`` line: its number, the word after the ``#`` in lower case, and the rest."""

    line: int
    keyword: str
    text: str


@dataclass(frozen=True)
class Record:
    """A recorded game.

    ``rules`` are the record's own where ``rules_stated``, otherwise those of tournaments. ``racks``
    are those given at the end of an unfinished game; ``stray_lines`` the numbers of lines that are
    neither pragma nor event; ``end_reason`` is there where a record of ours notes it.
    """

    players: tuple[GcgPlayer, ...]
    rules: Ruleset
    rules_stated: bool
    entries: tuple[GcgEntry, ...]
    pragmas: tuple[Pragma, ...]
    racks: tuple[tuple[int, Seat, Tiles], ...]
    stray_lines: tuple[int, ...]
    end_reason: str | None

    @property
    def end_adjustment(self) -> EndAdjustment:
        """The ``end_adjustment`` of the rules; without stated rules, that which the record follows.

        Two players: who goes out gets the other's tiles twice, or once and the other loses them.
        More: the same, or the tiles of all.
        """
        if self.rules_stated:
            return self.rules.end_adjustment
        settled = [(e.points, e.action) for e in self.entries if isinstance(e.action, Leftover)]
        lost = any(points < 0 for points, _ in settled)
        doubled = all(p == 2 * self.rules.tiles.total_points(a.tiles) for p, a in settled if p > 0)
        gained = any(points > 0 for points, _ in settled)
        return "sum" if gained and (lost or not (len(self.players) == 2 or doubled)) else "double"

    def seats_named(self, name: str) -> tuple[Seat, ...]:
        """Return whom *name* may mean: nobody, one seat, or all who share a nickname."""
        wanted = name.casefold()
        for alike in (
            tuple(s for s, p in enumerate(self.players) if p.nick == name),
            tuple(s for s, p in enumerate(self.players) if p.nick.casefold() == wanted),
            tuple(s for s, p in enumerate(self.players) if p.name.casefold() == wanted),
        ):
            if alike:
                return alike
        return ()
