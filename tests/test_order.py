"""Who keeps order in a room, and how newcomers come in."""

import asyncio
import logging
import threading
from functools import reduce
from pathlib import Path

import pytest

from crossroom_protocol.notices import Style
from crossroom_protocol.order_events import Banned, Invited, Locked
from crossroom_protocol.refusals import Refusal
from crossroom_protocol.room_events import ENTRY, SeatTaken
from crossroom_server import moderation, names, order, passwords
from crossroom_server.moderation import role_of
from crossroom_server.room import Room
from crossroom_server.store import Unavailable
from tests.serving import Caller, Visitor, new_house, serving
from tests.stage import CODE, Ear, Stage, gathered, has, playing

STYLES = (Style("plain"), Style("tags"), Style("json"), Style("plain", reader=True))


async def refused(stage: Stage, name: str, key: str = "", address: str = "test") -> str:
    with pytest.raises(Refusal) as caught:
        await stage.come(name, key=key, address=address)
    return caught.value.code


async def token(stage: Stage, name: str) -> str:
    """An invitation that somebody has made."""
    ear = stage.ears[name]
    own = ear.code
    await stage.type(name, "/invite")
    made, ear.code = ear.code, own
    assert made != own
    return made


# Roles.


async def test_the_first_person_who_sat_down_owns_the_room() -> None:
    stage = await gathered("watcher", "ann", "bob")
    table = await stage.table()
    roles = [role_of(table, chair.member) for chair in table.chairs]
    assert roles == ["owner", "player"]
    assert role_of(table, None) == "watcher"
    await stage.type("ann", "/watch")
    table = await stage.table()
    assert table.order.owner is not None
    assert table.order.owner.whom == "ann"
    assert role_of(table, table.order.owner.member) == "owner"


async def test_a_bot_owns_nothing() -> None:
    stage = await gathered("ann")
    await stage.type("ann", "/watch")
    await stage.type("ann", "/bot add novice")
    _, *others = await stage.store.read("kitchen")  # as if nobody had been first
    assert isinstance(others[-1].what, SeatTaken)
    assert reduce(order.apply, others, order.Order()).owner is None


async def test_a_view_tells_roles_by_the_names_of_now() -> None:
    stage = await gathered("ann", "bob")
    await stage.type("ann", "/role bob moderator")
    await stage.type("ann", "/name anna")
    await stage.type("bob", "/lock")
    room = await stage.room()
    view = room._audience.view(room.table, stage.ears["bob"])
    assert (view.role, view.owner, view.moderators) == ("moderator", "anna", ("bob",))
    assert view.door == "invitation"


async def test_who_keeps_order_arranges_the_table_without_a_seat() -> None:
    stage = await gathered("ann", "bob")
    await stage.type("ann", "/watch")
    assert has(await stage.type("ann", "/set clock 60"), "sets clock to 60")
    cat = await stage.come("cat")
    await stage.type("cat", "/watch")
    cat.take()
    assert has(await stage.type("cat", "/set clock 90"), "! NEED_SEAT set")


async def test_roles_bans_mutes_and_locks_survive_a_restart() -> None:
    stage = await gathered("ann", "bob", "cat", "dan")
    for line in ("/role bob", "/ban cat", "/mute dan", "/lock open-sesame", "/set slow 7"):
        await stage.type("ann", line)
    before = (await stage.table()).order
    assert len(before.keepers) == 2
    assert before.banned
    assert before.muted
    await stage.restart()
    assert (await stage.table()).order == before
    assert has(stage.ears["cat"].heard, "! BANNED")
    assert has(await stage.type("dan", "hello"), "! MUTED say")


async def test_leaving_and_coming_anew_does_not_end_a_mute() -> None:
    stage = await gathered("ann", "bob")
    await stage.type("ann", "/mute bob")
    await (await stage.room()).leave(stage.ears["bob"])
    await stage.come("Bob")
    assert has(await stage.type("Bob", "hello"), "! MUTED say")
    assert has(await stage.type("Bob", "/name robert"), "! MUTED name")
    await stage.type("ann", "/unmute bob")
    assert has(await stage.type("Bob", "hello"), "hello")


async def test_a_new_name_is_no_way_around_slow_talk() -> None:
    stage = await gathered("ann", "bob", "cat", "dan")
    await stage.type("dan", "/watch")
    await stage.type("ann", "/set slow 60")
    for name in ("bob", "dan", "ann"):  # seated, watching, and the owner, who need not wait
        await stage.type(name, "hello")
        heard = await stage.type(name, f"/name {name}by")
        heard += await stage.type(name, "hello again")
        assert has(heard, "SLOW_DOWN name: talk is slow") == (name != "ann")
        assert has(heard, "hello again") == (name == "ann")
    assert not has(await stage.type("cat", "/name cathy"), "!")
    stage.now += 60_000
    await stage.type("bob", "/name bobby")
    assert has(await stage.type("bob", "hello"), "bobby: hello")


