"""Thoughts off the event loop: bounded, given up when they are stuck, gone when nobody waits."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from crossroom_server.room import worker_pool
from crossroom_server.room.worker_pool import IsOver, Work, WorkerPool, WorkTimeout
from tests.support.virtual_time import until


@pytest.fixture(autouse=True)
def much_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is to answer does, however busy the machine is."""
    monkeypatch.setattr(worker_pool, "STOP_GRACE_S", 20.0)


@pytest.fixture
def little_grace(much_grace: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "STOP_GRACE_S", 0.1)


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


def now() -> float:
    """A time by the clock of the loop, for which nothing passes while the machine is busy."""
    return asyncio.get_running_loop().time()


def patient(is_over: IsOver) -> str:
    while not is_over():
        time.sleep(0.005)
    return "as far as I got"


async def test_what_a_thought_returns_or_raises() -> None:
    thinkers = WorkerPool()
    assert await thinkers.run(lambda is_over: (is_over(), 7), 1) == (False, 7)
    with pytest.raises(ZeroDivisionError):
        await thinkers.run(lambda is_over: 1 // 0, 1)
    await thinkers.close()


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, StopIteration])
async def test_a_thought_cannot_end_the_server(error: type[BaseException]) -> None:
    def leave(is_over: IsOver) -> None:
        raise error

    with pytest.raises(RuntimeError):
        await WorkerPool().run(leave, 1)


async def test_the_loop_goes_on_meanwhile_in_a_thread_of_its_own(gate: threading.Event) -> None:
    thinkers = WorkerPool()
    thought = asyncio.create_task(thinkers.run(lambda is_over: gate.wait(20), 60))
    await until(lambda: bool(alive()))
    for _ in range(5):
        await asyncio.sleep(0.005)
    assert not thought.done()
    gate.set()
    assert await thought is True
    assert await thinkers.run(lambda is_over: threading.current_thread().daemon, 1)
    await thinkers.close()
    assert not alive()


async def test_time_is_up_after_the_seconds() -> None:
    def ask(is_over: IsOver) -> tuple[float, float]:
        """When it was last told to go on, since it began; and when it was told to end."""
        entered, latest = time.monotonic(), 0.0
        while True:
            asked = time.monotonic()
            if is_over():
                return latest - entered, time.monotonic()
            latest = asked
            time.sleep(0.005)

    begun = time.monotonic()
    latest, ended = await WorkerPool().run(ask, 0.1)
    assert latest < 0.1
    assert ended - begun >= 0.1


