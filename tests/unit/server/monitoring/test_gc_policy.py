"""Garbage is collected without long pauses, and collected."""

import asyncio
import gc
import weakref
from collections.abc import Callable
from unittest.mock import Mock

import pytest

from crossroom_server.monitoring import gc_policy as module
from crossroom_server.monitoring.gc_policy import (
    LEAST,
    look_at_all,
    look_at_new,
    pause_after,
    tidying,
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
    async with tidying():
        garbage = await old_garbage()
        kept = [[n] for n in range(1_000_000)]  # more than enough for it otherwise
        assert garbage() is not None
        assert len(kept) == 1_000_000
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


async def test_a_short_look_is_at_what_is_new() -> None:
    async with tidying():
        new, kept = await old_garbage(), ReferenceCycle()
        look_at_new()
        assert new() is None
        set_aside = weakref.ref(kept)
        del kept
        look_at_new()
        assert set_aside() is not None
        look_at_all()
        assert set_aside() is None


def in_no_time(objects: int) -> float:
    return 0.0


@pytest.mark.parametrize(
    ("name", "value"), [("pause_after", in_no_time), ("NEW", 0), ("GROWN", -(1 << 40))]
)
async def test_it_is_done_when_it_is_time_or_there_is_much(
    name: str, value: Callable[[int], float] | int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROUND", 0.01)
    monkeypatch.setattr(module, name, value)
    async with tidying():
        garbage = await old_garbage()
        freed = asyncio.Event()
        weakref.finalize(garbage() or freed, freed.set)
        async with asyncio.timeout(30):
            await freed.wait()


async def test_all_are_counted_only_after_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count takes as long as a good part of a look: 20 ms for a million objects."""
    monkeypatch.setattr(module, "ROUND", 0.001)
    counted = Mock(side_effect=gc.get_freeze_count)
    monkeypatch.setattr(gc, "get_freeze_count", counted)
    async with tidying():
        await asyncio.sleep(0.1)
    assert counted.call_count == 1


def test_long_looks_are_seldom() -> None:
    assert pause_after(1_000) == LEAST
    assert pause_after(1_000_000) == pytest.approx(2000)