# Sending people away.


async def test_who_is_kicked_is_told_and_hung_up_on_and_may_come_back() -> None:
    stage = await gathered("ann", "bob", "cat")
    bob = stage.ears["bob"]
    await stage.type("ann", "/kick bob")
    assert has(bob.heard, "ann sends bob away")
    assert bob.closed == moderation.SENT_AWAY
    assert has(await stage.type("bob", "hello"), "! NOT_IN_ROOM")
    assert [chair.name for chair in (await stage.table()).chairs] == ["ann", "cat"]
    assert has((await stage.come_back("bob")).heard, "bob takes seat 3")


async def test_who_is_banned_in_a_game_has_resigned() -> None:
    stage = await playing("ann", "bob")
    await stage.type("ann", "/ban bob")
    table = await stage.table()
    assert table.playing is None
    assert [chair.name for chair in table.chairs] == ["ann"]


async def test_who_has_resigned_already_is_banned_all_the_same() -> None:
    stage = await playing("ann", "bob", "cat")
    await stage.type("bob", "/resign")
    await stage.type("ann", "/ban bob")
    assert has(stage.ears["cat"].heard, "ann bans bob")


async def test_moderators_do_not_act_on_each_other() -> None:
    stage = await gathered("ann", "bob", "cat")
    await stage.type("ann", "/role bob")
    await stage.type("ann", "/role cat")
    assert has(await stage.type("bob", "/ban cat"), "! NEED_ROLE ban: cat is moderator here")
    assert stage.ears["cat"].closed is None


async def test_a_banned_moderator_is_none_any_more() -> None:
    stage = await gathered("ann", "bob")
    await stage.type("ann", "/role bob")
    await stage.type("ann", "/ban bob")
    await stage.type("ann", "/unban bob")
    bob = await stage.come_back("bob")
    assert has(await stage.type("bob", "/lock"), "! NEED_ROLE")
    assert bob.closed is None


async def test_an_address_is_banned_for_newcomers_and_told_nobody() -> None:
    stage = await gathered("ann")
    mal = await stage.come("mal", address="198.51.100.7")
    bob = await stage.come("bob", address="198.51.100.7")
    await stage.type("ann", "/ban mal address")
    assert mal.closed == moderation.SENT_AWAY
    assert await refused(stage, "mel", address="198.51.100.7") == "BANNED"
    await stage.come("dan", address="198.51.100.8")
    assert bob.closed is None
    await stage.come_back("bob")
    assert has(await stage.type("ann", "/bans"), "mal is banned by ann, with their address")
    assert not has([line for ear in stage.ears.values() for line in ear.heard], "198.51")
    await stage.type("ann", "/unban mal")
    await stage.come("mel", address="198.51.100.7")


async def test_a_code_lets_nobody_in_from_a_banned_address_but_who_could_lift_the_ban() -> None:
    stage = await gathered("ann", "bob", "watcher")
    for name in ("mal", "mat"):
        await stage.come(name, address="198.51.100.7")
    await stage.type("ann", "/role bob")
    await stage.type("ann", "/ban mal address")
    for name in ("ann", "bob", "mat"):
        await stage.go(name)
    for name in ("ann", "bob"):
        back = await stage.come_back(name, address="198.51.100.7")
        assert not has(back.heard, "!")
    with pytest.raises(Refusal) as caught:
        await stage.come_back("mat", address="198.51.100.7")
    assert caught.value.code == "BANNED"
    room, nobody = await stage.room(), Ear("watcher", address="198.51.100.7")
    with pytest.raises(Refusal):
        await room.resume(nobody, None, None)
    assert nobody not in room
    await stage.come_back("mat", address="198.51.100.8")
    await stage.type("ann", "/unban mal")
    await stage.come_back("mat", address="198.51.100.7")


async def test_an_address_that_is_not_known_is_not_said_to_be_banned() -> None:
    stage = await gathered("ann", "bob", seed=3)
    assert has(await stage.type("ann", "/ban mal address"), "! NOBODY ban")
    assert not (await stage.table()).order.banned
    assert not has(await stage.type("ann", "/ban mal"), "!")


async def test_the_machine_itself_cannot_be_banned() -> None:
    stage = await gathered("ann")
    await stage.come("bob", address="127.0.0.1")
    assert has(await stage.type("ann", "/ban bob address"), "! BAD_ARGS ban")
    await stage.go("bob")
    assert not has(await stage.type("ann", "/ban bob"), "!")


