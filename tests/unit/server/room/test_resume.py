"""Coming back: what is told again is, byte for byte, what was told the first time."""

import json
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest

from crossroom_engine.game.views import view
from crossroom_protocol.encoding import tags
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.room import event_log, log_replay
from crossroom_server.store.lease_contract import LeaseLost
from tests.support.fake_bots import best_play_line, phony_line
from tests.support.room_driver import (
    QUIET,
    SHIPPED_LEXICA,
    FakeClient,
    FlakyStore,
    RoomDriver,
    open_room,
)

STYLES = {
    "ann": QUIET,
    "bob": ReaderSettings("tags"),
    "cat": ReaderSettings("json"),
    "eve": ReaderSettings("plain", reader=True),
    "joe": ReaderSettings("json"),
    "tim": ReaderSettings("tags"),
}
"""Three players, then three who watch."""


@pytest.fixture(autouse=True, params=[(128, 1000), (3, 2)], ids=["at hand", "from the store"])
def most_in_memory(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How much of a log a room has at hand, and how much of it is read at a time."""
    monkeypatch.setattr(event_log, "CACHED_ENTRIES", request.param[0])
    monkeypatch.setattr(log_replay, "ENTRIES_PER_READ", request.param[1])


def number(frame: str) -> int | None:
    """Which entry of the log a frame tells, if it tells one."""
    if frame.startswith("{"):
        told = json.loads(frame)
        return int(told["seq"]) if told["tell"] == "event" else None
    found, line = tags.parse_tags(frame)
    if line[:3] not in ("* #", ": #"):
        return None
    seq = int(line[3:].split()[0])
    assert found.get("seq", str(seq)) == str(seq)
    return seq


def entries(frames: list[str]) -> list[str]:
    return [frame for frame in frames if number(frame) is not None]


async def everybody() -> RoomDriver:
    driver = await open_room()
    for name, style in STYLES.items():
        await driver.join(name, style)
        if name == "cat":
            await driver.type("ann", "/set players 3")
    return driver


async def an_evening(driver: RoomDriver) -> None:
    """A game with everything that may be secret in it, and another begun."""
    await driver.type("ann", "/set first-player seat")
    await driver.type("bob", "/set rack 5")
    for name in ("ann", "bob", "cat"):
        await driver.type(name, "/ready")
    await driver.type("eve", "good luck, all")
    await move(driver, "ann", is_phony=True)
    await driver.type("cat", "/challenge")
    await move(driver, "bob")
    await driver.type("eve", "!board")
    await move(driver, "cat")
    await driver.type("ann", f"/exchange {(await rack(driver, 0))[0]}")
    await move(driver, "bob")
    await driver.type("joe", "/me sighs")
    await driver.type("ann", "/challenge")
    await move(driver, "cat")
    await driver.type("bob", "/resign yes")
    await driver.type("ann", "/resign yes")
    for name in ("cat", "bob", "ann"):
        await driver.type(name, "/ready")
    await driver.type("ann", "/pass")
    await driver.type("tim", "again?")
    table = await driver.table()
    assert (table.games, table.playing is not None) == (2, True)


async def rack(driver: RoomDriver, seat: int) -> tuple[str, ...]:
    game = (await driver.table()).game
    assert game is not None
    return game.players[seat].rack


async def move(driver: RoomDriver, name: str, *, is_phony: bool = False) -> None:
    table = await driver.table()
    assert table.game is not None
    seen = view(table.game, table.game.on_turn)
    find = phony_line if is_phony else best_play_line
    line = find(seen, table.rules, SHIPPED_LEXICA.get("english"))
    seq = table.seq
    await driver.type(name, line or "/pass")
    assert (await driver.table()).seq == seq + 1


async def test_what_is_told_again_is_what_was_told() -> None:
    driver = await everybody()
    arrived = (await driver.table()).seq
    await an_evening(driver)
    end = (await driver.table()).seq
    live = {name: entries(client.received) for name, client in driver.clients.items()}
    assert any(" exchanges " in frame and " draws " in frame for frame in live["ann"])
    for name in STYLES:
        assert [number(f) for f in live[name]][-(end - arrived) :] == [*range(arrived + 1, end + 1)]
        for since in (arrived, arrived + 1, (arrived + end) // 2, end - 1, end, end + 7):
            again = await driver.reconnect(name, since)
            due = [frame for frame in live[name] if (number(frame) or 0) > since]
            assert entries(again.received) == due, (name, since)
            assert is_live(again, end)
    assert (await driver.table()).seq == end


def is_live(client: FakeClient, seq: int) -> bool:
    """After the log come the own state and the number where it ends, then at most the prompt."""
    tail = [
        frame for frame in client.received if number(frame) is None and not frame.startswith("*   ")
    ]
    if client.style.mode == "json":
        kinds = [json.loads(frame)["tell"] for frame in tail]
        assert json.loads(tail[1])["seq"] == seq
        return kinds[:2] == ["state", "live"] and set(kinds[2:]) <= {"turn", "note"}
    lines = [tags.parse_tags(frame)[1] for frame in tail]
    live = f"- you are in kitchen again, up to date (event {seq})"
    return lines[0][0] == "=" and lines[1] == live


async def test_also_after_a_restart() -> None:
    driver = await everybody()
    arrived = (await driver.table()).seq
    await an_evening(driver)
    live = {name: entries(client.received) for name, client in driver.clients.items()}
    await driver.restart_server()
    for name in STYLES:
        await driver.reconnect(name)
    for name in STYLES:
        again = await driver.reconnect(name, arrived)
        due = [frame for frame in live[name] if (number(frame) or 0) > arrived]
        assert entries(again.received) == due, name


async def test_from_the_beginning_only_who_is_here_may_differ() -> None:
    """A JSON view says who is connected: now, not then."""
    driver = await everybody()
    await an_evening(driver)
    live = {name: entries(client.received) for name, client in driver.clients.items()}
    for name in STYLES:
        again = entries((await driver.reconnect(name, 0)).received)
        first = number(live[name][0])
        assert first is not None
        later = [frame for frame in again if (number(frame) or 0) >= first]
        assert [settled(frame) for frame in later] == [settled(frame) for frame in live[name]]
        assert [number(frame) for frame in again] == [*range(1, len(again) + 1)]


def settled(frame: str) -> Any:
    if not frame.startswith("{"):
        return frame
    told = json.loads(frame)
    told["room"]["watchers"] = []
    for seat in told["room"]["seats"]:
        seat["here"] = True
    return told


@pytest.mark.parametrize("since", [None, 0])
async def test_nobody_else_hears_anything_of_the_log_again(since: int | None) -> None:
    driver = await everybody()
    await an_evening(driver)
    for client in driver.clients.values():
        client.take_received()
    await driver.reconnect("bob", since)
    for name, client in driver.clients.items():
        assert name == "bob" or entries(client.received) == []


async def test_each_player_may_have_missed_another_part() -> None:
    """Whoever drops out again and again hears every entry once, live or later."""
    driver = await everybody()
    heard: defaultdict[str, list[str]] = defaultdict(list)
    gone = {"bob": "eve", "eve": "bob"}
    seq = (await driver.table()).seq
    for turn, (away, present) in enumerate([*gone.items()] * 3):
        await driver.disconnect(away)
        await driver.type("tim", f"{turn}: who is away?")
        await driver.type("tim", f"{turn}: {away} is")
        heard[away] += entries(driver.clients[away].take_received())
        known = max((number(frame) or 0 for frame in heard[away]), default=seq)
        await driver.reconnect(away, known)
        heard[present] += entries(driver.clients[present].take_received())
    for name in gone:
        heard[name] += entries(driver.clients[name].take_received())
        numbers = [number(frame) or 0 for frame in heard[name]]
        assert numbers == sorted(set(numbers))
        assert numbers[-1] == (await driver.table()).seq


async def test_a_program_that_comes_back_gets_the_board_and_the_values_again() -> None:
    driver = await open_room("bob")
    ann = await driver.join("ann", ReaderSettings("json"))
    await driver.type("bob", "/set tiles english-short")
    room, known = await driver.lobby.find_by_code(ann.code)
    ann.received.clear()
    await room.rejoin(ann, known, 2)
    (live,) = (told for frame in ann.received if (told := json.loads(frame))["tell"] == "live")
    assert live["rules"]["tiles"]["name"] == "english-short"
    assert len(live["rules"]["layout"]["rows"]) == 15


async def test_who_listens_need_not_say_so_again() -> None:
    driver = await open_room("ann", "bob")
    room, ann = await driver.room(), driver.clients["ann"]
    ann.style = replace(ann.style, reader=True)
    await room.restyle(ann)
    await driver.restart_server()
    _, known = await driver.lobby.find_by_code(ann.code)
    assert known.reader
    await driver.reconnect("ann")
    driver.clients["ann"].style = replace(ann.style, reader=False)
    await (await driver.room()).restyle(driver.clients["ann"])
    _, known = await driver.lobby.find_by_code(ann.code)
    assert not known.reader


async def test_who_is_back_stays_so_when_the_room_moves_in_the_same_breath() -> None:
    store = FlakyStore()
    driver = await open_room("ann", "bob", store=store)
    await driver.disconnect("bob")  # and his seat is free
    store.failures = [LeaseLost("kitchen", "another")]
    bob = await driver.reconnect("bob", since=0)  # or else a node would do it again
    heard = [seq for frame in bob.received if (seq := number(frame)) is not None]
    assert heard == sorted(set(heard)), "nothing twice"
    assert heard
    assert not store.failures, "it was tried to seat him"
