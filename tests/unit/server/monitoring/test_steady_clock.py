"""Jumps of the machine's clock, and of the process, are noticed and counted."""

import asyncio
from dataclasses import dataclass

import pytest

from crossroom_server.monitoring.steady_clock import CHECK_INTERVAL_MS, SteadyClock


@dataclass
class Machine:
    """A machine whose clocks move when told to."""

    wall: int = 1_700_000_000_000
    passed: int = 5_000

    def run(self, ms: int) -> None:
        self.wall += ms
        self.passed += ms

    def clock(self) -> SteadyClock:
        return SteadyClock(lambda: self.wall, lambda: self.passed)


def test_time_passes_as_the_processor_counts_it() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.run(1_000)
    machine.wall += 7_200_000
    assert clock.now() == 1_700_000_001_000


@pytest.mark.parametrize("set_by", [7_200_000, -7_200_000, 30_000])
def test_a_clock_that_was_set_is_a_jump(set_by: int) -> None:
    machine = Machine()
    clock = machine.clock()
    machine.run(CHECK_INTERVAL_MS)
    machine.wall += set_by
    assert clock.check() == set_by
    assert clock.now() == machine.wall
    machine.run(CHECK_INTERVAL_MS)
    assert clock.check() == 0


def test_a_stopped_process_is_a_jump() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.run(CHECK_INTERVAL_MS + 30_000)
    assert clock.check() == 30_000
    assert clock.now() == machine.wall


def test_a_suspended_machine_whose_processor_did_not_count_is_a_jump() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.wall += 28_800_000
    assert clock.check() == 28_800_000


def test_a_little_late_is_not_a_jump() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.run(CHECK_INTERVAL_MS + 1_500)
    machine.wall += 1_000
    assert clock.check() == 0


async def test_a_jump_is_told_while_the_clock_is_watched() -> None:
    machine, told = Machine(), asyncio.Queue[int]()
    clock = machine.clock()
    with clock.watched(told.put_nowait):
        machine.wall += 60_000
        async with asyncio.timeout(5):
            assert await told.get() == 60_000