async def test_the_list_of_the_banned_does_not_grow_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moderation, "MOST", 2)
    stage = await gathered("ann", "bob")
    for line in ("/ban cat", "/ban dan"):
        assert not has(await stage.type("ann", line), "!")
    assert has(await stage.type("ann", "/ban bob"), "! TOO_MANY ban")


# Newcomers.


async def test_an_invitation_lets_one_person_in_once() -> None:
    stage = await gathered("ann", "bob")
    await stage.type("ann", "/lock")
    code = await token(stage, "ann")
    assert await refused(stage, "cat") == "NEED_KEY"
    assert await refused(stage, "cat", "0000-0000-0000") == "NEED_KEY"
    cat = await stage.come("cat", key=code.upper())
    assert has(cat.heard, "cat takes seat 3")
    assert has(stage.ears["bob"].heard, "somebody comes in, whom ann has invited")
    assert await refused(stage, "dan", code) == "NEED_KEY"
    await stage.go("cat")
    await stage.come_back("cat")


async def test_two_who_come_with_one_invitation_are_one_too_many() -> None:
    stage = await gathered("ann")
    await stage.type("ann", "/lock")
    code = await token(stage, "ann")
    room = await stage.room()
    dan = Ear("dan")
    proof = await room.knock(dan, code)
    await stage.come("cat", key=code)
    with pytest.raises(Refusal) as caught:
        await room.enter(dan, "dan", proof)
    assert caught.value.code == "NEED_KEY"


async def test_an_invitation_is_good_for_a_day() -> None:
    stage = await gathered("ann")
    await stage.type("ann", "/lock")
    early, late = await token(stage, "ann"), await token(stage, "ann")
    stage.now += moderation.DAY - 10_000
    await stage.come("cat", key=early)
    stage.now += 10_000
    assert await refused(stage, "dan", late) == "NEED_KEY"


async def test_an_invitation_is_made_only_where_one_is_needed_and_shown_nobody_else() -> None:
    stage = await gathered("ann", "bob")
    assert not has(await stage.type("bob", "/invite"), "/join")
    await stage.type("ann", "/lock word")
    assert has(await stage.type("bob", "/invite"), "! NEED_ROLE invite")
    assert has(await stage.type("ann", "!invite"), "! BAD_ARGS invite")
    assert has(await stage.type("ann", "/invite"), "/join kitchen CODE")


async def test_only_so_many_invitations_are_good_at_a_time() -> None:
    stage = await gathered("ann")
    await stage.type("ann", "/lock")
    first = await token(stage, "ann")
    for _ in range(order.INVITATIONS):
        await stage.type("ann", "/invite")
    assert len((await stage.table()).order.invitations) == order.INVITATIONS
    assert await refused(stage, "cat", first) == "NEED_KEY"


async def test_nobody_is_ever_told_a_secret() -> None:
    stage = await gathered("ann", "bob", "watcher")
    for style, ear in zip(STYLES, stage.ears.values(), strict=False):
        ear.style = style
    await stage.come("dan", address="198.51.100.7", style=STYLES[2])
    await stage.come("eve", style=STYLES[3])
    for line in ("/lock open-sesame", "/invite", "/ban dan address", "/bans"):
        await stage.type("ann", line)
    for name in ("bob", "eve"):
        await stage.come_back(name, 0)
    log = await stage.store.read("kitchen")
    kinds = {type(entry.what): entry.what for entry in log}
    lock, ban, invited = kinds[Locked], kinds[Banned], kinds[Invited]
    assert isinstance(lock, Locked)
    assert isinstance(ban, Banned)
    assert isinstance(invited, Invited)
    secrets = {lock.password, ban.address, invited.digest, "open-sesame"}
    assert None not in secrets
    heard = [line for ear in stage.ears.values() for line in ear.heard]
    assert has(heard, '"kind":"locked"')
    assert not [line for line in heard for secret in secrets if secret and secret in line]
    assert not [entry for entry in log if b"open-sesame" in ENTRY.dump_json(entry)]
    assert not [secret for secret in secrets if secret and secret in repr((lock, ban, invited))]


async def test_a_password_is_worked_out_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    where = []

    def verify(kept: str, key: str) -> bool:
        where.append(threading.current_thread())
        return key == "word"

    monkeypatch.setattr(passwords, "_verify", verify)
    stage = await gathered("ann")
    await stage.type("ann", "/lock word")
    await stage.come("cat", key="word")
    assert await refused(stage, "dan", "ward") == "NEED_KEY"
    assert where
    assert threading.main_thread() not in where


