"""The people of a room in front of the table: who they are, and what may be done about them."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from crossroom_clients.tui.panels import players as panel
from crossroom_clients.tui.people import actions_for, everybody
from crossroom_clients.tui.state import TableState
from crossroom_clients.tui.themes import TRUE_COLOUR
from crossroom_engine.game.views import view
from crossroom_protocol.notices import Role, RoomView, SeatView
from crossroom_server.app import App
from tests.integration.tui.test_screens import compare
from tests.support.game_driver import GameDriver
from tests.support.server import run_server
from tests.support.tui_driver import BLANK_FIRST, OtherPlayer, load_dice, open_tui


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[App]:
    load_dice(monkeypatch, BLANK_FIRST)
    async with run_server() as app:
        yield app


def room(name: str | None, role: Role) -> RoomView:
    """Ann owns it, moe keeps order; a bot sits there, bob is away, wes watches."""
    seats = (
        SeatView(name="ann", ready=True, here=True),
        SeatView(name="greedy-bot", ready=True, here=True, bot="greedy"),
        SeatView(name="bob", ready=False, here=False),
        SeatView(name="moe", ready=False, here=True),
    )
    about = {"preset": "official", "lexicon": "english", "games": 0, "game": None, "seq": 9}
    order = {"role": role, "owner": "ann", "moderators": ("moe",), "watchers": ("wes",)}
    return RoomView(room="kitchen", name=name, seat=None, seats=seats, **order, **about)  # type: ignore[arg-type]


def offered(view: RoomView) -> dict[str, list[str]]:
    return {
        person.name: [doing.text for doing in actions_for(view, person)]
        for person in everybody(view)
    }


def test_everybody_is_listed_with_what_there_is_to_say() -> None:
    assert [(person.name, person.facts) for person in everybody(room("moe", "moderator"))] == [
        ("ann", ("owner", "seated")),
        ("greedy-bot", ("bot", "seated")),
        ("bob", ("seated", "away")),
        ("moe", ("you", "moderator", "seated")),
        ("wes", ("watching",)),
    ]


def test_everybody_acts_on_those_below_and_whispers_to_who_is_there() -> None:
    order = ["mute", "unmute", "send away", "ban"]
    assert offered(room("ann", "owner")) == {
        "ann": [],
        "greedy-bot": ["send away"],
        "bob": [*order, "promote to moderator", "owner: hand over the room"],
        "moe": ["whisper", *order, "demote: remove as moderator", "owner: hand over the room"],
        "wes": ["whisper", *order, "promote to moderator", "owner: hand over the room"],
    }
    assert offered(room("moe", "moderator")) == {
        "ann": ["whisper"],
        "greedy-bot": ["send away"],
        "bob": order,
        "moe": [],
        "wes": ["whisper", *order],
    }
    assert offered(room("bob", "player"))["wes"] == ["whisper"]
    assert set(map(len, offered(room(None, "watcher")).values())) == {0}, "who has no name"


def test_the_players_are_shown_with_what_holds_them_up() -> None:
    game = view(GameDriver(racks=("HORN", "MOB", "HAY", "FARM")).game, 0)
    ann, bob, moe, wes = game.players
    players = (ann, bob, replace(moe, forfeits=1), replace(wes, retired=True))
    seats = (
        SeatView(name="ann", ready=True, here=True),
        SeatView(name="bob", ready=True, here=False, stand_in="regular"),
        SeatView(name="moe", ready=True, here=False),
        SeatView(name="wes", ready=True, here=True),
    )
    now = room("ann", "owner").model_copy(
        update={"seats": seats, "game": replace(game, players=players)}
    )
    shown = panel(TableState(room=now), 0, 60, TRUE_COLOUR["dark"]).plain.splitlines()
    assert [line[2:].split("  ")[0] for line in shown[:4]] == [
        f"{ann.name}",
        f"{bob.name} (a bot plays)",
        f"{moe.name} (away) (loses a turn)",
        f"{wes.name} (out)",
    ]
    assert [person.facts for person in everybody(now)][1] == ("seated", "away", "a bot stands in")


async def test_people_are_met_by_key(server: App, request: pytest.FixtureRequest) -> None:
    async with open_tui(server.port, "alice") as alice, OtherPlayer.come(server.port, "bob") as bob:
        await alice.until("2 bob")
        await alice.press("f9")
        await alice.until("banned and muted")
        await compare(alice, "people", request)
        await alice.press("down", "enter")
        await alice.until("whisper")
        await alice.press("w")
        await alice.until("> /tell bob")
        await alice.type("psst", "enter")
        await alice.hear("you tell bob: psst")

        await alice.press("f9")
        await alice.until("banned and muted")
        await alice.press("down", "enter")
        await alice.until("go back")
        await alice.press("m")
        await alice.until("Playing goes on; only talk is not heard.")
        await alice.press("t")
        await alice.hear("alice mutes bob for a while")
        await bob.say("hello?")

        await alice.press("f9")
        await alice.until("banned and muted")
        await alice.press("end", "enter")
        await alice.hear("bob is muted by alice, 10 min to go")
        assert bob.refused == "MUTED"


async def test_sending_somebody_away_asks_first(server: App) -> None:
    async with open_tui(server.port, "alice") as alice, OtherPlayer.come(server.port, "bob"):
        await alice.until("2 bob")
        for answer in ("n", "s"):
            await alice.pilot.click("#players")
            await alice.until("banned and muted")
            await alice.press("down", "enter")
            await alice.until("go back")
            await alice.press("s")
            await alice.until("They may come back.")
            assert "alice sends bob away" not in alice.text
            await alice.press(answer)
        await alice.hear("alice sends bob away")


async def test_at_the_door_there_is_nobody(server: App) -> None:
    async with open_tui(server.port, None, room=None) as alice:
        await alice.until("type a room name")
        await alice.press("f9")
        await alice.until("there is nobody at the door")
