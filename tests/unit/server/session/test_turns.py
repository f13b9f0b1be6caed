"""`/turns`: the games that wait for whoever asks."""

import json

from crossroom_protocol.notices import ReaderSettings
from crossroom_server.session.server_state import ServerState
from tests.support.room_driver import any_contains
from tests.support.server import SessionDriver, new_server_state, take_name


async def play(
    server: ServerState, room: str, *settings: str, first: str, code: str = "", lock: bool = False
) -> str:
    """Ann and bob begin a game in a room; returns the code of ann's name."""
    ann, bob = await SessionDriver(server).join(), await SessionDriver(server).join()
    await ann.say(f"/join {room}", f"/name ann {code}", "/set first_player seat")
    await ann.say(*settings)
    told = "" if code else "\n".join(await ann.say("/register"))
    await bob.say(f"/join {room}")
    await take_name(bob, "bob")
    await ann.say("/ready")
    await bob.say("/ready")
    if lock:
        await ann.say("/lock sesame")
    if first == "bob":
        await ann.say("/pass")
    return code or told.partition("/name ann ")[2].split()[0]


async def test_games_are_listed_those_first_that_wait() -> None:
    server = new_server_state()
    code = await play(server, "kitchen", first="bob")
    await play(server, "attic", "/set turn_limit 86400", first="ann", code=code)
    await play(server, "cellar", "/set clock 1500", first="ann", code=code, lock=True)
    asking = await SessionDriver(server).join()
    await asking.say(f"/name ann {code}")
    assert await asking.say("/turns") == [
        "- cellar: your turn, 25 minutes left",
        "- attic: your turn, 24 hours left",
        "- kitchen: bob to move",
        "- /join ROOM goes to one; you take your seat there",
    ]


async def test_programs_are_told_how_many_wait() -> None:
    server = new_server_state()
    code = await play(server, "kitchen", first="ann")
    program = await SessionDriver(server, ReaderSettings("json")).join()
    await program.say(json.dumps({"do": "name", "name": "ann", "code": code}))
    told, _ = await program.say(json.dumps({"do": "turns", "id": "1"}))
    (game,) = json.loads(told)["games"]
    assert game == {
        "room": "kitchen",
        "on_turn": "ann",
        "is_yours": True,
        "is_adjourned": False,
        "left": None,
    }


async def test_only_who_has_proven_the_name_is_told() -> None:
    server = new_server_state()
    await play(server, "kitchen", first="ann")
    stranger = await SessionDriver(server).join()
    assert any_contains(await stranger.say("/turns"), "NEED_NAME")
    await stranger.say("/name carol")
    assert any_contains(await stranger.say("/turns"), "NEED_NAME")


async def test_nothing_waits() -> None:
    server = new_server_state()
    ann = await SessionDriver(server).join()
    await ann.say("/join kitchen", "/name ann", "/register")
    assert await ann.say("/turns") == ["- no game of ann waits here"]


async def test_a_name_is_found_however_it_is_written() -> None:
    server = new_server_state()
    code = await play(server, "kitchen", first="ann")
    phone = await SessionDriver(server).join()
    assert any_contains(await phone.say(f"/name Ann {code}"), "you are ann;")
    assert any_contains(await phone.say("/turns"), "kitchen: your turn")
