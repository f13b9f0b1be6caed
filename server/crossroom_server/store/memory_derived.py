"""Snapshots and sums in memory."""

from collections.abc import Collection, Mapping, Sequence

from crossroom_protocol.events.results import FinishedGame, RankedPlayer
from crossroom_server.store.derived_contract import (
    ENTRIES_PER_SNAPSHOT,
    Place,
    Snapshot,
    Snapshots,
    Standings,
)
from crossroom_server.store.rows import RatingRow, rating_rows
from crossroom_server.table.player_totals import PlayerTotals


class MemorySnapshots(Snapshots):
    """Keeps snapshots as long as the process lives."""

    def __init__(self) -> None:
        self._snapshots: dict[str, dict[int, Snapshot]] = {}

    async def save(self, room: str, snapshot: Snapshot) -> None:
        kept = self._snapshots.setdefault(room, {})
        kept[snapshot.seq // ENTRIES_PER_SNAPSHOT] = snapshot

    async def find(self, room: str, upto: int | None = None) -> Snapshot | None:
        found = self._snapshots.get(room, {}).values()
        fitting = (one for one in found if upto is None or one.seq <= upto)
        return max(fitting, default=None)

    def forget(self, room: str) -> None:
        """Drop the snapshots of a room that is gone."""
        self._snapshots.pop(room, None)


class MemoryStandings(Standings):
    """Keeps sums as long as the process lives.

    Args:
        finished: The finished games, numbered from 1.
    """

    def __init__(self, finished: Sequence[FinishedGame]) -> None:
        self._finished, self._counted = finished, 0
        self._totals: dict[str, PlayerTotals] = {}
        self._ratings: dict[tuple[str, str], RatingRow] = {}

    def reset_if_counted(self, key: str) -> None:
        """Drop all sums, if there are any of this player."""
        if key in self._totals:
            self._counted = 0
            self._totals.clear()
            self._ratings.clear()

    async def counted(self) -> int | None:
        return self._counted

    async def find(self, keys: Collection[str]) -> dict[str, PlayerTotals]:
        return {key: self._totals[key] for key in keys if key in self._totals}

    async def save(self, after: int, upto: int, totals: Mapping[str, PlayerTotals]) -> bool:
        if after != self._counted:
            return False
        self._counted = upto
        self._totals |= totals
        self._ratings |= {row[:2]: row for row in rating_rows(totals)}
        return True

    async def strongest(self, preset: str, limit: int) -> list[RankedPlayer]:
        return [RankedPlayer(*row[2:]) for row in self._ranked(preset)[:limit]]

    async def place(self, preset: str, key: str, rating: int) -> Place:
        ranked = self._ranked(preset)
        before = [row for row in ranked if (-row[3], row[1]) < (-rating, key)]
        return Place(len(before) + 1, len(ranked))

    async def games(self, numbers: Sequence[int]) -> list[FinishedGame]:
        return [self._finished[number - 1] for number in numbers]

    def _ranked(self, preset: str) -> list[RatingRow]:
        rows = (row for row in self._ratings.values() if row[0] == preset)
        return sorted(rows, key=lambda row: (-row[3], row[1]))
