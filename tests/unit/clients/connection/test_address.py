"""Addresses, as people write and paste them."""

import pytest

from crossroom_clients.connection.address import Address, BadAddress, parse_address


@pytest.mark.parametrize(
    ("text", "server", "room"),
    [
        ("example.org", "ws://example.org:8765", None),
        ("example.org:9000", "ws://example.org:9000", None),
        ("example.org/kitchen", "ws://example.org:8765", "kitchen"),
        ("example.org:9000/kitchen", "ws://example.org:9000", "kitchen"),
        ("example.org/t/kitchen", "ws://example.org:8765", "kitchen"),
        ("Example.ORG/t/Kitchen/", "ws://example.org:8765", "kitchen"),
        ("ws://example.org:8765/t/kitchen", "ws://example.org:8765", "kitchen"),
        ("ws://example.org/t/kitchen", "ws://example.org", "kitchen"),
        ("wss://example.org", "wss://example.org", None),
        ("http://example.org:8765/t/kitchen", "ws://example.org:8765", "kitchen"),
        ("https://example.org/t/kitchen", "wss://example.org", "kitchen"),
        ("https://example.org/words/t/kitchen", "wss://example.org/words", "kitchen"),
        ("https://example.org/words/t/", "wss://example.org/words", None),
        ("https://example.org/t/t", "wss://example.org", "t"),
        ("127.0.0.1:1", "ws://127.0.0.1:1", None),
        ("[::1]", "ws://[::1]:8765", None),
        ("[fe80::1]:9000/kitchen", "ws://[fe80::1]:9000", "kitchen"),
        ("  localhost \n", "ws://localhost:8765", None),
    ],
)
def test_a_good_address(text: str, server: str, room: str | None) -> None:
    assert parse_address(text) == Address(server, room)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "write HOST"),
        ("ftp://example.org", "ftp:// leads to no game"),
        ("::1", "brackets: [::1]"),
        ("example.org:port", "is no address"),
        ("example.org:0", "no port 0"),
        ("example.org:65536", "no port 65536"),
        ("two words", "is no address"),
        ("alice@example.org", "is no address"),
        ("example.org/a/b", "comes after /t/"),
        ("example.org/t/kitchen?name=alice", "leave out all from ?"),
        ("[::1", "is no address"),
        ("example.org/bad room", "no room is called 'bad room'"),
        ("example.org/t/bad%20room", "no room is called 'bad room'"),
    ],
)
def test_what_is_no_address_is_told_what_to_write(text: str, said: str) -> None:
    with pytest.raises(BadAddress) as caught:
        parse_address(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_invitation_stays_out_of_all_urls() -> None:
    address = parse_address("ws://example.org/t/kitchen#k7qm-4ftz-9w2h")
    assert address == Address("ws://example.org", "kitchen", "k7qm-4ftz-9w2h")
    for text in (str(address), address.url, repr(address)):
        assert "k7qm" not in text
    assert parse_address("localhost#k7qm", "kitchen").key == "k7qm"


@pytest.mark.parametrize("text", ["localhost#k7qm", "localhost/kitchen#", "localhost/kitchen#a b"])
def test_an_invitation_is_one_to_a_room(text: str) -> None:
    with pytest.raises(BadAddress, match="invitation to a room"):
        parse_address(text)


def test_the_room_may_be_named_apart() -> None:
    assert parse_address("localhost", "Kitchen").room == "kitchen"
    assert parse_address("localhost/kitchen", "KITCHEN").room == "kitchen"


def test_an_address_leads_to_one_room() -> None:
    with pytest.raises(BadAddress, match="leads to the room kitchen, not to attic"):
        parse_address("localhost/kitchen", "attic")


def test_an_address_can_be_pasted_back() -> None:
    address = parse_address("https://example.org/words/t/kitchen")
    assert str(address) == "wss://example.org/words/t/kitchen"
    assert parse_address(str(address)) == address
    assert address.url == "wss://example.org/words/"


@pytest.mark.parametrize("text", ["localhost", "127.0.0.1:80", "127.9.9.9", "[::1]:80"])
def test_this_machine_is_reached_without_a_proxy(text: str) -> None:
    assert parse_address(text).is_loopback


@pytest.mark.parametrize("text", ["localhost.example.org", "example.org", "1.2.3.4", "[::2]"])
def test_other_machines_may_be_behind_a_proxy(text: str) -> None:
    assert not parse_address(text).is_loopback
