"""Pretending to be somebody, taking what is not one's own, coming from elsewhere."""

from collections import Counter

from tests.system.attack.floods import listening
from tests.system.attack.next_table import NAMES, ROOM
from tests.system.attack.peer import RawPeer, Target, frame


async def name_squatting(aim: Target) -> None:
    """The names of those who play, look-alikes of them, and names of the house: refused."""
    peer = await listening(aim, f"/t/{ROOM}")
    for name in (*NAMES, "lan", "1AN", "B0b", "b\u00f2b", "server", "h0st", "greedy-bot"):
        await peer.say(frame(f"/name {name}".encode()))
        answer = await peer.hear("! NAME_TAKEN", "! BAD_NAME", "- you are")
        assert answer.startswith("! "), (name, answer)
    peer.hang_up()


async def room_squatting(aim: Target) -> None:
    """Room after room: five, then no more."""
    told: Counter[str] = Counter()
    peer = await listening(aim)
    for number in range(12):
        await peer.say(frame(f"/join squat-{number}".encode()))
        told[(await peer.hear("welcome to squat", "! TOO_MANY")).split()[1]] += 1
    assert told == {"welcome": 5, "TOO_MANY": 7}, told
    peer.hang_up()


async def code_guessing(aim: Target) -> None:
    """Codes that might be somebody's: three wrong ones, over however many connections."""
    told: Counter[str] = Counter()
    for _ in range(4):
        peer = await listening(aim)
        for _ in range(5):
            await peer.say(frame(b"/resume k7qm-4ftz-9w2h 0"))
            told[(await peer.hear("! ")).split()[1]] += 1
        peer.hang_up()
    assert told == {"BAD_TOKEN": 3, "SLOW_DOWN": 17}, told


async def cross_origin(aim: Target) -> None:
    """Pages of others that open a socket in somebody's browser: 403."""
    for origins in (
        ["http://evil.example"],
        ["null"],
        ["file://"],
        ["http://127.0.0.1:1"],
        ["http://127.0.0.1@evil.example"],
        ["http://127.0.0.1.evil.example"],
        ["http://127.0.0.1", "http://evil.example"],
        ["http://[::1"],
    ):
        peer = await RawPeer.dial(aim.port, aim.source)
        fields = [f"Origin: {origin}" for origin in origins]
        assert await peer.upgrade(f"/t/{ROOM}", *fields) == 403, origins
        await peer.rest()


PEOPLE = [name_squatting, room_squatting, code_guessing, cross_origin]
