"""/stored: the games that wait for somebody, wherever they are."""

import pytest

from crossroom_protocol.events.room import LogEntry
from crossroom_server.lobby import cold_tables
from crossroom_server.store.memory import MemoryStore
from tests.support.room_driver import any_contains, start_game
from tests.support.server import SessionDriver, new_lobby, new_server_state


async def test_games_that_are_not_over_are_listed_by_the_name_of_a_player() -> None:
    driver = await start_game("ann", "bob", "cat")
    await driver.type("cat", "/resign yes")
    client = await SessionDriver(new_server_state(lobby=driver.lobby)).join()
    assert (await client.say("/stored"))[0].startswith("! NEED_NAME")
    assert (await client.say("/stored bob"))[0] == "- kitchen: not over, ann to move"
    await driver.type("ann", "/adjourn")
    await driver.type("bob", "/agree")
    assert (await client.say("/name bob", "/stored"))[1] == "- kitchen: adjourned, ann to move"
    for name in ("cat", "zoe"):
        assert await client.say(f"/stored {name}") == [f"- no game of {name} waits here"]
    await client.disconnect()
    await driver.lobby.close()


async def test_locked_rooms_are_nobody_elses_business() -> None:
    driver = await start_game("ann", "bob")
    client = await SessionDriver(new_server_state(lobby=driver.lobby)).join()
    assert any_contains(await client.say("/stored bob"), "kitchen")
    await driver.type("ann", "/lock sesame")
    assert await client.say("/stored bob") == ["- no game of bob waits here"]
    await driver.lobby.close_room("kitchen")
    assert await client.say("/stored bob") == ["- no game of bob waits here"]
    await client.disconnect()
    await driver.lobby.close()


async def test_rooms_that_are_not_open_are_looked_up_in_the_store() -> None:
    driver = await start_game("ann", "bob")
    await driver.lobby.close()
    lobby = new_lobby(driver.store)
    client = await SessionDriver(new_server_state(lobby=lobby)).join()
    assert any_contains(await client.say("/stored ann"), "kitchen: not over, ann to move")
    assert lobby.rooms() == []
    await client.disconnect()
    driver = await start_game("ann", "bob")
    await driver.type("ann", "/abort")
    await driver.type("bob", "/agree")
    client = await SessionDriver(new_server_state(lobby=driver.lobby)).join()
    assert await client.say("/stored ann") == ["- no game of ann waits here"]
    await client.disconnect()
    await driver.lobby.close()


class ReadCountingStore(MemoryStore):
    """Counts the entries that are read."""

    def __init__(self) -> None:
        super().__init__()
        self.entries = 0

    async def read(self, room: str, after: int = 0, limit: int | None = None) -> list[LogEntry]:
        found = await super().read(room, after, limit)
        self.entries += len(found)
        return found


async def test_a_log_is_read_once_however_often_somebody_asks() -> None:
    store = ReadCountingStore()
    driver = await start_game("ann", "bob", store=store)
    for _ in range(300):
        await driver.type("ann", "la la la")
    await driver.lobby.close()
    lobby, others = new_lobby(store), new_lobby(store)
    for _ in range(3):
        store.entries = 0
        (line,) = await lobby.unfinished_games.of("bob")
        assert (line.room, line.adjourned, line.on_turn) == ("kitchen", False, "ann")
    assert store.entries == 0
    # Somebody plays on, here or at another node: what is new is read, or known.
    for one in (lobby, others):
        driver.lobby, store.entries = one, 0
        for name in ("ann", "bob"):
            await driver.reconnect(name)
        mover = "ann" if one is lobby else "bob"
        await driver.type(mover, "/pass")
        await one.close_room("kitchen")
        opened = store.entries
        assert (await one.unfinished_games.of("bob"))[0].on_turn == (
            "bob" if mover == "ann" else "ann"
        )
        assert store.entries == opened
    assert (await lobby.unfinished_games.of("bob"))[0].on_turn == "ann"
    assert store.entries == opened + 1


async def test_a_game_that_ends_and_one_that_begins_are_found_as_they_are() -> None:
    driver = await start_game("ann", "bob")
    asking = new_lobby(driver.store)
    assert await asking.unfinished_games.of("ann")
    await driver.type("ann", "/abort")
    await driver.type("bob", "/agree")
    assert not await asking.unfinished_games.of("ann")
    for name in ("ann", "bob"):
        await driver.type(name, "/ready")
    assert (await asking.unfinished_games.of("ann"))[0].on_turn == "ann"
    await driver.type("ann", "/pass")
    assert (await asking.unfinished_games.of("ann"))[0].on_turn == "bob"
    await driver.lobby.close()


async def test_the_tables_remembered_are_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cold_tables, "MAX_TABLES", 2)
    driver = await start_game("ann", "bob")
    tables = cold_tables.ColdTables(driver.store)
    for room in ("kitchen", "attic", "kitchen", "cellar"):
        await tables.table(room)
    assert list(tables._tables) == ["kitchen", "cellar"]
