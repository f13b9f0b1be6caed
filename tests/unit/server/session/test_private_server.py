"""A private server lets in whom its host has invited, and who was here before; it names nobody."""

import asyncio
from pathlib import Path

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.app import App
from crossroom_server.config.settings import Settings
from crossroom_server.identity.invitations import Invitations
from crossroom_server.listeners.admin_console import AdminConsole
from crossroom_server.session.server_state import ServerState
from tests.integration.test_http import fetch
from tests.support.room_driver import any_contains
from tests.support.server import SessionDriver, new_server_state, run_server, take_name

ADDRESS = "203.0.113.9"


def private() -> tuple[ServerState, AdminConsole]:
    server = new_server_state()
    server.is_private = True
    return server, AdminConsole(server, asyncio.Event(), page_address=lambda: "http://host")


async def invitation(console: AdminConsole, line: str = "invite") -> str:
    first, *_ = await console.execute(line)
    assert first.startswith("http://host/#host-")
    return first.partition("#")[2]


async def test_nobody_comes_in_uninvited() -> None:
    server, _ = private()
    stranger = SessionDriver(server, address=ADDRESS)
    await stranger.join("kitchen")
    assert any_contains(stranger.transport.take_sent(), "NEED_KEY")
    assert not stranger.is_over  # who has an invitation may show it
    for line in ("/rooms", "/stats bob", "/top", "/stored bob", "/games", "/register"):
        assert any_contains(await stranger.say(line), "this server is private"), line
    assert any_contains(await stranger.say("/join kitchen password"), "NEED_KEY")
    assert any_contains(await stranger.say("/help"), "/join")
    assert server.lobby.find("kitchen") is None


async def test_an_invitation_lets_friends_into_any_room() -> None:
    server, console = private()
    token = await invitation(console, "invite 3 for bob and ann")
    for room in ("kitchen", "attic"):
        friend = await SessionDriver(server, address=ADDRESS).join()
        assert any_contains(await friend.say(f"/join {room} {token}"), "welcome")
        assert any_contains(await friend.say("/rooms"), room)
        assert any_contains(await friend.say("/join cellar"), "welcome")


async def test_who_has_a_seat_or_a_registered_name_comes_back() -> None:
    server, console = private()
    token = await invitation(console)
    ann = await SessionDriver(server, address=ADDRESS).join()
    await ann.say(f"/join kitchen {token}")
    seat = await take_name(ann, "ann")
    (told,) = [line for line in await ann.say("/register") if "/name ann" in line]
    code = told.split("/name ann ")[1].split()[0].rstrip(".,;")
    await ann.disconnect()
    await console.execute("uninvite 1")
    back = await SessionDriver(server, address=ADDRESS).join()
    assert any_contains(await back.say(f"/resume {seat}"), "ann")
    assert any_contains(await back.say("/rooms"), "kitchen")
    proven = await SessionDriver(server, address=ADDRESS).join()
    await proven.say(f"/name ann {code}")
    assert any_contains(await proven.say("/join attic"), "welcome")


async def test_a_locked_room_still_asks_for_its_password() -> None:
    server, console = private()
    token = await invitation(console)
    ann = await SessionDriver(server, address=ADDRESS).join()
    await ann.say(f"/join kitchen {token}")
    await ann.say("/name ann", "/lock sesame")
    friend = await SessionDriver(server, address=ADDRESS).join()
    assert any_contains(await friend.say(f"/join kitchen {token}"), "NEED_KEY")
    assert any_contains(await friend.say("/join kitchen sesame"), "welcome")


async def test_wrong_invitations_are_counted() -> None:
    server, _ = private()
    guesser = await SessionDriver(server, address=ADDRESS).join()
    for _ in range(server.limits.wrong_codes):
        assert any_contains(await guesser.say("/join kitchen host-guess"), "NEED_KEY")
    assert any_contains(await guesser.say("/join kitchen host-guess"), "SLOW_DOWN")


async def test_the_host_lists_and_ends_invitations() -> None:
    server, console = private()
    assert await console.execute("invitations") == ["nobody is invited"]
    token = await invitation(console, "invite 1 for bob")
    assert await console.execute("invitations") == ["1: until 1970-01-02, for bob"]
    assert await console.execute("uninvite 1") == ["nobody is invited"]
    assert not server.invitations.is_valid(token, 0)
    for line in ("uninvite 1", "invite many", "invite 0"):
        with pytest.raises(Refusal):
            await console.execute(line)
    server.is_private = False
    with pytest.raises(Refusal, match="--private"):
        await console.execute("invite")


def test_invitations_are_kept_and_end(tmp_path: Path) -> None:
    path = tmp_path / "invitations.txt"
    token = Invitations(path).issue(1000, "a note", 0)
    again = Invitations(path)
    assert again.is_valid(token, 999)
    assert not again.is_valid(token, 1000)
    assert token not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    again.issue(5000, "", 2000)
    assert [one.number for one in Invitations(path).valid(2000)] == [2]
    path.write_text("nonsense\n")
    with pytest.raises(OSError, match="is no invitation"):
        Invitations(path)


async def test_pages_name_nobody() -> None:
    async with run_server(private=True) as app:
        for path in ("/p/ann", "/r/kitchen", "/t/kitchen/card.png"):
            assert (await fetch(app, path)).status == 404
        assert (await fetch(app, "/rooms.json")).body == "[]"
        assert (await fetch(app, "/t/kitchen")).status == 200


async def test_nodes_share_no_invitations() -> None:
    with pytest.raises(OSError, match="do not go together"):
        async with App(Settings(keep=False, private=True, bus="nats://127.0.0.1:1", port=0)):
            pass
