"""Rooms that are locked: invitations, passwords, and who stands at the door."""

import asyncio
import logging
import threading
from pathlib import Path

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.moderation import Invited, Locked
from crossroom_server.identity.codes import new_code
from crossroom_server.room.room import Room
from crossroom_server.store.contract import Unavailable
from crossroom_server.table import moderation, passwords, permissions
from tests.support.room_driver import (
    CODE,
    FakeClient,
    RoomDriver,
    any_contains,
    entry_refusal,
    open_room,
)
from tests.support.server import RawClient, SessionDriver, new_server_state, run_server


async def token(driver: RoomDriver, name: str) -> str:
    """An invitation that somebody has made."""
    client = driver.clients[name]
    own = client.code
    await driver.type(name, "/invite")
    made, client.code = client.code, own
    assert made != own
    return made


# Invitations.


async def test_an_invitation_lets_one_person_in_once() -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", "/lock")
    code = await token(driver, "ann")
    assert await entry_refusal(driver, "cat") == "NEED_KEY"
    assert await entry_refusal(driver, "cat", "0000-0000-0000") == "NEED_KEY"
    cat = await driver.join("cat", key=code.upper())
    assert any_contains(cat.received, "cat takes seat 3")
    assert any_contains(driver.clients["bob"].received, "somebody whom ann has invited comes in")
    assert await entry_refusal(driver, "dan", code) == "NEED_KEY"
    await driver.disconnect("cat")
    await driver.reconnect("cat")


async def test_two_who_come_with_one_invitation_are_one_too_many() -> None:
    driver = await open_room("ann")
    await driver.type("ann", "/lock")
    code = await token(driver, "ann")
    room = await driver.room()
    dan = FakeClient("dan")
    proof = await room.check_key(dan, code)
    await driver.join("cat", key=code)
    with pytest.raises(Refusal) as caught:
        await room.enter(dan, "dan", proof)
    assert caught.value.code == "NEED_KEY"


async def test_an_invitation_is_good_for_a_day() -> None:
    driver = await open_room("ann")
    await driver.type("ann", "/lock")
    early, late = await token(driver, "ann"), await token(driver, "ann")
    driver.now += moderation.INVITATION_LIFETIME_MS - 10_000
    await driver.join("cat", key=early)
    driver.now += 10_000
    assert await entry_refusal(driver, "dan", late) == "NEED_KEY"


async def test_an_invitation_is_made_only_where_one_is_needed_and_shown_nobody_else() -> None:
    driver = await open_room("ann", "bob")
    assert not any_contains(await driver.type("bob", "/invite"), "/join")
    await driver.type("ann", "/lock word")
    assert any_contains(await driver.type("bob", "/invite"), "! NEED_ROLE invite")
    assert any_contains(await driver.type("ann", "!invite"), "! BAD_ARGS invite")
    assert any_contains(await driver.type("ann", "/invite"), "/join kitchen CODE")


async def test_only_so_many_invitations_are_good_at_a_time() -> None:
    driver = await open_room("ann")
    await driver.type("ann", "/lock")
    first = await token(driver, "ann")
    for _ in range(permissions.MAX_INVITATIONS):
        await driver.type("ann", "/invite")
    assert len((await driver.table()).permissions.invitations) == permissions.MAX_INVITATIONS
    assert await entry_refusal(driver, "cat", first) == "NEED_KEY"


def test_a_token_looks_like_a_resume_code_and_opens_no_seat() -> None:
    code, digest = new_code()
    there = permissions.Permissions(invitations=(Invited("ann", 1, digest),))
    assert there.find_invitation(code.upper().replace("-", "")) == digest
    assert there.find_invitation("k7qm-4ftz-9w2h") is None


# Passwords.


async def test_a_password_is_worked_out_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    where = []

    def verify(kept: str, key: str) -> bool:
        where.append(threading.current_thread())
        return key == "word"

    monkeypatch.setattr(passwords, "_verify", verify)
    driver = await open_room("ann")
    await driver.type("ann", "/lock word")
    await driver.join("cat", key="word")
    assert await entry_refusal(driver, "dan", "ward") == "NEED_KEY"
    assert where
    assert threading.main_thread() not in where


async def test_a_game_goes_on_while_a_password_is_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = asyncio.Event()

    async def slow(password: str) -> str:
        await done.wait()
        return "hash"

    monkeypatch.setattr(moderation, "hash_password", slow)
    driver = await open_room("ann", "bob")
    assert any_contains(await driver.type("bob", "/lock word"), "! NEED_ROLE lock")
    locking = asyncio.create_task(driver.type("ann", "/lock word"))
    await asyncio.sleep(0)
    assert any_contains(await driver.type("bob", "hello"), "bob: hello")
    done.set()
    assert any_contains(await locking, "ann locks the room")


