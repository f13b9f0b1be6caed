"""Whom a request comes from: the last address that is none of our proxies."""

import pytest
from websockets.datastructures import Headers

from crossroom_server.identity.client_address import read_network
from crossroom_server.net.forwarded_headers import Proxies

OURS = Proxies([read_network("10.0.0.0/8"), read_network("2001:db8::1"), read_network("127.0.0.1")])
CLIENT = "203.0.113.7"


def headers(*fields: tuple[str, str]) -> Headers:
    return Headers(list(fields))


def forwarded(*values: str) -> Headers:
    return headers(*(("X-Forwarded-For", value) for value in values))


@pytest.mark.parametrize("peer", ["192.0.2.1", "::1", "2001:db8::2", "11.0.0.1"])
def test_who_is_no_proxy_of_ours_is_not_believed(peer: str) -> None:
    told = headers(("X-Forwarded-For", CLIENT), ("X-Real-IP", CLIENT), ("X-Forwarded-Proto", "wss"))
    assert OURS.client_address(peer, told) == peer
    assert not OURS.is_secure(peer, told)
    assert Proxies().client_address("127.0.0.1", told) == "127.0.0.1"


@pytest.mark.parametrize(
    "values",
    [
        [CLIENT],
        [f"1.2.3.4, {CLIENT}"],
        [f"127.0.0.1,10.1.1.1,{CLIENT},10.0.0.9"],
        ["1.2.3.4", CLIENT, "10.0.0.9, 127.0.0.1"],
        [f"rubbish, {CLIENT}:40000"],
        [f"\t {CLIENT} "],
        ["x," * 5000 + CLIENT],
        [f"[::ffff:{CLIENT}]:443"],
        [f"::ffff:{CLIENT}"],
    ],
)
@pytest.mark.parametrize("peer", ["10.0.0.1", "::ffff:10.0.0.1", "2001:db8::1"])
def test_the_last_stranger_is_the_client(peer: str, values: list[str]) -> None:
    assert OURS.client_address(peer, forwarded(*values)) == CLIENT


@pytest.mark.parametrize("values", [[], [""], ["rubbish"], [f"{CLIENT}, rubbish"], [f"{CLIENT},"]])
def test_a_proxy_that_tells_nothing_is_the_client_itself(values: list[str]) -> None:
    assert OURS.client_address("10.0.0.1", forwarded(*values)) == "10.0.0.1"


def test_a_client_behind_nothing_but_proxies_is_the_first_of_them() -> None:
    assert OURS.client_address("10.0.0.1", forwarded("10.2.2.2, 10.3.3.3")) == "10.2.2.2"


def test_the_other_header_counts_where_there_is_no_list() -> None:
    assert OURS.client_address("10.0.0.1", headers(("X-Real-IP", CLIENT))) == CLIENT
    both = headers(("X-Forwarded-For", CLIENT), ("X-Real-IP", "1.2.3.4"))
    assert OURS.client_address("10.0.0.1", both) == CLIENT


@pytest.mark.parametrize(
    ("scheme", "is_secure"), [("https", True), ("WSS ", True), ("https, http", False), ("", False)]
)
def test_a_proxy_says_whether_tls_is_spoken_with_it(scheme: str, is_secure: bool) -> None:
    assert OURS.is_secure("10.0.0.1", headers(("X-Forwarded-Proto", scheme))) is is_secure


def test_a_network_is_read_with_and_without_a_mask() -> None:
    assert str(read_network("192.0.2.7/24")) == "192.0.2.0/24"
    assert str(read_network("::1")) == "::1/128"
    with pytest.raises(ValueError, match="nonsense"):
        read_network("nonsense")
