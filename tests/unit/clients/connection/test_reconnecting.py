"""A connection that survives drops: nothing is lost, nothing is told twice."""

import asyncio
import socket
from collections.abc import Iterator
from itertools import islice, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_clients.connection.address import Address
from crossroom_clients.connection.dial import ServerUnreachable, open_websocket
from crossroom_clients.connection.reconnecting import (
    MAX_RETRY_PAUSE_S,
    Closed,
    Connection,
    ConnectionEvent,
    Disconnected,
    Message,
    NotSent,
    Reconnected,
    retry_pauses,
)
from crossroom_clients.connection.resume_state import ResumeState
from tests.support.fake_server import CODE, FakeServer


def at_once() -> Iterator[float]:
    return repeat(0.001)


def connect(address: Address, mark: ResumeState | None = None) -> Connection:
    return Connection(address, mark or ResumeState(), "alice", at_once)


def seqs(told: list[ConnectionEvent]) -> list[int]:
    return [
        int(item.tags["seq"]) for item in told if isinstance(item, Message) and item.mark == ":"
    ]


async def hear(connection: Connection, last: int) -> list[ConnectionEvent]:
    """All that is told up to entry *last* and the end of the answer it came in, or to the end."""
    told: list[ConnectionEvent] = []
    async with asyncio.timeout(30):
        await connection.open()
        async for item in connection.listen():
            told.append(item)
            if isinstance(item, Message) and item.tags.get("seq") == str(last):
                await connection.close()
    return told


@pytest.mark.parametrize(
    "drops", [[0], [1], [19], [3, 0, 0, 5, 1], [2] * 9], ids=lambda drops: f"{drops}"
)
async def test_every_entry_is_told_once_and_in_order(drops: list[int]) -> None:
    server = FakeServer(length=20, drops=list(drops))
    async with server.running() as address:
        told = await hear(connect(address), 20)
    assert seqs(told) == list(range(1, 21))
    assert server.drops == []
    assert told[-1] == Closed(1000, "")


async def test_a_drop_is_told_once_however_often_it_takes() -> None:
    server = FakeServer(length=9, drops=[4], refusals=["SLOW_DOWN", "INTERNAL", "SLOW_DOWN"])
    async with server.running() as address:
        told = await hear(connect(address), 9)
    kinds = [type(item) for item in told]
    assert kinds.count(Disconnected) == kinds.count(Reconnected) == 1
    assert kinds.index(Reconnected) == kinds.index(Disconnected) + 1
    assert server.said == ["/name alice", "/join kitchen"] + 4 * [f"/resume {CODE} 4"]


async def test_the_way_in_says_only_what_a_person_needs() -> None:
    async with FakeServer(length=1).running() as address:
        told = await hear(connect(address), 1)
    assert [item.line for item in told if isinstance(item, Message)] == [
        "- welcome to kitchen",
        "- you are alice",
        ": #1 bob: line 1",
    ]


async def test_a_saved_seat_is_taken_again() -> None:
    server = FakeServer(length=7)
    mark = ResumeState("kitchen", "alice", CODE, 5)
    async with server.running() as address:
        told = await hear(connect(address, mark), 7)
    assert (seqs(told), server.said) == ([6, 7], [f"/resume {CODE} 5"])


@pytest.mark.parametrize("code", ["BAD_TOKEN", "NAME_TAKEN", "NAME_PROTECTED", "BANNED"])
async def test_a_definite_refusal_is_the_end(code: str) -> None:
    server = FakeServer(length=5, drops=[2], refusals=[code])
    async with server.running() as address:
        told = await hear(connect(address), 5)
    assert told[-1] == Closed(code, "no")
    assert seqs(told) == [1, 2]


@pytest.mark.parametrize("code", [1008, 4001, 4003])
async def test_being_sent_away_is_the_end(code: int) -> None:
    async with FakeServer(closes=[code]).running() as address:
        told = await hear(connect(address), 1)
    assert isinstance(told[-1], Closed)
    assert told[-1].code == code
    assert told[-1].reason
    assert Disconnected() not in told


@pytest.mark.parametrize("code", [1001, 1011, 1013])
async def test_a_server_that_goes_away_is_waited_for(code: int) -> None:
    server = FakeServer(length=3, drops=[9, 9], closes=[code])
    async with server.running() as address:
        connection = connect(address)
        told: list[ConnectionEvent] = []
        async with asyncio.timeout(30):
            await connection.open()
            async for item in connection.listen():
                told.append(item)
                if server.said[-1].startswith("/resume"):
                    await connection.close()
    assert Disconnected() in told
    assert seqs(told) == [1, 2, 3]


async def test_lines_are_answered_or_known_to_be_lost() -> None:
    async with FakeServer().running() as address:
        connection = connect(address)
        await connection.open()
        told: list[ConnectionEvent] = []

        async def listen() -> None:
            told.extend([item async for item in connection.listen()])

        async with asyncio.timeout(30), asyncio.TaskGroup() as group:
            group.create_task(listen())
            await connection.entered.wait()
            answer = await (await connection.send("/rack"))
            assert answer is not None
            assert answer.mark == "."
            assert await (await connection.send("/drop")) is None
            with pytest.raises(NotSent, match="not connected"):
                await connection.send("/rack")
            await connection.connected.wait()
            assert await (await connection.send("/rack"))
            assert await (await connection.send("/drop", typed=False)) is None
            await connection.connected.wait()
            assert await (await connection.send("/lock sesame")) is None
            await connection.connected.wait()
            await connection.close()
    assert [one for one in told if isinstance(one, Disconnected)] == [
        Disconnected(("/drop",)),
        Disconnected(),
        Disconnected(("/lock ...",)),
    ]


