"""Codes that are tried: how many may be wrong, and that right ones are not in each other's way."""

import asyncio

from crossroom_server.store.contract import CodeOwner, Unavailable
from crossroom_server.store.memory import MemoryStore
from tests.support.server import SessionDriver, new_lobby, new_server_state, take_name


class SlowCodeStore(MemoryStore):
    """A store that looks codes up when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.ready = asyncio.Event()
        self.failing: Exception | None = None

    async def find_code(self, digest: str) -> CodeOwner | None:
        await self.ready.wait()
        if self.failing is not None:
            raise self.failing
        return await super().find_code(digest)


async def test_three_wrong_codes_a_minute() -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("kitchen")
    code = await take_name(ann, "ann")
    heard = [await ann.say(f"/resume {wrong}") for wrong in ("a", "b", "c", code)]
    codes = [lines[-1].split()[1] for lines in heard]
    assert codes == ["BAD_TOKEN", "BAD_TOKEN", "BAD_TOKEN", "SLOW_DOWN"]
    stranger = await SessionDriver(server_state, address="192.0.2.1").join()
    assert (await stranger.say("/resume d"))[0].startswith("! BAD_TOKEN resume:")


async def test_right_codes_are_not_counted() -> None:
    ann = await SessionDriver(new_server_state()).join("kitchen")
    code = await take_name(ann, "ann")
    for _ in range(5):
        assert any("up to date" in line for line in await ann.say(f"/resume {code}"))


async def test_many_behind_one_address_come_back_at_once() -> None:
    store = SlowCodeStore()
    server_state = new_server_state(lobby=new_lobby(store))
    people = [await SessionDriver(server_state).join("kitchen") for _ in range(8)]
    codes = [await take_name(one, f"n{number}") for number, one in enumerate(people)]
    again = [await SessionDriver(server_state).join() for _ in people]
    asked = (one.say(f"/resume {code}") for one, code in zip(again, codes, strict=True))
    asking = asyncio.gather(*asked)
    await asyncio.sleep(0.05)
    store.ready.set()
    for heard in await asking:
        assert any("up to date" in line for line in heard), heard


async def test_guessing_at_once_is_not_guessing_more() -> None:
    server_state = new_server_state()
    ann = await SessionDriver(server_state).join("kitchen")
    code = await take_name(ann, "ann")
    guessers = [await SessionDriver(server_state).join() for _ in range(9)]
    tried = [*(f"wrong-{number}" for number in range(8)), code]
    asked = (one.say(f"/resume {guess}") for one, guess in zip(guessers, tried, strict=True))
    heard = [lines[-1].split()[1] for lines in await asyncio.gather(*asked)]
    assert heard == ["BAD_TOKEN"] * 3 + ["SLOW_DOWN"] * 6


async def test_a_guess_counts_even_if_its_answer_is_not_waited_for() -> None:
    store = SlowCodeStore()
    server_state = new_server_state(lobby=new_lobby(store))
    for _ in range(3):
        guesser = await SessionDriver(server_state).join()
        asking = asyncio.create_task(guesser.say("/resume wrong"))
        await asyncio.sleep(0.01)
        guesser.session.server.sessions[guesser.session].cancel()
        await asyncio.wait([asking])
    store.ready.set()
    ann = await SessionDriver(server_state).join()
    assert (await ann.say("/resume wrong"))[-1].startswith("! SLOW_DOWN")


async def test_a_store_that_fails_makes_no_guess_wrong() -> None:
    store = SlowCodeStore()
    store.ready.set()
    ann = await SessionDriver(new_server_state(lobby=new_lobby(store))).join()
    store.failing = Unavailable("the disk is broken")
    for _ in range(5):
        assert (await ann.say("/resume wrong"))[-1].startswith("! INTERNAL")
    store.failing = None
    assert (await ann.say("/resume wrong"))[-1].startswith("! BAD_TOKEN")
