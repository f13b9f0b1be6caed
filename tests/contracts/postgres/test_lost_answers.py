"""The PostgreSQL store where answers are lost, and where the database restarts."""

import asyncio
import signal
import time

import pytest

from crossroom_server.store.contract import Account, CodeOwner, Conflict, Unavailable
from tests.contracts.postgres.held_statements import hold_inserts
from tests.contracts.postgres.store_access import count_entries, short_timeouts, until
from tests.support.postgres_server import PostgresServer
from tests.support.tcp_proxy import TcpProxy

pytest.importorskip("asyncpg")

from crossroom_server.store import group_commit as writing
from crossroom_server.store.postgres.store import PostgresStore
from tests.support.log_entries import chat_entries

ANN = CodeOwner("kitchen", "m1", "Ann")


async def test_what_was_stored_though_the_answer_was_lost_is_found(
    far: PostgresStore, line: TcpProxy, postgres: PostgresServer
) -> None:
    await far.append("kitchen", 0, chat_entries(1))
    line.is_mute = True
    asked = asyncio.create_task(far.append("kitchen", 1, chat_entries(2, 3)))
    await until(lambda: count_entries(postgres) == 3)
    assert not asked.done()
    line.is_mute = False
    line.cut()
    await asked
    await far.append("kitchen", 3, chat_entries(4))
    assert await far.read("kitchen") == chat_entries(1, 2, 3, 4)


async def test_what_never_arrived_is_sent_again(far: PostgresStore, line: TcpProxy) -> None:
    await far.append("kitchen", 0, chat_entries(1))
    line.is_deaf = True
    asked = [
        asyncio.create_task(far.append("kitchen", 1, chat_entries(2))),
        asyncio.create_task(far.save_code("1" * 64, ANN)),
    ]
    await asyncio.sleep(0.1)
    line.is_deaf = False
    line.cut()
    await asyncio.gather(*asked)
    assert await far.read("kitchen") == chat_entries(1, 2)
    assert await far.find_code("1" * 64) == ANN


async def test_anothers_entry_is_not_taken_for_one_whose_answer_was_lost(
    far: PostgresStore, line: TcpProxy, postgres: PostgresServer
) -> None:
    line.is_deaf = True
    asked = asyncio.create_task(far.append("kitchen", 0, chat_entries(1)))
    await asyncio.sleep(0.1)
    entry = "INSERT INTO crossroom.entries (room, seq, entry) VALUES ('kitchen', 1, 'theirs')"
    postgres.sql("games", entry)
    line.is_deaf = False
    line.cut()
    with pytest.raises(Conflict):
        await asked


async def test_what_was_reported_as_not_done_is_not_done(
    far: PostgresStore, line: TcpProxy, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    await far.append("kitchen", 0, chat_entries(1))
    with short_timeouts():
        line.is_mute = True
        asked = asyncio.create_task(far.append("kitchen", 1, chat_entries(2, text="first")))
        await until(lambda: count_entries(postgres) == 2)
        line.is_closed = True
        line.cut()
        with pytest.raises(Unavailable, match=r"^the database does not answer$"):
            await asked
        for call in (
            far.check_writable(),
            far.read("kitchen"),
            far.append("kitchen", 1, chat_entries(2)),
        ):
            with pytest.raises(Unavailable, match=r"^the database does not answer$"):
                await call
    line.is_closed = line.is_mute = False
    assert await far.read("kitchen") == chat_entries(1)
    assert count_entries(postgres) == 1
    await far.append("kitchen", 1, chat_entries(2, text="second"))
    assert await far.read("kitchen") == [*chat_entries(1), *chat_entries(2, text="second")]
    lines = [record.message for record in caplog.records if record.name == writing.__name__]
    assert lines == [
        "nothing can be stored: the database does not answer",
        "it can be stored again",
    ]


@pytest.mark.parametrize("before", [None, Account("Zoe", "1" * 64, 1)])
async def test_a_name_whose_claim_was_reported_as_failed_is_whose_it_was(
    far: PostgresStore, line: TcpProxy, postgres: PostgresServer, before: Account | None
) -> None:
    if before is not None:
        await far.save_account("zoe", before)
    async with hold_inserts(postgres, "claims") as held:
        with short_timeouts():
            asked = asyncio.create_task(
                far.save_account("zoe", Account("Zoë", "2" * 64, 2), anew=True)
            )
            await held.wait_until_reached()
            line.is_mute = line.is_closed = True
            line.cut_silently()
            with pytest.raises(Unavailable):
                await asked
        await held.release()
        claimed = "SELECT count(*) FROM crossroom.claims WHERE name = 'Zoë'"
        await until(lambda: postgres.sql("games", claimed) == "1")
    line.is_mute = line.is_closed = False
    assert await far.find_account("zoe") == before


async def test_a_name_whose_answer_was_lost_is_ones_own(
    far: PostgresStore, line: TcpProxy, postgres: PostgresServer
) -> None:
    async with hold_inserts(postgres, "claims") as held:
        asked = asyncio.create_task(far.save_account("zoe", Account("Zoë", "1" * 64, 1)))
        await held.wait_until_reached()
        line.cut()
        await held.release()
        assert await asked is None
    assert await far.save_account("zoe", Account("zoe", "2" * 64, 2)) == Account("Zoë", "1" * 64, 1)


async def test_a_network_that_says_nothing_at_all_is_given_up(
    far: PostgresStore, line: TcpProxy
) -> None:
    await far.append("kitchen", 0, chat_entries(1))
    line.is_deaf = line.is_mute = True
    begun = time.monotonic()
    with short_timeouts():
        for call in (far.append("kitchen", 1, chat_entries(2)), far.read("kitchen")):
            with pytest.raises(Unavailable, match=r"^the database does not answer$"):
                await asyncio.wait_for(call, 30)
    assert time.monotonic() - begun < 8
    line.is_deaf = line.is_mute = False
    line.cut()
    await far.append("kitchen", 1, chat_entries(2))
    assert await far.read("kitchen") == chat_entries(1, 2)


async def test_a_read_that_got_lost_is_asked_again_elsewhere(
    far: PostgresStore, line: TcpProxy
) -> None:
    await far.append("kitchen", 0, chat_entries(1))
    assert await far.rooms() == ["kitchen"]
    with short_timeouts():
        line.is_deaf = True
        asked = asyncio.create_task(far.rooms())
        await until(lambda: line.swallowed > 0)
        line.is_deaf = False  # what it swallowed nobody will answer
        with pytest.raises(Unavailable):
            await asyncio.wait_for(asked, 30)
    assert await far.rooms() == ["kitchen"]


# A database that restarts.


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_a_restart_in_the_middle_loses_nothing_and_doubles_nothing(
    store: PostgresStore, postgres: PostgresServer, how: signal.Signals
) -> None:
    kept = {f"room-{number}": 0 for number in range(8)}
    over = False

    async def talk(room: str) -> None:
        while not over:
            try:
                await store.append(room, kept[room], chat_entries(kept[room] + 1, text=room))
            except Unavailable:
                await asyncio.sleep(0.05)
            else:
                kept[room] += 1

    talking = asyncio.gather(*map(talk, kept))
    await asyncio.sleep(0.3)
    before = dict(kept)
    await asyncio.to_thread(postgres.stop, how)
    await asyncio.to_thread(postgres.start)
    await until(lambda: all(kept[room] > before[room] + 1 for room in kept))
    over = True
    await talking
    for room, last in kept.items():
        assert await store.read(room) == chat_entries(*range(1, last + 1), text=room)
