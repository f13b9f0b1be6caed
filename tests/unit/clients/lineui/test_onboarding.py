"""What a newcomer types is taken as the answer to what was asked."""

import pytest

from crossroom_clients.connection.address import Address
from crossroom_clients.connection.reconnecting import Connection
from crossroom_clients.connection.resume_state import ResumeState
from crossroom_clients.lineui.onboarding import Onboarding


@pytest.fixture
def connection() -> Connection:
    return Connection(Address("ws://nowhere", "kitchen"), ResumeState())


def test_the_password_of_a_locked_room_never_becomes_the_name_of_a_room(
    connection: Connection,
) -> None:
    door = Onboarding()
    assert door.question(connection) == "room: "
    door.note_refusal(connection, "NEED_KEY")
    assert door.question(connection) == "password for kitchen: "
    assert door.asks_password(connection)
    for password in ("sesame", "!sesame", ".sesame", "/sesame", "two words"):
        assert door.to_command(connection, password) == f"/join kitchen {password}"
        assert door.asks_password(connection), "whatever is wrong with it"
    assert door.to_command(connection, "/rooms") == "/rooms"


def test_a_locked_room_that_was_typed_asks_for_its_own_password(connection: Connection) -> None:
    door = Onboarding()
    for typed in ("attic", "/join attic", "/join attic wrong"):
        assert door.to_command(connection, typed).startswith("/join attic")
        door.note_refusal(connection, "NEED_KEY")
        assert door.question(connection) == "password for attic: "
        assert door.to_command(connection, "") == ""
        assert door.question(connection) == "room: "


def test_a_room_that_was_entered_asks_no_more(connection: Connection) -> None:
    door = Onboarding()
    door.note_refusal(connection, "NEED_KEY")
    connection.resume.room = "kitchen"
    assert not door.asks_password(connection)