async def test_what_is_kept_of_a_password_tells_nothing() -> None:
    first, second = await passwords.hash_password("word"), await passwords.hash_password("word")
    assert first.startswith("$argon2id$")
    assert first != second
    lock = permissions.Permissions(lock=Locked("ann", first))
    assert await passwords.check_key(lock, "word") == first
    assert await passwords.check_key(lock, "Word") == ""
    assert await passwords.check_key(lock, "") is None
    assert (
        await passwords.check_key(permissions.Permissions(lock=Locked("ann", "rubbish")), "word")
        == ""
    )


# Over connections.


def written_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.glob("games.db*"))


async def opened(house_name: str = "kitchen") -> tuple[SessionDriver, SessionDriver]:
    """Ann in a room with a password, and cat at the door."""
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join(house_name)
    await ann.say("/name ann", "/lock word")
    cat = await SessionDriver(server_state).join(house_name)
    return ann, cat


async def test_who_is_kept_out_stands_at_the_door() -> None:
    _, cat = await opened()
    assert cat.transport.closed is None
    assert cat.transport.sent[0].startswith("! NEED_KEY join: this room is locked")
    assert cat.transport.sent[1].startswith("- welcome")
    assert "/join ROOM" in cat.transport.sent[2]
    assert await cat.say("/rooms") == ["- kitchen: 1 here, 1 seated, locked"]
    assert any_contains(await cat.say("/join kitchen word"), "welcome to kitchen")
    assert any_contains(await cat.say("/name cat"), "cat takes seat 2")


async def test_guessing_a_password_is_slow() -> None:
    _, cat = await opened()
    for _ in range(cat.session.server.limits.wrong_codes):
        assert any_contains(
            await cat.say("/join kitchen ward"), "! NEED_KEY join: that does not open"
        )
    assert any_contains(
        await cat.say("/join kitchen word"), "! SLOW_DOWN join: too many wrong codes"
    )


async def test_who_is_kept_out_stays_where_they_were() -> None:
    _, cat = await opened()
    await cat.say("/join garden", "/name cat")
    assert any_contains(await cat.say("/join kitchen"), "! NEED_KEY")
    assert any_contains(await cat.say("/who"), "at the table: cat")


async def test_the_door_may_be_locked_while_somebody_comes_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, cat = await opened()
    room = ann.session.room
    assert isinstance(room, Room)

    async def late(client: object, key: str) -> None:
        """Let them in, as if it had been open a moment ago."""

    monkeypatch.setattr(room, "check_key", late)
    assert any_contains(await cat.say("/join kitchen"), "! NEED_KEY")
    assert any_contains(await cat.say("/who"), "! NOT_IN_ROOM who: enter a room first")


async def test_a_password_is_not_in_the_logs_nor_in_the_folder(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("websockets").setLevel(logging.WARNING)
    async with run_server(keep=True, data=tmp_path) as app:
        ann = await RawClient.dial(app.line_port or 0)
        ann.say("join kitchen\n/name ann\n/lock open-sesame\n/invite\n")
        code = CODE.findall((await ann.hear_until("once, and within a day"))[-1])[0]
        cat = await RawClient.dial(app.line_port or 0)
        cat.say("join kitchen\njoin kitchen open\njoin kitchen open-sesame\n/name cat\n")
        heard = await cat.hear_until("takes seat 2")
        assert any_contains(heard, "! NEED_KEY join: this room is locked")
        assert any_contains(heard, "! NEED_KEY join: that does not open")
        ann.say("/kick cat\n")
        assert (await cat.hear_all())[-1].startswith("- connection closed: ann has sent you away")
        await ann.hang_up()
        await cat.hang_up()
    written = written_in(tmp_path)
    assert b"argon2id" in written
    for secret in ("open-sesame", code):
        assert secret not in caplog.text
        assert secret.encode() not in written
    assert "argon2id" not in caplog.text


async def test_who_could_not_be_let_in_is_not_in(monkeypatch: pytest.MonkeyPatch) -> None:
    ann, cat = await opened()
    code = CODE.findall("\n".join(await ann.say("/invite")))[0]
    room = ann.session.room
    assert isinstance(room, Room)

    async def full(*_: object) -> None:
        raise Unavailable("the disk is full")

    monkeypatch.setattr(room._log.store, "append", full)
    assert any_contains(await cat.say(f"/join kitchen {code}"), "! INTERNAL join: nothing was done")
    assert any_contains(await cat.say("/who"), "! NOT_IN_ROOM who: enter a room first")
    monkeypatch.undo()
    assert any_contains(await cat.say(f"/join kitchen {code}"), "welcome to kitchen")
