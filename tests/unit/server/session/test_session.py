"""Sessions without sockets: what they answer, in which order, and how they end."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, cast

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.commands.registry import COMMANDS
from crossroom_protocol.encoding.tags import parse_tags
from crossroom_protocol.notices import ReaderSettings
from crossroom_server.config.limits import Limits
from crossroom_server.monitoring.metrics import Metrics
from crossroom_server.net.rate_limits import TokenBucket
from crossroom_server.session import serve
from crossroom_server.session.server_state import ServerState
from tests.support.room_driver import any_contains
from tests.support.server import UNLIMITED, SessionDriver, new_server_state

if TYPE_CHECKING:
    from crossroom_server.lobby.lobby import Lobby

TAGS, JSON = ReaderSettings(mode="tags"), ReaderSettings(mode="json")


class FakeRoom:
    """A room that does what a test wants."""

    name = "fake"

    def __init__(self, ask: Callable[[Request], Any]) -> None:
        self._ask = ask

    def pinned(self) -> AbstractContextManager[None]:
        return nullcontext()

    async def check_key(self, client: object, key: str) -> None:
        pass

    async def enter(self, client: object, name: str | None, proof: str | None) -> None:
        pass

    async def leave(self, client: object) -> None:
        pass

    async def ask(self, client: object, request: Request) -> None:
        await self._ask(request)


class FakeLobby:
    metrics = Metrics()

    def __init__(self, ask: Callable[[Request], Any]) -> None:
        self._room = FakeRoom(ask)

    async def locate(self, name: str) -> FakeRoom:
        return self._room

    def listed(self) -> list[object]:
        return []


def fake_house(ask: Callable[[Request], Any], limits: Limits = UNLIMITED) -> ServerState:
    return new_server_state(limits, cast("Lobby", FakeLobby(ask)))


async def test_the_door_welcomes_and_says_where_to_go() -> None:
    ann = await SessionDriver(new_server_state()).join()
    assert ann.transport.sent[0].startswith("- welcome")
    assert "/join ROOM" in ann.transport.sent[1]


async def test_at_the_door_bare_words_are_commands() -> None:
    ann = await SessionDriver(new_server_state()).join()
    assert await ann.say("ping") == ["- pong"]
    assert (await ann.say("hello everybody"))[0].startswith("! BAD_ARGS hello:")
    assert (await ann.say("xyzzy"))[0].startswith("! UNKNOWN_COMMAND xyzzy:")


@pytest.mark.parametrize("line", ["/board", "/play 8H WORD", "/who", "/say hi", "/leave", "/set"])
async def test_what_needs_a_room_says_so_at_the_door(line: str) -> None:
    ann = await SessionDriver(new_server_state()).join()
    (answer,) = await ann.say(line)
    assert answer.startswith(f"! NOT_IN_ROOM {line[1:].split()[0]}: enter a room first: /join ROOM")


async def test_rules_and_help_are_told_at_the_door() -> None:
    ann = await SessionDriver(new_server_state()).join()
    assert "official" in (await ann.say("/r"))[0]
    told = " ".join(await ann.say("/help"))
    assert all(f"/{do}" in told for do in COMMANDS)
    assert (await ann.say("/help pign"))[0].startswith("! UNKNOWN_COMMAND help:")


async def test_a_name_given_at_the_door_is_used_inside() -> None:
    ann = await SessionDriver(new_server_state()).join()
    assert await ann.say("/name ann") == ["- you are ann; now /join ROOM"]
    heard = await ann.say("/join kitchen")
    assert any("ann takes seat 1" in line for line in heard)


async def test_a_bad_name_is_refused_at_the_door() -> None:
    ann = await SessionDriver(new_server_state()).join()
    assert (await ann.say("/name 1st"))[0].startswith("! BAD_NAME name:")


async def test_several_lines_in_one_text_and_none_in_another() -> None:
    ann = await SessionDriver(new_server_state()).join()
    assert await ann.say("/ping\r\n\n  \n/ping\r\n", "", "\r\n", " ") == ["- pong", "- pong"]


async def test_a_line_too_long_is_refused_whole() -> None:
    ann = await SessionDriver(new_server_state()).join("kitchen")
    (answer,) = await ann.say("/ping " + "x" * 1024)
    assert answer.startswith("! TOO_LONG line:")


@pytest.mark.parametrize("mode", ["tags", "json"])
@pytest.mark.parametrize("inside", [False, True])
async def test_every_command_with_a_label_ends_in_exactly_one_answer(
    mode: Literal["tags", "json"], inside: bool
) -> None:
    ann = await SessionDriver(new_server_state(), ReaderSettings(mode=mode)).join(
        "kitchen" if inside else None
    )
    kinds = [kind for do, kind in COMMANDS.items() if do != "quit"]
    for number, kind in enumerate(kinds):
        label = f"L{number}"
        if mode == "tags":
            heard = await ann.say(f"@{label} {kind.example}")
            last = [(parse_tags(line)[0].get("label"), parse_tags(line)[1][0]) for line in heard]
        else:
            fields = cast("Any", kind).model_validate(examples()[kind])
            asked = {**json.loads(fields.model_dump_json()), "id": label}
            heard = await ann.say(json.dumps(asked))
            marks = {"done": ".", "refused": "!"}
            told = [json.loads(line) for line in heard]
            last = [(one.get("id"), marks.get(one["tell"], "-")) for one in told]
        if kind.example == "/hello tags=1":
            continue
        ends = [mark for found, mark in last if found == label and mark in ".!"]
        assert len(ends) == 1, (kind.example, heard)
        assert last[-1] == (label, ends[0]), (kind.example, heard)


def examples() -> dict[type, dict[str, Any]]:
    from crossroom_protocol.commands.parser import read_line

    requests = [read_line(kind.example, in_room=True) for kind in COMMANDS.values()]
    return {type(r.command): r.command.model_dump() for r in requests if r is not None}


@pytest.mark.parametrize(
    ("line", "mark"),
    [("@7 /nonsense", "!"), ("@7 /play", "!"), ("@7 /ping", "."), ("@7  ", "!")],
)
async def test_unreadable_lines_are_answered_under_their_label(line: str, mark: str) -> None:
    ann = await SessionDriver(new_server_state(), TAGS).join()
    tags, last = parse_tags((await ann.say(line))[-1])
    assert (tags["label"], last[0]) == ("7", mark)


@pytest.mark.parametrize(
    "text",
    ["[]", "nonsense", "{}", '{"do": "play", "at": 1}', '{"do": "ping", "id": 7}', "[" * 4000],
)
async def test_unreadable_json_is_refused_and_the_session_goes_on(text: str) -> None:
    ann = await SessionDriver(new_server_state(), JSON).join()
    (answer,) = await ann.say(text)
    assert json.loads(answer)["tell"] == "refused"
    assert json.loads((await ann.say('{"do": "ping"}'))[0])["lines"] == ["pong"]


async def test_a_json_object_may_have_line_breaks() -> None:
    ann = await SessionDriver(new_server_state(), JSON).join()
    heard = await ann.say(json.dumps({"do": "ping", "id": "7"}, indent=2))
    assert [json.loads(line)["tell"] for line in heard] == ["note", "done"]


async def test_hello_turns_tags_on_and_off() -> None:
    ann = await SessionDriver(new_server_state()).join()
    assert (await ann.say("/hello tags=1"))[0].startswith("@")
    heard = await ann.say("@a /ping", "@b /hello tags=0")
    assert [parse_tags(line)[0].get("label") for line in heard] == ["a", "a", None, "b"]
    assert await ann.say("/ping") == ["- pong"]


async def test_answers_come_in_the_order_of_the_questions() -> None:
    delays = iter([0.03, 0.0, 0.02, 0.0])
    running: list[str] = []

    async def ask(request: Request) -> None:
        running.append("in")
        await asyncio.sleep(next(delays))
        running.append("out")

    ann = await SessionDriver(fake_house(ask), TAGS).join("fake")
    heard = await ann.say("@1 /board\n@2 /board", "@3 /board", "@4 /board")
    assert [parse_tags(line)[0]["label"] for line in heard] == ["1", "2", "3", "4"]
    assert running == ["in", "out"] * 4


async def test_a_fault_is_told_to_one_and_written_down_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def ask(request: Request) -> None:
        raise ZeroDivisionError

    ann = await SessionDriver(fake_house(ask), TAGS).join("fake")
    (answer,) = await ann.say("@7 /board")
    tags, line = parse_tags(answer)
    assert (tags["label"], line[:2], tags["code"]) == ("7", "! ", "INTERNAL")
    (record,) = caplog.records
    assert record.exc_info is not None
    assert (await ann.say("/ping"))[0].endswith("pong")


async def test_a_refusal_of_the_room_is_told_under_the_label() -> None:
    async def ask(request: Request) -> None:
        raise Refusal("NOT_YOUR_TURN", "wait for bob")

    ann = await SessionDriver(fake_house(ask), TAGS).join("fake")
    (answer,) = await ann.say("@7 /pass")
    assert parse_tags(answer)[1] == "! NOT_YOUR_TURN pass: wait for bob"


async def test_who_is_too_fast_waits_and_loses_nothing() -> None:
    limits = Limits(burst=2, pace=50.0)
    ann = await SessionDriver(new_server_state(limits)).join()
    begun = asyncio.get_running_loop().time()
    assert await ann.say(*["/ping"] * 7) == ["- pong"] * 7
    assert asyncio.get_running_loop().time() - begun >= 5 / 50.0


async def test_who_has_not_read_an_answer_gets_no_other() -> None:
    ann = await SessionDriver(new_server_state()).join()
    ann.transport.read.clear()
    asking = asyncio.create_task(ann.say("/ping", "/ping", "/ping"))
    await asyncio.sleep(0.01)
    assert ann.transport.sent == ["- pong"]
    ann.transport.read.set()
    assert await asking == ["- pong"] * 3


async def test_who_is_gone_is_not_waited_for() -> None:
    ann = await SessionDriver(new_server_state(Limits(burst=1, pace=0.01))).join("kitchen")
    server_state = ann._server
    ann._texts.put_nowait("/ping\n" * 500)
    await asyncio.sleep(0.01)
    ann.transport.gone.set()
    await ann.disconnect()
    assert ann.transport.sent.count("- pong") == 1
    assert (server_state.sessions, server_state.lobby.rooms()) == ({}, [])


async def test_what_comes_after_we_have_hung_up_is_neither_done_nor_refused() -> None:
    asked: list[Request] = []

    async def ask(request: Request) -> None:
        asked.append(request)

    server_state = fake_house(ask)
    ann = await SessionDriver(server_state).join("fake")
    server_state.closing = True
    ann.session.close(1001, "the server is stopping")
    assert await ann.say("/say is anybody there?") == []
    assert ann.is_over
    assert asked == []


async def test_reader_and_ansi_are_for_oneself() -> None:
    server_state = new_server_state()
    ann, bob = (
        await SessionDriver(server_state).join("kitchen"),
        await SessionDriver(server_state).join("kitchen"),
    )
    assert await ann.say("/set reader on") == ["- reader is on"]
    assert await ann.say("/set reader") == ["- reader is on"]
    assert "\x1b[" in (await ann.say("/set ansi on"))[0]
    assert ann.session.style == ReaderSettings(reader=True, ansi=True)
    assert await ann.say("/set ansi off") == ["- ansi is off"]
    assert (await ann.say("/set ansi maybe"))[0].startswith("! BAD_SETTING set:")
    assert bob.session.style == ReaderSettings()


async def test_quitting_says_goodbye_and_hears_nothing_more() -> None:
    ann = await SessionDriver(new_server_state(), TAGS).join()
    heard = await ann.say("@7 /quit\n@8 /ping", "@9 /ping")
    assert [parse_tags(line)[1].strip() for line in heard] == ["- bye", "."]
    assert ann.transport.closed == (1000, "bye")
    assert ann.is_over


async def test_who_says_nothing_at_the_door_is_sent_away() -> None:
    server_state = new_server_state(Limits(introduction=0.02))
    mute, talker = (
        await SessionDriver(server_state).join(),
        await SessionDriver(server_state).join(),
    )
    guest = await SessionDriver(server_state).join("kitchen")
    await talker.say("/ping")
    await asyncio.wait_for(mute.transport.gone.wait(), 1)
    assert mute.transport.closed == (1008, "nothing was said for 0 s")
    assert (talker.transport.closed, guest.transport.closed) == (None, None)


async def test_who_says_nothing_at_the_door_is_warned_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serve, "FAREWELL_WARNING_S", 0.2)
    mute = await SessionDriver(new_server_state(Limits(introduction=0.22))).join()
    await asyncio.wait_for(mute.transport.gone.wait(), 5)
    assert any_contains(mute.transport.sent, "closes in a minute; /join ROOM enters a room")


async def test_a_closing_house_does_nothing_more() -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("kitchen")
    server_state.closing = True
    assert (await ann.say("/who"))[0].startswith("! SHUTTING_DOWN who:")


async def test_the_language_is_for_oneself_and_may_change_at_any_time() -> None:
    server_state = new_server_state()
    ann, bob = (
        await SessionDriver(server_state).join("kitchen"),
        await SessionDriver(server_state).join("kitchen"),
    )
    assert await ann.say("/set language DE") == ["- die Sprache ist Deutsch"]
    assert await ann.say("/set language") == ["- die Sprache ist Deutsch"]
    assert await ann.say("/set language xx") == [
        "! BAD_SETTING set: language ist en (English) oder de (Deutsch)"
    ]
    assert await ann.say("/kick bob") == ["! NEED_NAME kick: sag erst, wer du bist: /name DEINNAME"]
    assert await bob.say("/kick ann") == ["! NEED_NAME kick: say who you are first: /name YOURNAME"]
    assert (await ann.say("/help ping"))[1] == "- Bittet um ein Lebenszeichen."
    assert await ann.say("/set language en") == ["- language is English"]


@pytest.mark.parametrize(
    ("style", "line"), [(TAGS, "/recall 1000"), (JSON, '{"do": "recall", "last": 1000}')]
)
async def test_a_long_answer_counts_as_several_lines(
    style: ReaderSettings, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await SessionDriver(new_server_state(), style).join("kitchen")
    taken: list[int] = []

    def take(_: TokenBucket, __: float, tokens: int = 1) -> float:
        taken.append(tokens)
        return 0.0

    monkeypatch.setattr(TokenBucket, "take", take)
    await ann.say('{"do": "ping"}' if style is JSON else "/ping")
    assert sum(taken) == 1
    taken.clear()
    await ann.say(line)
    assert sum(taken) == 1 + 1000 // 100


async def test_a_seat_brings_back_how_it_is_read() -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("kitchen")
    (told,) = [line for line in await ann.say("/name ann") if "/resume" in line]
    code = told.partition("/resume ")[2].split()[0]
    await ann.say("/set reader on")
    await ann.disconnect()
    again = await SessionDriver(server_state).join()
    await again.say(f"/resume {code}")
    assert again.session.style.reader
    await again.disconnect()


async def test_a_seat_that_is_refused_changes_no_style(monkeypatch: pytest.MonkeyPatch) -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("kitchen")
    (told,) = [line for line in await ann.say("/name ann") if "/resume" in line]
    code = told.partition("/resume ")[2].split()[0]
    await ann.say("/set reader on")
    await ann.disconnect()
    room, _ = await server_state.lobby.find_by_code(code)

    async def refuse(*_: object) -> None:
        raise Refusal("TOO_MANY", "wait")

    monkeypatch.setattr(room, "rejoin", refuse)
    again = await SessionDriver(server_state).join()
    assert any_contains(await again.say(f"/resume {code}"), "TOO_MANY")
    assert not again.session.style.reader
    await again.disconnect()
