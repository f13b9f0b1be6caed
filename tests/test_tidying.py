"""Garbage is collected without long pauses, and collected."""

import asyncio
import gc
import weakref

import pytest

from crossroom_server import tidying as module
from crossroom_server.tidying import LEAST, SHARE, pause_after, tidying


class Loop:
    """Something unreachable that only a look for cycles frees."""

    def __init__(self) -> None:
        self.me = self


async def old_garbage() -> "weakref.ref[Loop]":
    loop = Loop()
    gc.collect(1)  # it is old now
    return weakref.ref(loop)


async def test_the_interpreter_does_not_look_through_all_by_itself() -> None:
    before = gc.get_threshold(), gc.get_freeze_count()
    async with tidying():
        garbage = await old_garbage()
        kept = [[n] for n in range(1_000_000)]  # more than enough for it otherwise
        assert garbage() is not None
        assert len(kept) == 1_000_000
    assert gc.get_threshold() == before[0]
    assert gc.get_freeze_count() == 0


@pytest.mark.parametrize("reason", ["LEAST", "GROWN"])
async def test_it_is_done_when_it_is_time_or_there_is_much(
    reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROUND", 0.01)
    monkeypatch.setattr(module, reason, 0)
    async with tidying():
        garbage = await old_garbage()
        freed = asyncio.Event()
        weakref.finalize(garbage() or freed, freed.set)
        async with asyncio.timeout(10):
            await freed.wait()


def test_pauses_are_a_small_part_of_the_time() -> None:
    assert pause_after(0.001) == LEAST
    assert pause_after(0.3) == 0.3 * SHARE
