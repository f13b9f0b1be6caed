"""The contract of what a store keeps beside the logs to save reading them: it can be made anew."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from crossroom_protocol.events.results import FinishedGame, RankedPlayer
from crossroom_server.table.player_totals import PlayerTotals

ENTRIES_PER_SNAPSHOT: Final = 4096
"""Entries of a log of which one snapshot is kept for good, the newest."""

STANDINGS_VERSION: Final = 1
"""Increase it when games are to be added up in another way: it is done from the first one then."""


class Snapshot(NamedTuple):
    """The ``text`` of a table as it was after entry ``seq`` of its log."""

    seq: int
    text: str


class Snapshots(Protocol):
    """Tables as they were after some entry, by room; of no room that is gone.

    Every method may raise :exc:`~crossroom_server.store.contract.Unavailable`.
    """

    async def save(self, room: str, snapshot: Snapshot) -> None:
        """Store a snapshot, unless the log has no such entry.

        It replaces any other of the same :data:`ENTRIES_PER_SNAPSHOT` entries.
        """

    async def find(self, room: str, upto: int | None = None) -> Snapshot | None:
        """Return the newest snapshot, or the newest up to entry *upto*."""


class Place(NamedTuple):
    """A ``place`` from 1 among ``of`` players."""

    place: int
    of: int


class Standings(Protocol):
    """The sums of players in the games up to some number, by comparison key.

    Every method may raise :exc:`~crossroom_server.store.contract.Unavailable`.
    """

    async def counted(self) -> int | None:
        """Return the number of the last game in the sums; None: another version adds them up."""

    async def find(self, keys: Collection[str]) -> dict[str, PlayerTotals]:
        """Return the sums of those players who have any."""

    async def save(self, after: int, upto: int, totals: Mapping[str, PlayerTotals]) -> bool:
        """Store sums that now hold the games up to number *upto*; return whether that was done.

        Nothing is stored if the sums did not end at *after*: somebody else has added games.
        """

    async def strongest(self, preset: str, limit: int) -> list[RankedPlayer]:
        """Return the first *limit* players under one preset, the best first."""

    async def place(self, preset: str, key: str, rating: int) -> Place:
        """Return the place of a player with that rating under one preset."""

    async def games(self, numbers: Sequence[int]) -> list[FinishedGame]:
        """Return the finished games with these numbers, in this order."""