async def test_leaving_does_not_wait_for_a_server_that_is_gone() -> None:
    server = FakeServer(length=3, drops=[2])
    async with server.running() as address:
        connection = Connection(address, ResumeState(), "alice", lambda: repeat(3600.0))
        await connection.open()
        told = []
        async with asyncio.timeout(30):
            async for item in connection.listen():
                told.append(item)
                if isinstance(item, Disconnected):
                    asyncio.get_running_loop().call_later(0.01, connection._left.set)
    assert told[-1] == Closed(1000, "")


async def test_a_long_line_is_not_sent() -> None:
    server = FakeServer()
    async with server.running() as address:
        connection = connect(address)
        await connection.open()
        with pytest.raises(NotSent, match="1024 bytes"):
            await connection.send("é" * 513)
        await connection.send("é" * 512)
        await connection.close()


async def test_nobody_there_is_told_at_once_with_what_to_check() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = Address(f"ws://127.0.0.1:{closed.getsockname()[1]}", "kitchen")
        with pytest.raises(ServerUnreachable) as caught:
            await connect(address).open()
    assert str(address) in str(caught.value)
    assert "crossroom serve" in str(caught.value)


async def test_another_server_is_no_crossroom() -> None:
    async with FakeServer(subprotocol="chat").running() as address:
        with pytest.raises(ServerUnreachable, match="is no crossroom server"):
            await open_websocket(address)


async def test_a_port_that_speaks_tls_says_how_to_reach_it() -> None:
    async def refuse(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server."
        )
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(ServerUnreachable, match="if it speaks TLS, say wss:// in front"):
            await open_websocket(Address(f"ws://127.0.0.1:{port}", "kitchen"))


def test_colour_hides_neither_mark_nor_text() -> None:
    heard = Message({}, "\x1b[31m!\x1b[0m NO_ROOM \x1b[1mjoin\x1b[0m: no")
    assert (heard.mark, heard.text) == ("!", "NO_ROOM join: no")


def test_pauses_grow_and_stay_below_the_limit() -> None:
    first, *later = islice(retry_pauses(), 50)
    assert first <= 0.5
    assert all(MAX_RETRY_PAUSE_S / 2 <= pause <= MAX_RETRY_PAUSE_S for pause in later[10:])
    assert len(set(later)) > 40


# Where one is, from tags alone.


def welcome(room: str | None, seq: int) -> dict[str, str]:
    return {"protocol": "1"} | ({"room": room, "seq": str(seq)} if room else {})


def test_another_room_is_another_seat() -> None:
    mark = ResumeState("kitchen", "alice", CODE, 7)
    mark.update(welcome("attic", 3))
    assert mark == ResumeState("attic", seq=3)
    mark.update({"name": "alice", "code": "other"})
    assert mark.resume_line == "/resume other 3"
    mark.update(welcome(None, 0))
    assert mark == ResumeState()


def test_the_code_of_a_name_is_not_that_of_a_seat() -> None:
    mark = ResumeState("kitchen", "alice", CODE, 7)
    mark.update({"about": "registered", "name": "alice", "code": "k7qm-4ftz-9w2h"})
    assert mark.resume_line == f"/resume {CODE} 7"


def test_a_code_typed_by_hand_counts_once_it_was_right() -> None:
    mark = ResumeState("kitchen", seq=9)
    mark.note_sent(f"/resume {CODE} 4")
    assert mark.code is None
    assert mark.update({"seq": "5"})
    mark.update({"live": "9"})
    mark.update({"you": "1", "players": "bob,alice"})
    assert mark == ResumeState("kitchen", "alice", CODE, 9)


def test_whoever_comes_back_by_code_learns_the_room_from_their_state() -> None:
    mark = ResumeState(None, "alice", CODE, 9)
    mark.update({"state": "state", "room": "kitchen"})
    assert mark.seat == ("kitchen", "alice", CODE)


def test_another_name_is_learnt_in_a_room_and_not_at_the_door() -> None:
    mark = ResumeState("kitchen", "alice", CODE, 9)
    mark.update({"about": "name"}, "you are zo\xeb-2")
    assert mark.seat == ("kitchen", "zo\xeb-2", CODE)
    door = ResumeState()
    door.update({"about": "name"}, "you are alice; now /join ROOM")
    assert door == ResumeState()


@pytest.mark.parametrize("line", ["/resign", "hello /resume it", "//resume x", "/nonsense", ""])
def test_other_lines_hold_no_code(line: str) -> None:
    mark = ResumeState("kitchen", seq=9)
    mark.note_sent(line)
    mark.update({"live": "9"})
    assert mark.code is None


def test_a_server_that_lost_entries_is_heard_again() -> None:
    mark = ResumeState("kitchen", "alice", CODE, 90)
    mark.update({"live": "80"})
    assert mark.update({"seq": "81"})


@given(st.lists(st.integers(0, 9)))
def test_what_was_heard_is_never_new_again(numbers: list[int]) -> None:
    mark = ResumeState("kitchen", "alice", CODE, 0)
    new = [seq for seq in numbers if mark.update({"seq": str(seq)})]
    assert new == sorted(set(new))
    assert mark.seq == max([0, *numbers])
