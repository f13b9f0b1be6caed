"""/stored: the games that wait for somebody, wherever they are."""

import pytest

from crossroom_protocol.events.room import Entry
from crossroom_server.lobby import cold_tables
from crossroom_server.store.memory import MemoryStore
from tests.support.room_driver import any_contains, start_game
from tests.support.server import SessionDriver, new_server_state, new_lobby


async def test_games_that_are_not_over_are_listed_by_the_name_of_a_player() -> None:
    stage = await start_game("ann", "bob", "cat")
    await stage.type("cat", "/resign")
    client = await SessionDriver(new_server_state(lobby=stage.lobby)).come()
    assert (await client.say("/stored"))[0].startswith("! NEED_NAME")
    assert (await client.say("/stored bob"))[0] == "- kitchen: not over, ann to move"
    await stage.type("ann", "/adjourn")
    await stage.type("bob", "/agree")
    assert (await client.say("/name bob", "/stored"))[1] == "- kitchen: adjourned, ann to move"
    for name in ("cat", "zoe"):
        assert await client.say(f"/stored {name}") == [f"- no game of {name} waits here"]
    await client.go()
    await stage.lobby.close()


async def test_locked_rooms_are_nobody_elses_business() -> None:
    stage = await start_game("ann", "bob")
    client = await SessionDriver(new_server_state(lobby=stage.lobby)).come()
    assert any_contains(await client.say("/stored bob"), "kitchen")
    await stage.type("ann", "/lock sesame")
    assert await client.say("/stored bob") == ["- no game of bob waits here"]
    await stage.lobby.close_room("kitchen")
    assert await client.say("/stored bob") == ["- no game of bob waits here"]
    await client.go()
    await stage.lobby.close()


async def test_rooms_that_are_not_open_are_looked_up_in_the_store() -> None:
    stage = await start_game("ann", "bob")
    await stage.lobby.close()
    lobby = new_lobby(stage.store)
    client = await SessionDriver(new_server_state(lobby=lobby)).come()
    assert any_contains(await client.say("/stored ann"), "kitchen: not over, ann to move")
    assert lobby.rooms() == []
    await client.go()
    stage = await start_game("ann", "bob")
    await stage.type("ann", "/abort")
    await stage.type("bob", "/agree")
    client = await SessionDriver(new_server_state(lobby=stage.lobby)).come()
    assert await client.say("/stored ann") == ["- no game of ann waits here"]
    await client.go()
    await stage.lobby.close()


class Counted(MemoryStore):
    """Counts the entries that are read."""

    def __init__(self) -> None:
        super().__init__()
        self.entries = 0

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[Entry]:
        found = await super().read(room, after, limit)
        self.entries += len(found)
        return found


async def test_a_log_is_read_once_however_often_somebody_asks() -> None:
    store = Counted()
    stage = await start_game("ann", "bob", store=store)
    for _ in range(300):
        await stage.type("ann", "la la la")
    await stage.lobby.close()
    lobby, others = new_lobby(store), new_lobby(store)
    store.entries = 0
    for _ in range(3):
        (line,) = await lobby.unfinished("bob")
        assert (line.room, line.adjourned, line.on_turn) == ("kitchen", False, "ann")
    assert store.entries == len(await MemoryStore.read(store, "kitchen"))
    # Somebody plays on, here or at another node: what is new is read, or known.
    for one in (lobby, others):
        stage.lobby, store.entries = one, 0
        for name in ("ann", "bob"):
            await stage.reconnect(name)
        mover = "ann" if one is lobby else "bob"
        await stage.type(mover, "/pass")
        await one.close_room("kitchen")
        opened = store.entries
        assert (await one.unfinished("bob"))[0].on_turn == ("bob" if mover == "ann" else "ann")
        assert store.entries == opened
    assert (await lobby.unfinished("bob"))[0].on_turn == "ann"
    assert store.entries == opened + 1


async def test_a_game_that_ends_and_one_that_begins_are_found_as_they_are() -> None:
    stage = await start_game("ann", "bob")
    asking = new_lobby(stage.store)
    assert await asking.unfinished("ann")
    await stage.type("ann", "/abort")
    await stage.type("bob", "/agree")
    assert not await asking.unfinished("ann")
    for name in ("ann", "bob"):
        await stage.type(name, "/ready")
    assert (await asking.unfinished("ann"))[0].on_turn == "ann"
    await stage.type("ann", "/pass")
    assert (await asking.unfinished("ann"))[0].on_turn == "bob"
    await stage.lobby.close()


async def test_the_tables_remembered_are_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cold_tables, "MOST", 2)
    stage = await start_game("ann", "bob")
    tables = cold_tables.Waiting(stage.store)
    for room in ("kitchen", "attic", "kitchen", "cellar"):
        await tables.table(room)
    assert list(tables._tables) == ["kitchen", "cellar"]
