"""Each command has one route, and the routes say what holds for it."""

import pytest

from crossroom_protocol.commands.base import Command, fields
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.commands.registry import COMMANDS
from crossroom_protocol.commands.table import RoomsCommand, SetCommand
from crossroom_server.room.dispatch import route_of
from crossroom_server.room.routes import ROUTES, Route, _table
from crossroom_server.session.commands import HANDLERS
from crossroom_server.table.state import Table

KINDS = list(COMMANDS.values())
ROOM_HANDLERS = ("decide", "answer", "prepare", "act", "pick")


def commands_where(**facts: object) -> set[str]:
    """The commands whose routes say all of this."""
    return {
        name
        for name, kind in COMMANDS.items()
        if all(getattr(ROUTES[kind], fact) == value for fact, value in facts.items())
    }


def test_every_command_has_a_route() -> None:
    assert ROUTES.keys() == set(KINDS)


def test_two_routes_of_one_command_are_an_error() -> None:
    twice = Route(RoomsCommand, "lobby", "other")
    with pytest.raises(ValueError, match="two routes"):
        _table(twice, twice)


@pytest.mark.parametrize("kind", KINDS, ids=COMMANDS)
def test_a_route_leads_to_a_handler(kind: type[Command]) -> None:
    route = ROUTES[kind]
    in_room = {name for name in ROOM_HANDLERS if getattr(route, name) is not None}
    is_local = route.scope in ("connection", "lobby")
    assert (kind in HANDLERS) == is_local
    assert len(in_room - {"decide"}) <= 1
    assert in_room or is_local
    assert route.kind not in ("move", "talk", "offer", "moderation") or "decide" in in_room
    assert (route.answer is None) or route.kind == "query"
    assert route.secret_field is None or route.secret_field in fields(kind)


def test_what_the_host_limits() -> None:
    assert commands_where(begins_game=True) == {"ready", "bot"}
    local = commands_where(scope="lobby") | commands_where(scope="connection")
    questions = {name for name, kind in COMMANDS.items() if kind.topic == "look"}
    assert commands_where(writes=False) - local == questions - local - {"hint"}
    assert commands_where(retry_safe=True) - local == questions - local


def test_what_the_word_filter_reads() -> None:
    assert commands_where(text_field="text") == {"say", "me", "tell"}
    assert commands_where(text_field=None) == COMMANDS.keys() - {"say", "me", "tell"}


def test_only_a_password_is_kept_as_a_hash() -> None:
    assert commands_where(secret_field="password") == {"lock"}
    assert commands_where(secret_field=None) == COMMANDS.keys() - {"lock"}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("/set", "query"),
        ("/set clock", "query"),
        ("/set clock 60", "settings"),
        ("/set slow 5", "moderation"),
        ("/set SLOW 5", "moderation"),
        ("/bot", "query"),
        ("/bot add", "other"),
        ("/ready", "settings"),
        ("/export gcg", "query"),
        ("/export analysis", "job"),
    ],
)
def test_a_route_depends_on_what_is_asked(line: str, kind: str) -> None:
    request = read_line(line, in_room=True)
    assert request is not None
    assert route_of(request.command, Table()).kind == kind


def test_settings_are_carried_out_by_the_connection_first() -> None:
    assert ROUTES[SetCommand].scope == "connection"
