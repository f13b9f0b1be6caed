"""The mailbox of a room: what becomes of jobs when it is closed."""

import asyncio
import gc

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.room import mailbox
from crossroom_server.room.mailbox import Job, Mailbox


async def attempt(job: Job[object]) -> object:
    return await job()


async def test_who_waits_before_a_full_mailbox_that_is_closed_is_refused_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mailbox, "MAX_QUEUED_JOBS", 2)
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: complaints.append(what))
    mail = Mailbox()

    async def close() -> None:
        mail.close()

    posting = [asyncio.create_task(mail.post(close)) for _ in range(5)]
    await asyncio.sleep(0)
    await mail.serve(attempt)
    first, *others = await asyncio.gather(*posting, return_exceptions=True)
    assert first is None
    assert all(isinstance(other, Refusal) for other in others)
    del posting, first, others
    gc.collect()
    await asyncio.sleep(0)
    assert not complaints


async def test_closing_a_mailbox_that_waits_leaves_nothing_unheard() -> None:
    complaints: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: complaints.append(what))

    async def run(job: Job[object]) -> object:
        return await job()

    mail = Mailbox()
    serving = asyncio.create_task(mail.serve(run))
    await asyncio.sleep(0)
    mail.close()
    await serving
    gc.collect()
    assert complaints == []


async def test_who_waits_behind_a_job_that_hangs_is_refused_when_the_mailbox_is_closed() -> None:
    gate = asyncio.Event()

    async def run(job: Job[object]) -> object:
        return await job()

    async def hang() -> None:
        await gate.wait()

    mail = Mailbox()
    serving = asyncio.create_task(mail.serve(run))
    hanging = asyncio.create_task(mail.post(hang))
    waiting = asyncio.create_task(mail.post(hang))
    await asyncio.sleep(0.01)
    mail.close()
    with pytest.raises(Refusal):
        await asyncio.wait_for(waiting, 5)
    gate.set()
    await asyncio.gather(hanging, serving)
