"""What has happened is never denied, though what should have followed from it cannot be stored."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry, SeatLeft
from crossroom_server.lobby.lexica import LexicaOnDisk
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.lease_contract import LeaseLost
from crossroom_server.store.memory import MemoryStore
from tests.support.room_driver import FakeClient, RoomDriver, any_contains


class NoSeatLeft(MemoryStore):
    """A store in which nobody can leave a seat."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    async def append(
        self, room: str, after: int, entries: Sequence[LogEntry], over: Sequence[FinishedGame] = ()
    ) -> None:
        if any(isinstance(entry.what, SeatLeft) for entry in entries):
            raise self.error
        await super().append(room, after, entries, over)


@pytest.mark.parametrize("error", [LeaseLost("kitchen", "b"), Unavailable("the disk is full")])
async def test_the_end_of_a_game_is_not_denied(error: Exception) -> None:
    driver = RoomDriver(
        [FakeClient("ann"), FakeClient("bob")], LexicaOnDisk(Path()), 1, NoSeatLeft(error)
    )
    await driver.join_all()
    for name in ("ann", "bob"):
        await driver.type(name, "/ready")
    await driver.disconnect("bob")
    told = await driver.type("ann", "/resign yes")
    assert any_contains(told, "game over")
    assert not any_contains(told, "nothing was done")
    assert (await driver.table()).playing is None
