"""Names that are somebody's, and what is told of those who bear them."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from crossroom_protocol.notices import ReaderSettings
from crossroom_server.config.limits import Limits
from crossroom_server.listeners.admin_console import AdminConsole
from crossroom_server.session.server_state import ServerState
from crossroom_server.session.session import Session
from crossroom_server.store.memory import MemoryStore
from tests.support.room_driver import CODE, any_contains
from tests.support.server import SessionDriver, new_lobby, new_server_state

STRANGER = "203.0.113.7"


@asynccontextmanager
async def people(
    *names: str, server_state: ServerState | None = None, room: str = "kitchen"
) -> AsyncIterator[dict[str, SessionDriver]]:
    """People in a room, each from an address of their own."""
    server_state = server_state or new_server_state()
    clients = {}
    for number, name in enumerate(names):
        client = SessionDriver(server_state, address=f"198.51.100.{number + 1}")
        clients[name] = await client.join(room)
        if not name.startswith("nobody"):
            await client.say(f"/name {name}")
    yield clients
    for client in clients.values():
        await client.disconnect()


async def register(client: SessionDriver) -> str:
    """Register the name that somebody has; returns the code."""
    (told,) = [line for line in await client.say("/register") if "is yours" in line]
    found = CODE.search(told)
    assert found
    return found[0]


async def play(ann: SessionDriver, bob: SessionDriver) -> None:
    """A game of a turn or two, which Ann wins."""
    await ann.say("/ready")
    await bob.say("/ready")
    for client in (ann, bob):
        await client.say("/pass")
    await bob.say("/resign yes")


async def test_a_registered_name_needs_its_code_in_every_room() -> None:
    server_state = new_server_state()
    async with people("ann", "nobody", server_state=server_state) as at:
        code = await register(at["ann"])
        for name in ("ann", "Ann", "ANN_", "änn"):
            heard = await at["nobody"].say(f"/name {name}")
            assert heard[0].startswith("! NAME_PROTECTED name: ann is registered"), name
        assert (await at["nobody"].say("/name ann k7qm-4ftz-9w2h"))[0].startswith("! BAD_TOKEN")
        async with people("nobody", server_state=server_state, room="attic") as others:
            heard = await others["nobody"].say("/name ann")
            assert heard[0].startswith("! NAME_PROTECTED name: ann is registered on this server;")
            heard = await others["nobody"].say(f"/name ann {code.upper()}")
            assert heard[0].startswith("- you are ann (registered)")
            assert any_contains(heard, "ann takes seat 1")


async def test_at_the_door_a_name_is_proved_as_well() -> None:
    server_state = new_server_state()
    async with people("ann", server_state=server_state) as at:
        code = await register(at["ann"])
        await at["ann"].say("/leave")
    client = await SessionDriver(server_state).join()
    assert (await client.say("/name ann"))[0].startswith("! NAME_PROTECTED")
    assert await client.say(f"/name ann {code}") == ["- you are ann; now /join ROOM"]
    assert any_contains(await client.say("/join attic"), "you are ann (registered)")
    await client.disconnect()


async def test_who_is_called_so_already_stays_a_guest_until_they_go() -> None:
    server_state = new_server_state()
    async with people("ann", server_state=server_state, room="attic") as guests:
        async with people("ann", server_state=server_state) as at:
            await register(at["ann"])
        assert (await guests["ann"].say("/register"))[0].startswith("! NAME_PROTECTED")
        await guests["ann"].say("/watch", "/name zoe")
        assert (await guests["ann"].say("/name ann"))[0].startswith("! NAME_PROTECTED")


async def test_a_guests_code_brings_back_no_name_that_is_somebodys_now() -> None:
    server_state = new_server_state()
    guest = await SessionDriver(server_state).join("attic")
    (told,) = [line for line in await guest.say("/name ann") if "/resume" in line]
    code = CODE.search(told)
    assert code
    await guest.disconnect()
    async with people("ann", server_state=server_state) as at:
        await register(at["ann"])
    again = await SessionDriver(server_state).join()
    assert (await again.say(f"/resume {code[0]}"))[0].startswith("! NAME_PROTECTED resume")
    await again.disconnect()


async def test_a_resume_code_proves_the_name_where_it_was_proved_before() -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("attic")
    (told,) = [line for line in await ann.say("/name ann") if "/resume" in line]
    code = CODE.search(told)
    assert code
    await register(ann)
    await ann.disconnect()
    again = await SessionDriver(server_state).join()
    await again.say(f"/resume {code[0]}")
    assert any_contains(await again.say("/join kitchen"), "you are ann (registered)")
    await again.disconnect()


async def test_a_name_is_registered_once_and_needs_to_be_had() -> None:
    async with people("ann", "nobody") as at:
        assert (await at["nobody"].say("/register"))[0].startswith("! NEED_NAME")
        await register(at["ann"])
        assert await at["ann"].say("/register") == ["! BAD_ARGS register: ann is yours already"]


async def test_the_table_hears_who_has_registered_but_no_code() -> None:
    async with people("ann", "bob") as at:
        at["bob"].transport.take_sent()
        code = await register(at["ann"])
        heard = at["bob"].transport.take_sent()
        assert heard == ["* #3 ann is registered here; games count for that name from the next on"]
        session = at["ann"].session
        assert code not in repr([getattr(session, name) for name in Session.__slots__])


async def test_only_so_many_names_are_registered_from_one_address() -> None:
    server_state = new_server_state(Limits(burst=100_000, gulp=1 << 30, names=2))
    client = await SessionDriver(server_state, address=STRANGER).join()
    for name in ("ann", "bob"):
        await client.say(f"/name {name}", "/register")
    heard = await client.say("/name cat", "/register")
    assert heard[-1].startswith("! TOO_MANY register: many names were registered from there; wait")
    await client.disconnect()


async def test_codes_cannot_be_tried_out() -> None:
    server_state = new_server_state()
    async with people("ann", server_state=server_state) as at:
        await register(at["ann"])
    client = await SessionDriver(server_state, address=STRANGER).join()
    heard = [(await client.say(f"/name ann {n:012}"))[0].split()[1] for n in range(5)]
    assert heard == ["BAD_TOKEN"] * 3 + ["SLOW_DOWN"] * 2
    await client.disconnect()


async def test_the_host_makes_a_new_code_for_a_lost_one() -> None:
    server_state = new_server_state()
    async with people("ann", server_state=server_state) as at:
        old = await register(at["ann"])
    console = AdminConsole(server_state, None)  # type: ignore[arg-type]
    (told,) = await console.execute("recode Ann")
    new = CODE.search(told)
    assert new
    client = await SessionDriver(server_state).join()
    assert (await client.say(f"/name ann {old}"))[0].startswith("! BAD_TOKEN")
    assert (await client.say(f"/name ann {new[0]}")) == ["- you are ann; now /join ROOM"]
    await client.disconnect()


async def test_programs_get_the_code_as_a_field() -> None:
    client = await SessionDriver(new_server_state(), ReaderSettings("json")).join()
    heard = await client.say('{"do":"name","name":"ann"}', '{"do":"register","id":"7"}')
    claim = json.loads(heard[1])
    assert (claim["tell"], claim["name"], claim["id"]) == ("registered", "ann", "7")
    assert CODE.fullmatch(claim["code"])
    await client.disconnect()


# What is told.


async def test_stats_are_of_registered_names() -> None:
    async with people("ann", "bob") as at:
        heard = await at["ann"].say("/stats")
        assert heard[0].startswith("! NOBODY stats: your games are not counted: /register makes")
        await register(at["ann"])
        assert await at["bob"].say("/stats Ann") == [
            "- ann: no game yet; games count from the one that begins after /register",
            "- page: http://host:8765/p/ann",
        ]
        await play(at["ann"], at["bob"])
        assert await at["bob"].say("/stats ann") == [
            "- ann: 1 game, 1 won",
            "- 0 points a game, 0.0 a turn; highest score 0",
            "- 0 bingos, 0.0 a game",
            "- page: http://host:8765/p/ann",
        ]
        assert (await at["bob"].say("/stats greedy-bot"))[0].startswith("! BAD_NAME")
    client = await SessionDriver(new_server_state()).join()
    assert (await client.say("/stats"))[0].startswith("! NEED_NAME")
    await client.disconnect()


async def test_games_among_registered_people_are_rated() -> None:
    store = MemoryStore()
    server_state = new_server_state(lobby=new_lobby(store))
    async with people("ann", "bob", server_state=server_state) as at:
        assert any_contains(await at["ann"].say("/top"), "nobody has a rating for official yet")
        for client in at.values():
            await register(client)
        await play(at["ann"], at["bob"])
        top = await at["bob"].say("/top")
        assert top[0] == "- official rules, the strongest first:"
        winner, loser = (
            re.fullmatch(r"- \d\. (\w+): rating (\d+), 1 game, (\d) won", line) for line in top[1:]
        )
        assert winner
        assert loser
        assert (winner[1], winner[3], loser[1], loser[3]) == ("ann", "1", "bob", "0")
        assert int(winner[2]) > 1000 > int(loser[2])
        assert any_contains(
            await at["ann"].say("/stats"),
            f"official: rating {winner[2]} after 1 rated game, place 1 of 2",
        )
        assert any_contains(await at["ann"].say("/top race"), "nobody has a rating for race yet")
        assert (await at["ann"].say("/top fancy"))[0].startswith("! BAD_SETTING")
    later = new_server_state(lobby=new_lobby(store))
    client = await SessionDriver(later).join()
    assert await client.say("/top official") == top, "the same after a restart"
    await client.disconnect()


async def test_a_room_lists_its_games_with_their_pages() -> None:
    server_state = new_server_state()
    async with people("ann", "bob", "nobody", server_state=server_state) as at:
        await register(at["ann"])
        assert await at["nobody"].say("/games") == ["- no game has ended here yet"]
        await play(at["ann"], at["bob"])
        (kept,) = [line for line in at["nobody"].transport.take_sent() if "saved" in line]
        page = kept.rpartition("/")[2]
        heard = await at["nobody"].say("/games")
        assert heard == [
            (
                "- game 1, 1970-01-01, official rules: ann 0, bob 0; ann wins; "
                f"http://host:8765/g/{page}"
            ),
            "- all of them: http://host:8765/r/kitchen",
        ]
        await at["ann"].say("/lock")
        await play(at["ann"], at["bob"])
        heard = await at["ann"].say("/games 1")
        assert heard[0].startswith("- game 2, ")
        assert len(heard) == 1, "no public list names this one"
        first = await at["nobody"].say("/export gcg 1")
        assert any_contains(first, "#player1 ann")
        assert first != await at["nobody"].say("/export gcg 2")
        assert await at["nobody"].say("/export gcg 2") == await at["nobody"].say("/export gcg")
        assert (await at["ann"].say("/export json 3"))[0].startswith("! NO_GAME export: no game 3")
        assert (await at["ann"].say("/export analysis 1"))[0].startswith("! BAD_ARGS")
        profile = await server_state.lobby.leaderboard.profile("ann")
        assert profile.games == 2
        assert [game.game for game in profile.latest] == [1], "nor does the page of a player"
    client = await SessionDriver(new_server_state()).join()
    assert (await client.say("/games"))[0].startswith("! NOT_IN_ROOM")
    await client.disconnect()


@pytest.mark.parametrize("command", ["stats", "top", "games"])
async def test_tags_say_what_is_told(command: str) -> None:
    client = await SessionDriver(new_server_state(), ReaderSettings("tags")).join("kitchen")
    await client.say("/name ann", "/register")
    heard = await client.say(f"@5 /{command}")
    *told, done = heard
    assert done == "@label=5 ."
    assert all(line.startswith(f"@label=5;about={command}") for line in told)
    assert told
    await client.disconnect()
