"""Buckets, windows and addresses; no test here waits for anything."""

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.config.limits import Limits
from crossroom_server.identity.client_address import is_loopback, rate_limit_key
from crossroom_server.net.rate_limits import SlidingWindowLimiter, TokenBucket
from crossroom_server.session.session import Session
from tests.support.room_driver import any_contains
from tests.support.server import RecordingTransport, SessionDriver, new_server_state


def test_a_bucket_gives_a_burst_and_then_its_pace() -> None:
    bucket = TokenBucket(3, pace=2.0)
    assert [bucket.take(100.0) for _ in range(5)] == [0, 0, 0, 0.5, 1.0]


def test_who_waits_as_long_as_told_is_served_at_the_pace() -> None:
    bucket, now = TokenBucket(3, pace=2.0), 0.0
    times = []
    for _ in range(9):
        now += bucket.take(now)
        times.append(now)
    assert times == [0, 0, 0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]


def test_a_bucket_fills_up_but_never_over() -> None:
    bucket = TokenBucket(2, pace=1.0)
    bucket.take(0.0)
    bucket.take(0.0)
    assert bucket.take(1.0) == 0
    assert [bucket.take(1000.0) for _ in range(3)] == [0, 0, 1.0]


def test_a_window_tells_how_long_to_wait_and_does_not_count_refusals() -> None:
    window = SlidingWindowLimiter(2, span=60.0)
    assert [window.take("192.0.2.1", now) for now in (0.0, 10.0, 20.0, 30.0)] == [0, 0, 40, 30]
    assert window.take("192.0.2.1", 60.0) == 0
    assert window.take("192.0.2.1", 60.0) == 10


def test_a_window_is_each_address_by_itself_and_things_can_be_given_back() -> None:
    window = SlidingWindowLimiter(1, span=60.0)
    assert window.take("192.0.2.1", 0.0) == 0
    assert window.take("192.0.2.2", 0.0) == 0
    window.give_back("192.0.2.1")
    assert window.take("192.0.2.1", 0.0) == 0
    assert window.take("192.0.2.2", 0.0) == 60


def test_a_window_forgets_addresses_that_no_longer_matter() -> None:
    window = SlidingWindowLimiter(1, span=60.0)
    for number in range(5000):
        window.take(f"host-{number}", now=float(number))
    assert len(window._times) < 2100
    assert window.take("host-4999", 5000.0) > 0


def test_a_window_counts_the_wider_networks_of_ipv6() -> None:
    window = SlidingWindowLimiter(2, span=60.0)
    took = [window.take(f"2001:db8:0:{n:x}::1", 0.0) for n in range(9)]
    assert took == [0] * 8 + [60]  # a /56 may have four times as many as a /64
    took = [window.take(f"2001:db8:0:{n << 8:x}::1", 0.0) for n in range(1, 26)]
    assert took == [0] * 24 + [60]  # a /48 sixteen times
    assert window.take("2001:db8:1::1", 0.0) == 0
    window.give_back("2001:db8:0:100::1")
    assert window.take("2001:db8:0:100::2", 0.0) == 0


def test_a_window_forgets_who_is_gone_though_nobody_else_comes_in_numbers() -> None:
    window = SlidingWindowLimiter(1, span=86_400.0)
    for number in range(1000):
        window.record(f"host-{number}", now=0.0)
    window.take("host-x", now=90_000.0)
    assert len(window._times) == 1


def test_a_window_forgets_addresses_whose_things_were_all_given_back() -> None:
    window = SlidingWindowLimiter(1, span=60.0)
    for number in range(1025):
        window.take(f"host-{number}", now=0.0)
        window.give_back(f"host-{number}")
    assert window.take("host-0", now=0.0) == 0
    assert len(window._times) == 1


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("local", "local"),
    ],
)
def test_the_neighbourhood_of_an_address(address: str, place: str) -> None:
    assert rate_limit_key(address) == place


def test_the_machine_itself_is_known() -> None:
    assert [
        a for a in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "192.0.2.1", "x") if is_loopback(a)
    ] == [
        "127.0.0.1",
        "::1",
        "::ffff:127.0.0.1",
    ]


async def test_an_address_has_so_many_connections_at_a_time() -> None:
    server_state = new_server_state(Limits(connections=2))
    there = [Session(RecordingTransport("192.0.2.1"), server_state) for _ in range(2)]
    for session in there:
        server_state.count_connection("192.0.2.1")
        server_state.add_session(session)
    with pytest.raises(Refusal, match="2 connections are open") as refusal:
        server_state.count_connection("192.0.2.1")
    assert refusal.value.code == "TOO_MANY"
    server_state.count_connection("192.0.2.2")
    server_state.remove_session(there[0])
    server_state.count_connection("192.0.2.1")


def test_an_address_opens_so_many_connections_in_ten_minutes() -> None:
    server_state = new_server_state(Limits(connections=2))
    for _ in range(4):
        server_state.count_connection("192.0.2.1")
    with pytest.raises(Refusal, match="too many new connections; wait 600 s"):
        server_state.count_connection("192.0.2.1")


def test_the_machine_itself_may_connect_as_often_as_it_likes() -> None:
    server_state = new_server_state(Limits(connections=1))
    for _ in range(9):
        server_state.count_connection("127.0.0.1")


def test_nobody_arrives_in_a_closing_house() -> None:
    server_state = new_server_state()
    server_state.closing = True
    with pytest.raises(Refusal) as refusal:
        server_state.count_connection("127.0.0.1")
    assert refusal.value.code == "SHUTTING_DOWN"


async def test_an_address_has_so_many_lines_written_down_in_an_hour() -> None:
    server_state = new_server_state(Limits(written=6, pace=1000))
    mal = await SessionDriver(server_state, address="192.0.2.1").join("kitchen")
    await mal.say("/name mal")
    heard = [await mal.say(line) for line in ("hello", "/watch", "/sit", "/set clock 9", "oh")]
    assert not any_contains([line for lines in heard for line in lines], "!")
    for line in ("hello again", "/set clock 8", "/ready"):
        heard = [await mal.say(line)]
        assert any_contains(heard[0], "6 lines in an hour came from there; wait 3600 s")
    assert not any_contains(await mal.say("/board", "/rack", "/score"), "SLOW_DOWN")
    for address in ("192.0.2.2", "127.0.0.1"):
        ann = await SessionDriver(server_state, address=address).join("kitchen")
        assert any_contains(await ann.say(f"/name ann{address[-1]}", "hello"), "hello")
        await ann.disconnect()
    await mal.disconnect()
