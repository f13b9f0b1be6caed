"""The host's console: over its socket, and what `crossroom admin` makes of it."""

import argparse
import asyncio
import socket
import stat
from pathlib import Path

import pytest

from crossroom_clients.cli import admin as command
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.cli.console import CONSOLE_COMMANDS, PORT_FILE_NAME, SOCKET_NAME
from crossroom_server.identity.banlist import BanList
from crossroom_server.listeners import admin_console
from crossroom_server.listeners.admin_console import AdminConsole
from tests.support.room_driver import any_contains
from tests.support.server import RawClient, SessionDriver, new_server_state, run_server


def asked(folder: Path, *words: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What `crossroom admin` prints."""
    parser = argparse.ArgumentParser("crossroom admin")
    command.add_arguments(parser)
    assert command.run(parser.parse_args(["--data", str(folder), *words])) == 0
    return capsys.readouterr().out.splitlines()


async def table(*names: str) -> tuple[AdminConsole, dict[str, SessionDriver]]:
    """People in a room, and the console of their server."""
    server_state = new_server_state()
    people = {}
    for name in names:
        people[name] = await SessionDriver(server_state, address="203.0.113.9").join("kitchen")
        await people[name].say(f"/name {name}")
    return AdminConsole(server_state, asyncio.Event()), people


async def begin(people: dict[str, SessionDriver]) -> None:
    """Let a game begin."""
    for person in people.values():
        await person.say("/ready")


async def heard(person: SessionDriver) -> list[str]:
    """What somebody has heard since they last spoke."""
    await asyncio.sleep(0.01)
    return person.transport.take_sent()


# In the process.


async def test_the_console_lists_rooms_and_people() -> None:
    console, people = await table("ann", "bob")
    lines = await console.execute("rooms")
    assert lines[:3] == [
        "kitchen: 2 connected",
        "  at the table: ann and bob",
        "  the room is ann's",
    ]
    await begin(people)
    assert (await console.execute("rooms"))[0] == "kitchen: 2 connected, a game is on"
    assert await AdminConsole(new_server_state(), asyncio.Event()).execute("rooms") == [
        "no room is open"
    ]


async def test_the_host_looks_as_a_watcher_who_is_not_there() -> None:
    console, people = await table("ann", "bob")
    await begin(people)
    await people["ann"].say("hello bob")
    lines = await console.execute("look kitchen")
    assert any_contains(lines, "seat 1: ann")
    assert any_contains(lines, " 8 = . . '")
    assert any_contains(lines, "ann: hello bob")
    assert not any_contains(lines, "you draw")
    assert not any_contains(lines, "= rack")
    assert not any_contains(await console.execute("look kitchen 0"), "hello bob")
    assert len((await console.execute("rooms"))[0].split(":")) == 2
    assert any_contains(await people["ann"].say("/who"), "at the table: ann and bob")


async def test_the_host_keeps_order_above_everybody() -> None:
    console, people = await table("ann", "bob")
    await console.execute("in kitchen role bob owner")
    assert "* #3 the host gives the room to bob" in await heard(people["ann"])
    await console.execute("in kitchen /kick bob")
    assert people["bob"].transport.closed == (4003, "the host has sent you away")
    with pytest.raises(Refusal, match="kick, ban"):
        await console.execute("in kitchen /say hello")
    with pytest.raises(Refusal, match="nobody here is called cat"):
        await console.execute("in kitchen kick cat")


async def test_a_closed_room_is_as_it_was_when_it_opens_again() -> None:
    console, people = await table("ann", "bob")
    await begin(people)
    assert await console.execute("close Kitchen") == ["kitchen is closed, and 2 out"]
    for person in people.values():
        assert person.transport.closed == (4003, "the host has closed the room")
    with pytest.raises(Refusal, match="is not open"):
        await console.execute("close kitchen")
    cat = await SessionDriver(people["ann"].session.server).join("kitchen")
    assert any_contains(cat.transport.sent, "seats: 1 ann (away), 2 bob (away)")
    assert any_contains(cat.transport.sent, "game 1 is on")


async def test_a_room_at_rest_can_be_looked_into_and_kept_in_order() -> None:
    console, people = await table("ann", "bob")
    await begin(people)
    for person in people.values():
        await person.disconnect()
    await console._server.lobby.unload_idle_rooms(0)
    assert await console.execute("rooms") == ["no room is open"]
    assert any_contains(await console.execute("look kitchen"), "ann (away)")
    await console._server.lobby.unload_idle_rooms(0)
    assert await console.execute("in Kitchen lock") == ["done"]
    eve = await SessionDriver(console._server).join("kitchen")
    assert any_contains(eve.transport.sent, "! NEED_KEY")


async def test_an_announcement_reaches_everybody_in_one_line() -> None:
    console, people = await table("ann", "bob")
    outside = await SessionDriver(people["ann"].session.server).join()
    assert await console.execute("announce we stop at ten\x1b[2J") == ["sent to 3 connections"]
    for person in (*people.values(), outside):
        assert (await heard(person))[-1] == "- the host says: we stop at ten[2J"


async def test_a_banned_address_is_hung_up_on_and_refused() -> None:
    console, people = await table("ann")
    server_state = people["ann"].session.server
    assert await console.execute("ban 203.0.113.0/24") == [
        "203.0.113.0/24 is banned, 1 connection closed"
    ]
    assert people["ann"].transport.closed == (4003, "the host has banned this address")
    with pytest.raises(Refusal, match="has banned your address"):
        server_state.count_connection("203.0.113.9")
    server_state.count_connection("203.0.114.9")
    assert await console.execute("bans") == ["203.0.113.0/24"]
    assert await console.execute("unban 203.0.113.0/24") == ["203.0.113.0/24 may come again"]
    server_state.count_connection("203.0.113.9")
    assert await console.execute("bans") == ["no address is banned"]


async def test_draining_lets_games_end_and_nothing_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin_console, "DRAIN_POLL_S", 0.01)
    console, people = await table("ann", "bob")
    await begin(people)
    assert any_contains(await console.execute("drain"), "games that are on: 1; the server stops")
    cat = await SessionDriver(people["ann"].session.server).join("kitchen")
    assert cat.transport.sent[0].startswith("! SHUTTING_DOWN join")
    assert cat.transport.closed is None
    await asyncio.sleep(0.05)
    assert not console._stop.is_set()
    await people["ann"].say("/resign yes")
    assert any_contains(await people["bob"].say("/ready"), "! SHUTTING_DOWN ready")
    async with asyncio.timeout(30):
        await console._stop.wait()


async def test_a_drain_can_be_taken_back() -> None:
    def watches() -> list[asyncio.Task[object]]:
        return [task for task in asyncio.all_tasks() if task.get_name() == "drain"]

    console, people = await table("ann", "bob")
    await begin(people)
    await console.execute("drain")
    (watch,) = watches()
    assert await console.execute("drain off") == ["the server goes on"]
    await asyncio.wait([watch], timeout=5)
    assert watch.cancelled()
    assert not watches()
    await people["ann"].say("/resign yes")
    assert not console._stop.is_set()
    assert any_contains(await people["ann"].say("/ready"), "ann is ready")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("dance", "UNKNOWN_COMMAND"),
        ("look", "UNKNOWN_COMMAND"),
        ("look garden", "NO_ROOM"),
        ("close garden", "NO_ROOM"),
        ("look kitchen many", "BAD_ARGS"),
        ("in kitchen", "UNKNOWN_COMMAND"),
        ("ban me", "BAD_ARGS"),
        ("ban 127.0.0.1", "BAD_ARGS"),
        ("unban 203.0.113.9", "BAD_ARGS"),
        ("drain now", "UNKNOWN_COMMAND"),
    ],
)
async def test_what_makes_no_sense_is_refused(line: str, code: str) -> None:
    console, _ = await table("ann")
    with pytest.raises(Refusal) as caught:
        await console.execute(line)
    assert caught.value.code == code


async def test_every_command_is_explained() -> None:
    console, _ = await table("ann")
    assert len(await console.execute("help")) == len(CONSOLE_COMMANDS)


# Addresses.


def test_banned_addresses_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "banned.txt"
    banned = BanList(path)
    for text in ("203.0.113.9", "198.51.100.7/24", "2001:db8::1", "::ffff:192.0.2.1"):
        banned.add(text)
    again = BanList(path)
    assert list(again) == ["192.0.2.1/32", "198.51.100.0/24", "2001:db8::/64", "203.0.113.9/32"]
    for address in ("203.0.113.9", "198.51.100.200", "2001:db8::ffff", "::ffff:203.0.113.9"):
        assert address in again, address
    for address in ("203.0.113.8", "2001:db8:1::1", "somewhere"):
        assert address not in again, address
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again.remove("203.0.113.9")
    assert "203.0.113.9" not in BanList(path)


def test_a_file_of_addresses_that_is_none_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "banned.txt"
    path.write_text("rubbish\n")
    with pytest.raises(OSError, match=r"banned\.txt: 'rubbish'"):
        BanList(path)


# Over the socket.


@pytest.fixture(params=["socket", "port"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With a socket in the file system, and where there is no such thing."""
    if request.param == "port":
        monkeypatch.setattr(admin_console, "_bound", lambda path: None)
    return str(request.param)


def doors(folder: Path) -> list[Path]:
    return list(folder.glob("admin.*"))


async def test_the_console_is_for_the_user_of_the_server_alone(tmp_path: Path, way: str) -> None:
    async with run_server(keep=True, data=tmp_path):
        (door,) = doors(tmp_path)
        assert door.name == {"socket": SOCKET_NAME, "port": PORT_FILE_NAME}[way]
        assert stat.S_IMODE(door.stat().st_mode) == 0o600
    assert not door.exists()


async def test_crossroom_admin_asks_the_server(
    tmp_path: Path, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async def ask(*words: str) -> list[str]:
        return await asyncio.to_thread(asked, tmp_path, *words, capsys=capsys)

    async with run_server(keep=True, data=tmp_path) as app:
        assert await ask() == ["no room is open"]
        ann = await RawClient.dial(app.line_port or 0)
        ann.say("join kitchen\n/name ann\n")
        await ann.hear_until("takes seat 1")
        assert (await ask("rooms"))[0] == "kitchen: 1 connected"
        assert any_contains(await ask("look", "kitchen"), "#1 ann takes seat 1")
        with pytest.raises(command.CommandRefused, match="garden is not open"):
            await ask("close", "garden")
        await ask("announce", "good", "night")
        await ann.hear_until("- the host says: good night")
        assert not app.stop.is_set()
        await ask("drain")
        await asyncio.wait_for(app.stop.wait(), 30)
        await ann.hang_up()
    with pytest.raises(OSError, match="no server keeps its games in"):
        await ask()


async def test_nobody_gets_in_without_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin_console, "_bound", lambda path: None)
    async with run_server(keep=True, data=tmp_path):
        port, token = written(tmp_path / PORT_FILE_NAME)
        assert len(token) == 32
        for said in ("rooms\n", f"{token[:-1]}\nrooms\n", "\nrooms\n", f"{token}\nrooms\n"):
            peer = await RawClient.dial(int(port))
            peer.say(said)
            heard = await peer.hear_all()
            assert heard == (["- no room is open", "."] if said.startswith(f"{token}\n") else [])
            await peer.hang_up()


def written(path: Path) -> tuple[str, str]:
    port, token = path.read_text().split()
    return port, token


@pytest.mark.parametrize("said", [b"\xff\xfe\n", b"x" * 100_000, b""])
async def test_rubbish_does_the_console_no_harm(tmp_path: Path, said: bytes) -> None:
    async with run_server(keep=True, data=tmp_path):
        for line in (said, b"rooms\n"):
            reader, writer = await asyncio.open_unix_connection(tmp_path / SOCKET_NAME)
            writer.write(line)
            writer.write_eof()
            answer = await reader.read()
            writer.close()
        assert answer == b"- no room is open\n.\n"


async def test_a_socket_that_a_killed_server_left_is_in_nobodys_way(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / SOCKET_NAME))
    with pytest.raises(OSError, match="no server keeps its games in"):
        command.connect_console(tmp_path)
    async with run_server(keep=True, data=tmp_path):
        await asyncio.to_thread(lambda: command.connect_console(tmp_path).close())


async def test_a_path_too_long_for_a_socket_takes_a_port(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 120)
    async with run_server(keep=True, data=folder):
        assert (folder / PORT_FILE_NAME).exists()


async def test_a_server_that_forgets_writes_nothing(tmp_path: Path) -> None:
    async with run_server(data=tmp_path):
        assert not doors(tmp_path)