async def test_a_game_goes_on_while_a_password_is_worked_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done = asyncio.Event()

    async def slow(password: str) -> str:
        await done.wait()
        return "hash"

    monkeypatch.setattr(moderation, "hashed", slow)
    stage = await gathered("ann", "bob")
    assert has(await stage.type("bob", "/lock word"), "! NEED_ROLE lock")
    locking = asyncio.create_task(stage.type("ann", "/lock word"))
    await asyncio.sleep(0)
    assert has(await stage.type("bob", "hello"), "bob: hello")
    done.set()
    assert has(await locking, "ann locks the room")


async def test_what_is_kept_of_a_password_tells_nothing() -> None:
    first, second = await passwords.hashed("word"), await passwords.hashed("word")
    assert first.startswith("$argon2id$")
    assert first != second
    lock = order.Order(lock=Locked("ann", first))
    assert await passwords.prove(lock, "word") == first
    assert await passwords.prove(lock, "Word") == ""
    assert await passwords.prove(lock, "") is None
    assert await passwords.prove(order.Order(lock=Locked("ann", "rubbish")), "word") == ""


def test_a_token_looks_like_a_resume_code_and_opens_no_seat() -> None:
    code, digest = names.new_code()
    there = order.Order(invitations=(Invited("ann", 1, digest),))
    assert there.find_invitation(code.upper().replace("-", "")) == digest
    assert there.find_invitation("k7qm-4ftz-9w2h") is None


# Over connections.


def written_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.glob("games.db*"))


async def opened(house_name: str = "kitchen") -> tuple[Visitor, Visitor]:
    """Ann in a room with a password, and cat at the door."""
    house = new_house()
    ann = await Visitor(house).come(house_name)
    await ann.say("/name ann", "/lock word")
    cat = await Visitor(house).come(house_name)
    return ann, cat


async def test_who_is_kept_out_stands_at_the_door() -> None:
    _, cat = await opened()
    assert cat.wire.closed is None
    assert cat.wire.heard[0].startswith("! NEED_KEY join: this room is locked")
    assert cat.wire.heard[1].startswith("- welcome")
    assert "/join ROOM" in cat.wire.heard[2]
    assert await cat.say("/rooms") == ["- kitchen: 1 here, 1 seated, locked"]
    assert has(await cat.say("/join kitchen word"), "welcome to kitchen")
    assert has(await cat.say("/name cat"), "cat takes seat 2")


async def test_guessing_a_password_is_slow() -> None:
    _, cat = await opened()
    for _ in range(cat.session._house.limits.wrong_codes):
        assert has(await cat.say("/join kitchen ward"), "! NEED_KEY join: that does not open")
    assert has(await cat.say("/join kitchen word"), "! SLOW_DOWN join: too many wrong codes")


async def test_who_is_kept_out_stays_where_they_were() -> None:
    _, cat = await opened()
    await cat.say("/join garden", "/name cat")
    assert has(await cat.say("/join kitchen"), "! NEED_KEY")
    assert has(await cat.say("/who"), "at the table: cat")


async def test_the_door_may_be_locked_while_somebody_comes_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, cat = await opened()
    room = ann.session._room
    assert isinstance(room, Room)

    async def late(client: object, key: str) -> None:
        """Let them in, as if it had been open a moment ago."""

    monkeypatch.setattr(room, "knock", late)
    assert has(await cat.say("/join kitchen"), "! NEED_KEY")
    assert has(await cat.say("/who"), "! NOT_IN_ROOM who: enter a room first")


async def test_a_password_is_not_in_the_logs_nor_in_the_folder(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("websockets").setLevel(logging.WARNING)
    async with serving(keep=True, data=tmp_path) as app:
        ann = await Caller.dial(app.line_port or 0)
        ann.say("join kitchen\n/name ann\n/lock open-sesame\n/invite\n")
        code = CODE.findall((await ann.hear_until("once, and within a day"))[-1])[0]
        cat = await Caller.dial(app.line_port or 0)
        cat.say("join kitchen\njoin kitchen open\njoin kitchen open-sesame\n/name cat\n")
        heard = await cat.hear_until("takes seat 2")
        assert has(heard, "! NEED_KEY join: this room is locked")
        assert has(heard, "! NEED_KEY join: that does not open")
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
    room = ann.session._room
    assert isinstance(room, Room)

    async def full(*_: object) -> None:
        raise Unavailable("the disk is full")

    monkeypatch.setattr(room._chronicle.store, "append", full)
    assert has(await cat.say(f"/join kitchen {code}"), "! INTERNAL join: nothing was done")
    assert has(await cat.say("/who"), "! NOT_IN_ROOM who: enter a room first")
    monkeypatch.undo()
    assert has(await cat.say(f"/join kitchen {code}"), "welcome to kitchen")
