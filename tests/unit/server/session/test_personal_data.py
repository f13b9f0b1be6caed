"""`/me export` and `/me delete`: all that is kept of somebody, or nothing any more."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from crossroom_clients.cli.main import main
from crossroom_protocol.base.refusals import Refusal
from crossroom_server.config.limits import Limits
from crossroom_server.listeners.admin_console import AdminConsole
from crossroom_server.lobby.lexica import LexicaOnDisk
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.session import server_state as limits
from crossroom_server.session.server_state import ServerState
from crossroom_server.store.contract import Store
from crossroom_server.store.memory import MemoryStore
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.table.erasure import ERASED_TEXT
from crossroom_server.table.state import Sources
from crossroom_server.web.archive import Archive
from tests.support.room_driver import any_contains
from tests.support.server import NO_FOLDER, UNLIMITED, SessionDriver


@asynccontextmanager
async def served(store: Store, limits: Limits = UNLIMITED) -> AsyncIterator[ServerState]:
    dice = Random(1)
    sources = Sources(
        LexicaOnDisk(NO_FOLDER), dice, lambda: 0, lambda: f"{dice.getrandbits(256):064x}"
    )
    lobby = Lobby(store, sources)
    yield ServerState(lobby, limits)
    await lobby.close()


async def come(server: ServerState, name: str, room: str = "kitchen") -> SessionDriver:
    driver = await SessionDriver(server, address="203.0.113.9").join(room)
    await driver.say(f"/name {name}")
    return driver


async def play(first: SessionDriver, second: SessionDriver) -> None:
    """A game that is over, with a move in it."""
    for player in (first, second):
        await player.say("/ready")
    for player in (first, second):
        await player.say("/pass")
    await second.say("/resign yes")


async def exported(driver: SessionDriver) -> dict[str, Any]:
    lines = await driver.say("/me export")
    told: dict[str, Any] = json.loads("\n".join(line.partition(" ")[2] for line in lines))
    return told


def texts(path: Path) -> str:
    """All that a file of games says."""
    with closing(sqlite3.connect(path)) as db:
        return "\n".join(db.iterdump())


def raw(path: Path) -> bytes:
    """All that is in a file of games, used or not."""
    return path.read_bytes()


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


async def test_a_registered_person_is_forgotten_everywhere(games: Path) -> None:
    store = SqliteStore(games)
    async with served(store) as server:
        zoe, bob = await come(server, "zoe"), await come(server, "bob")
        await zoe.say("/register")
        await bob.say("/register")
        await zoe.say("my secret remark")
        await play(zoe, bob)
        await zoe.say("/join attic")
        await zoe.say("another secret")
        before = await server.lobby.leaderboard.profile("bob")
        assert before.games == 1
        told = await exported(zoe)
        assert (told["name"], len(told["games"]), sorted(told["log"])) == (
            "zoe",
            1,
            ["attic", "kitchen"],
        )
        assert "my secret remark" in json.dumps(told)
        assert any_contains(await zoe.say("/me delete"), "NOT_CONFIRMED")
        heard = await zoe.say("/me delete yes")
        assert any_contains(heard, "you are forgotten; in finished games you are former-player-")
        alias = heard[-1].split()[-1]
        after = await server.lobby.leaderboard.profile("bob")
        assert (after.games, after.highest, after.won) == (1, before.highest, before.won)
        assert [one.name for one in await server.lobby.leaderboard.top("official")] == [
            one.name.replace("zoe", alias) for one in await server.lobby.leaderboard.top("official")
        ]
        again = await SessionDriver(server).join()
        assert any_contains(await again.say("/name zoe"), "you are zoe")  # nobody's by now
    store.close()
    left = texts(games)
    assert "zoe" not in left
    assert "secret" not in left
    assert left.count(alias) > 3
    unused = raw(games)  # in which are pages that nothing uses any more
    assert b"secret" not in unused
    assert b"zoe" not in unused
    assert main(["verify", str(games)]) == 0


async def test_the_others_play_on_in_the_same_room(games: Path) -> None:
    store = SqliteStore(games)
    async with served(store) as server:
        zoe, bob = await come(server, "zoe"), await come(server, "bob")
        await zoe.say("/register")
        await play(zoe, bob)
        await zoe.say("/me delete yes")
        assert bob.is_over or bob.transport.closed is not None  # sent out while it was rewritten
        bob = await come(server, "ben")
        assert any_contains(await bob.say("/seats"), "seat 1: bob")  # zoe's is free
        assert any_contains(await bob.say("/games"), "former-player-")
    store.close()


async def test_no_page_or_picture_has_the_name_any_more() -> None:
    store = MemoryStore()
    async with served(store) as server:
        archive = Archive(server.lobby, store, "page/0")
        zoe, bob = await come(server, "zoe"), await come(server, "bob")
        await zoe.say("/register")
        await play(zoe, bob)
        ((_, game),) = await store.finished()

        async def shown(form: str) -> bytes:
            found = await archive.find(f"/g/{game.page}{form}", "http://host")
            assert found is not None
            return found.body

        before = await shown("/card.png")
        assert b"zoe" in await shown("")
        await zoe.say("/me delete yes")
        for form in ("", ".gcg", ".json", ".txt"):
            assert b"zoe" not in await shown(form)
        assert await shown("/card.png") != before


async def test_each_has_a_number_of_their_own() -> None:
    async with served(MemoryStore()) as server:
        zoe, bob = await come(server, "zoe"), await come(server, "bob")
        for player in (zoe, bob):
            await player.say("/register")
        await play(zoe, bob)
        assert any_contains(await zoe.say("/me delete yes"), "former-player-1")
        back = await SessionDriver(server).join()
        (code,) = [await server.lobby.accounts.reset_code("bob")]
        await back.say(f"/name bob {code}")
        assert any_contains(await back.say("/me delete yes"), "former-player-2")
        (game,) = await server.lobby.leaderboard.played_in("kitchen", 5)
        assert {player.name for player in game.players} == {"former-player-1", "former-player-2"}
        assert {one.name for one in await server.lobby.leaderboard.top("official")} <= {
            "former-player-1",
            "former-player-2",
        }


async def test_a_game_that_is_on_is_finished_first() -> None:
    async with served(MemoryStore()) as server:
        zoe, bob = await come(server, "zoe"), await come(server, "bob")
        await zoe.say("/register")
        for player in (zoe, bob):
            await player.say("/ready")
        heard = await zoe.say("/me delete yes")
        assert any_contains(heard, "GAME_ON")
        assert any_contains(await zoe.say("/seats"), "seat 1: zoe")


async def test_a_guest_is_forgotten_in_their_room_alone(games: Path) -> None:
    store = SqliteStore(games)
    async with served(store) as server:
        zoe, bob = await come(server, "zoe"), await come(server, "bob")
        other = await come(server, "zoe", "attic")
        await other.say("I am another")
        await zoe.say("my secret")
        await play(zoe, bob)
        assert list((await exported(zoe))["log"]) == ["kitchen"]
        assert any_contains(await zoe.say("/me delete"), "of this room")
        await zoe.say("/me delete yes")
        assert repr(await store.read("attic")).count("zoe") >= 2
        assert all("zoe" not in repr(entry.what) for entry in await store.read("kitchen"))
        assert [one.room for one in await store.people.codes({"zoe"})] == ["attic"]
    store.close()


async def test_a_guest_cannot_forget_who_had_the_name_before() -> None:
    async with served(MemoryStore()) as server:
        zoe = await come(server, "zoe")
        await zoe.say("/watch")
        await zoe.disconnect()
        other = await come(server, "zoe")
        heard = await other.say("/me delete yes")
        assert any_contains(heard, "NAME_TAKEN")


async def test_the_host_forgets_whoever_asks() -> None:
    async with served(MemoryStore()) as server:
        console = AdminConsole(server, asyncio.Event())
        zoe, bob = await come(server, "zoe"), await come(server, "bob")
        await zoe.say("/register")
        for player in (zoe, bob):
            await player.say("/ready")
        for line, code in (
            ("forget zoe", "GAME_ON"),
            ("forget bob", "NOBODY"),
            ("forget bob kitchen", "GAME_ON"),
        ):
            with pytest.raises(Refusal) as no:
                await console.execute(line)
            assert no.value.code == code
        await bob.say("/resign yes")
        assert await console.execute("forget zoe") == [
            "zoe is former-player-1 in finished games from now on"
        ]
        assert await server.lobby.accounts.owner_of("zoe") is None
        assert "former-player-2" in (await console.execute("forget bob kitchen"))[0]


async def test_who_has_proved_nothing_has_nothing() -> None:
    async with served(MemoryStore()) as server:
        nobody = await SessionDriver(server).join()
        assert any_contains(await nobody.say("/me export"), "NEED_NAME")
        await nobody.say("/name zoe")
        assert any_contains(await nobody.say("/me export"), "NOT_IN_ROOM")


async def test_the_banned_address_of_somebody_else_is_no_part_of_it() -> None:
    async with served(MemoryStore()) as server:
        zoe, _ = await come(server, "zoe"), await come(server, "bob")
        await zoe.say("/ban bob address")
        told = json.dumps(await exported(zoe))
        assert '"banned"' in told
        assert "203.0.113.9" not in told


async def test_asking_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    async with served(MemoryStore()) as server:
        zoe = await come(server, "zoe")
        for _ in range(limits.PERSONAL_PER_HOUR):
            await exported(zoe)
        assert any_contains(await zoe.say("/me export"), "TOO_MANY")


async def test_what_somebody_does_is_still_told() -> None:
    async with served(MemoryStore()) as server:
        zoe, bob = await come(server, "zoe"), await come(server, "bob")
        bob.transport.take_sent()
        await zoe.say("/me exports coffee", "/me delete no")
        await asyncio.sleep(0)
        assert any_contains(bob.transport.take_sent(), "zoe exports coffee")


async def test_nobody_can_take_the_name_of_who_was_forgotten() -> None:
    async with served(MemoryStore()) as server:
        driver = await SessionDriver(server).join()
        assert any_contains(await driver.say("/name former-player-7"), "BAD_NAME")


def test_what_was_said_leaves_a_sign() -> None:
    assert ERASED_TEXT == "…"
