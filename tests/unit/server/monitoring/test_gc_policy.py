"""Garbage is collected without long pauses, and collected."""

import asyncio
import gc
import weakref
from collections.abc import Callable
from unittest.mock import Mock

import pytest

from crossroom_server.monitoring import gc_policy as module
from crossroom_server.monitoring.gc_policy import (
    IDLE_POLL_INTERVAL_S,
    MIN_FULL_INTERVAL_S,
    POLL_INTERVAL_S,
    YOUNG_OBJECTS,
    full_collect,
    full_collect_interval,
    managed_gc,
    next_pause,
    young_collect,
)


class ReferenceCycle:
    """Something unreachable that only a look for cycles frees."""

    def __init__(self) -> None:
        self.me = self


async def old_garbage() -> "weakref.ref[ReferenceCycle]":
    loop = ReferenceCycle()
    gc.collect(1)  # it is old now
    return weakref.ref(loop)


async def test_the_interpreter_does_not_look_through_all_by_itself() -> None:
    async with managed_gc():
        garbage = await old_garbage()
        kept = [[n] for n in range(1_000_000)]  # more than enough for it otherwise
        assert garbage() is not None
        assert len(kept) == 1_000_000
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


async def test_a_short_look_is_at_what_is_new() -> None:
    async with managed_gc():
        new, kept = await old_garbage(), ReferenceCycle()
        young_collect()
        assert new() is None
        set_aside = weakref.ref(kept)
        del kept
        young_collect()
        assert set_aside() is not None
        full_collect()
        assert set_aside() is None


def in_no_time(objects: int) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("full_collect_interval", in_no_time),
        ("YOUNG_OBJECTS", 0),
        ("FULL_COLLECT_GROWTH", -(1 << 40)),
    ],
)
async def test_it_is_done_when_it_is_time_or_there_is_much(
    name: str, value: Callable[[int], float] | int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "POLL_INTERVAL_S", 0.01)
    monkeypatch.setattr(module, name, value)
    async with managed_gc():
        garbage = await old_garbage()
        freed = asyncio.Event()
        weakref.finalize(garbage() or freed, freed.set)
        async with asyncio.timeout(30):
            await freed.wait()


async def test_all_are_counted_only_after_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count takes as long as a good part of a look: 20 ms for a million objects."""
    monkeypatch.setattr(module, "POLL_INTERVAL_S", 0.001)
    counted = Mock(side_effect=gc.get_freeze_count)
    monkeypatch.setattr(gc, "get_freeze_count", counted)
    async with managed_gc():
        await asyncio.sleep(0.1)
    assert counted.call_count == 1


def test_where_little_is_new_it_is_looked_less_often() -> None:
    pause = POLL_INTERVAL_S
    for _ in range(10):
        pause = next_pause(pause, 5)
    assert pause == IDLE_POLL_INTERVAL_S
    assert next_pause(pause, YOUNG_OBJECTS) == POLL_INTERVAL_S


def test_long_looks_are_seldom() -> None:
    assert full_collect_interval(1_000) == MIN_FULL_INTERVAL_S
    assert full_collect_interval(1_000_000) == pytest.approx(2000)
