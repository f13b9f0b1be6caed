"""Thoughts off the event loop: bounded, given up when they are stuck, gone when nobody waits."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from crossroom_server import thinking
from crossroom_server.thinking import IsOver, Thinkers, TooSlow
from tests.hurried import until


@pytest.fixture(autouse=True)
def little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "GRACE", 0.1)


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What is stuck waits for it; opened when the test is over."""
    gate = threading.Event()
    yield gate
    gate.set()
    while alive():
        time.sleep(0.001)


def alive() -> int:
    return sum(thread.name == "thinking" for thread in threading.enumerate())


def patient(is_over: IsOver) -> str:
    while not is_over():
        time.sleep(0.005)
    return "as far as I got"


async def test_what_a_thought_returns_or_raises() -> None:
    thinkers = Thinkers()
    assert await thinkers.think(lambda is_over: (is_over(), 7), 1) == (False, 7)
    with pytest.raises(ZeroDivisionError):
        await thinkers.think(lambda is_over: 1 // 0, 1)
    await thinkers.close()


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, StopIteration])
async def test_a_thought_cannot_end_the_server(error: type[BaseException]) -> None:
    def leave(is_over: IsOver) -> None:
        raise error

    with pytest.raises(RuntimeError):
        await Thinkers().think(leave, 1)


async def test_the_loop_goes_on_meanwhile_in_a_thread_of_its_own() -> None:
    thinkers, ticks = Thinkers(), 0
    thought = asyncio.create_task(thinkers.think(patient, 0.1))
    while not thought.done():
        await asyncio.sleep(0.005)
        ticks += 1
    assert ticks > 5
    assert await thinkers.think(lambda is_over: threading.current_thread().daemon, 1)
    await thinkers.close()
    assert not alive()


async def test_time_is_up_after_the_seconds() -> None:
    begun = time.monotonic()
    assert await Thinkers().think(patient, 0.1) == "as far as I got"
    assert 0.1 <= time.monotonic() - begun < 0.5


async def test_one_that_is_stuck_is_given_up(gate: threading.Event) -> None:
    thinkers = Thinkers(1)
    for _ in range(3):  # it does not keep its place either
        begun = time.monotonic()
        with pytest.raises(TooSlow, match=r"no answer within 0.1 s"):
            await thinkers.think(lambda is_over: gate.wait(5), 0.01)
        assert time.monotonic() - begun < 1
    assert await thinkers.think(lambda is_over: 7, 0.01) == 7
    assert alive() == 3
    await thinkers.close()


async def test_a_late_answer_is_lost(gate: threading.Event) -> None:
    thinkers = Thinkers(1)
    with pytest.raises(TooSlow):
        await thinkers.think(lambda is_over: gate.wait(5), 0.01)
    gate.set()
    await until(lambda: not alive())
    assert await thinkers.think(lambda is_over: 7, 0.01) == 7
    assert thinkers._places._value == 1


async def test_so_many_at_a_time() -> None:
    thinkers, most = Thinkers(2), 0
    tasks = [asyncio.create_task(thinkers.think(patient, 0.05)) for _ in range(5)]
    while not all(task.done() for task in tasks):
        most = max(most, alive())
        await asyncio.sleep(0.002)
    assert most == 2
    assert [task.result() for task in tasks] == ["as far as I got"] * 5
    assert thinkers._places._value == 2


async def test_waiting_for_a_place_costs_no_time_within_the_grace() -> None:
    def timed(is_over: IsOver) -> float:
        begun = time.monotonic()
        patient(is_over)
        return time.monotonic() - begun

    thinkers = Thinkers(1)
    first = asyncio.create_task(thinkers.think(patient, 0.08))
    later = asyncio.create_task(thinkers.think(timed, 0.15))
    much_later = asyncio.create_task(thinkers.think(timed, 0.15))
    await first
    assert await later > 0.14
    assert await much_later < 0.1


async def test_who_gets_no_place_in_time_is_told_so() -> None:
    thinkers = Thinkers(1)
    long = asyncio.create_task(thinkers.think(patient, 0.5))
    await asyncio.sleep(0)
    with pytest.raises(TooSlow, match="no place"):
        await thinkers.think(patient, 0.05)
    assert await thinkers.think(lambda is_over: 7, 0.05, at_once=True) == 7
    assert not long.done()
    await thinkers.close()
    assert await long == "as far as I got"


async def test_who_does_not_wait_any_more_stops_the_thought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(thinking, "GRACE", 5.0)
    thinkers = Thinkers(1)
    task = asyncio.create_task(thinkers.think(patient, 60))
    await until(lambda: bool(alive()))
    task.cancel()
    begun = time.monotonic()
    assert await thinkers.think(lambda is_over: 7, 1) == 7
    assert time.monotonic() - begun < 1
    assert task.cancelled()


async def test_one_that_is_stuck_loses_its_place_when_nobody_waits(gate: threading.Event) -> None:
    thinkers = Thinkers(1)
    task = asyncio.create_task(thinkers.think(lambda is_over: gate.wait(5), 60))
    await until(lambda: bool(alive()))
    task.cancel()
    assert await thinkers.think(lambda is_over: 7, 1) == 7
    await thinkers.close()


async def test_no_thread_outlives_the_closing() -> None:
    thinkers = Thinkers(4)
    tasks = [asyncio.create_task(thinkers.think(patient, 60)) for _ in range(4)]
    await until(lambda: alive() == 4)
    begun = time.monotonic()
    await thinkers.close()
    assert alive() == 0
    assert time.monotonic() - begun < 0.5
    assert await asyncio.gather(*tasks) == ["as far as I got"] * 4


async def test_closing_does_not_wait_for_one_that_is_stuck(gate: threading.Event) -> None:
    thinkers = Thinkers()
    task = asyncio.create_task(thinkers.think(lambda is_over: gate.wait(5), 0.01))
    await asyncio.sleep(0)
    begun = time.monotonic()
    await thinkers.close()
    assert time.monotonic() - begun < 1
    with pytest.raises(TooSlow):
        await task


async def test_a_system_without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    thinkers = Thinkers(1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fail)
        with pytest.raises(RuntimeError, match="can't start"):
            await thinkers.think(patient, 1)
    assert await thinkers.think(lambda is_over: 7, 1) == 7
    await thinkers.close()


def test_one_that_is_stuck_does_not_keep_the_process_from_ending() -> None:
    program = """
import asyncio, time
from crossroom_server import thinking

async def main():
    thinking.GRACE = 0.05
    thinkers = thinking.Thinkers()
    try:
        await thinkers.think(lambda is_over: time.sleep(60), 0.01)
    except thinking.TooSlow:
        await thinkers.close()
        print("given up")

asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=20, check=True
    )
    assert (done.stdout, done.stderr) == ("given up\n", "")