@pytest.mark.usefixtures("little_grace")
async def test_one_that_is_stuck_is_given_up(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinkers, really = WorkerPool(1), time.monotonic()
    for _ in range(3):  # it does not keep its place either
        begun = now()
        with pytest.raises(WorkTimeout, match=r"no answer within 0.1 s"):
            await thinkers.run(lambda is_over: gate.wait(60), 0.01)
        assert now() - begun < 1
    monkeypatch.setattr(worker_pool, "STOP_GRACE_S", 20.0)
    assert await thinkers.run(lambda is_over: 7, 0.01) == 7
    assert alive() == 3
    assert time.monotonic() - really < 30
    gate.set()
    await thinkers.close()


async def test_a_late_answer_is_lost(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinkers = WorkerPool(1)
    with monkeypatch.context() as patch:
        patch.setattr(worker_pool, "STOP_GRACE_S", 0.1)
        with pytest.raises(WorkTimeout):
            await thinkers.run(lambda is_over: gate.wait(60), 0.01)
    gate.set()
    await until(lambda: not alive())
    assert await thinkers.run(lambda is_over: 7, 0.01) == 7
    assert thinkers._slots._value == 1


async def test_so_many_at_a_time(gate: threading.Event) -> None:
    thinkers, counts = WorkerPool(2), list[int]()

    def think(is_over: IsOver) -> str:
        gate.wait(60)
        counts.append(alive())
        return "well"

    tasks = [asyncio.create_task(thinkers.run(think, 60)) for _ in range(5)]
    await until(lambda: alive() == 2)
    await asyncio.sleep(0.05)
    assert alive() == 2
    gate.set()
    assert await asyncio.gather(*tasks) == ["well"] * 5
    assert max(counts) <= 2
    assert thinkers._slots._value == 2


async def test_waiting_for_a_place_costs_no_time_within_the_grace(
    gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []

    class LoggedWork(worker_pool._Worker[object]):
        def __init__(
            self,
            work: Work[object],
            seconds: float,
            loop: asyncio.AbstractEventLoop,
            *,
            is_sharing: bool,
        ) -> None:
            given.append(seconds)
            super().__init__(work, seconds, loop, is_sharing=is_sharing)

    monkeypatch.setattr(worker_pool, "_Worker", LoggedWork)
    thinkers = WorkerPool(1)
    first = asyncio.create_task(thinkers.run(lambda is_over: gate.wait(60), 60))
    await until(lambda: bool(alive()))
    later = asyncio.create_task(thinkers.run(patient, 0.1))
    await asyncio.sleep(0)
    with monkeypatch.context() as patch:
        patch.setattr(worker_pool, "STOP_GRACE_S", 0.2)
        too_late = asyncio.create_task(thinkers.run(patient, 60))
        await asyncio.sleep(0.3)
    gate.set()
    await asyncio.gather(first, later)
    await until(lambda: len(given) == 3)
    assert given[:2] == [60, 0.1]
    assert 0 < given[2] < 60 + 0.2 - 0.3
    await thinkers.close()
    await too_late


async def test_who_gets_no_place_in_time_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    thinkers = WorkerPool(1)
    long = asyncio.create_task(thinkers.run(patient, 60))
    await until(lambda: bool(alive()))
    with monkeypatch.context() as patch:
        patch.setattr(worker_pool, "STOP_GRACE_S", 0.1)
        with pytest.raises(WorkTimeout, match="no place"):
            await thinkers.run(patient, 0.05)
    assert await thinkers.run(lambda is_over: 7, 0.05, at_once=True) == 7
    assert not long.done()
    await thinkers.close()
    assert await long == "as far as I got"


async def test_who_does_not_wait_any_more_stops_the_thought() -> None:
    thinkers = WorkerPool(1)
    task = asyncio.create_task(thinkers.run(patient, 60))
    await until(lambda: bool(alive()))
    task.cancel()
    begun = time.monotonic()
    assert await thinkers.run(lambda is_over: 7, 1) == 7
    assert time.monotonic() - begun < 15, "it is stopped, and not given up after the grace"
    assert task.cancelled()


@pytest.mark.usefixtures("little_grace")
async def test_one_that_is_stuck_loses_its_place_when_nobody_waits(gate: threading.Event) -> None:
    thinkers = WorkerPool(1)
    task = asyncio.create_task(thinkers.run(lambda is_over: gate.wait(60), 60))
    await until(lambda: bool(alive()))
    task.cancel()
    assert await thinkers.run(lambda is_over: 7, 20) == 7
    await thinkers.close()


async def test_where_many_think_all_have_less_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "MIN_SHARE_S", 0.05)
    thinkers, budget = WorkerPool(1), 20.0

    async def think() -> float:
        """Seconds from the first question to the last."""
        spans: list[float] = []

        def work(is_over: IsOver) -> None:
            begun = time.monotonic()
            patient(is_over)
            spans.append(time.monotonic() - begun)

        await thinkers.run(work, budget)
        return spans[0]

    alone = asyncio.create_task(think())
    await until(lambda: bool(alive()))
    assert thinkers.share(budget) == budget
    others = [asyncio.create_task(think()) for _ in range(99)]
    await asyncio.sleep(0)
    assert thinkers.share(budget) == pytest.approx(budget / 100)
    assert thinkers.share(1.0) == 0.05
    assert await alone < budget / 2, "it has to share, too"
    for task in others:
        task.cancel()
    await thinkers.close()
    await asyncio.gather(*others, return_exceptions=True)
    assert thinkers.share(budget) == budget


async def test_no_thread_outlives_the_closing() -> None:
    thinkers = WorkerPool(4)
    tasks = [asyncio.create_task(thinkers.run(patient, 60)) for _ in range(4)]
    await until(lambda: alive() == 4)
    begun = time.monotonic()
    await thinkers.close()
    assert alive() == 0
    assert time.monotonic() - begun < 15, "nobody waits for the grace"
    assert await asyncio.gather(*tasks) == ["as far as I got"] * 4


@pytest.mark.usefixtures("little_grace")
async def test_closing_does_not_wait_for_one_that_is_stuck(gate: threading.Event) -> None:
    thinkers = WorkerPool()
    task = asyncio.create_task(thinkers.run(lambda is_over: gate.wait(60), 0.01))
    await asyncio.sleep(0)
    begun, really = now(), time.monotonic()
    await thinkers.close()
    assert now() - begun < 1
    assert time.monotonic() - really < 30
    with pytest.raises(WorkTimeout):
        await task


async def test_a_system_without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    thinkers = WorkerPool(1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fail)
        with pytest.raises(RuntimeError, match="can't start"):
            await thinkers.run(patient, 1)
    assert await thinkers.run(lambda is_over: 7, 1) == 7
    await thinkers.close()


def test_one_that_is_stuck_does_not_keep_the_process_from_ending() -> None:
    program = """
import asyncio, time
from crossroom_server.room import worker_pool

async def main():
    worker_pool.STOP_GRACE_S = 0.05
    thinkers = worker_pool.WorkerPool()
    try:
        await thinkers.run(lambda is_over: time.sleep(600), 0.01)
    except worker_pool.WorkTimeout:
        await thinkers.close()
        print("given up")

asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("given up\n", "")
