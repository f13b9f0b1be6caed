"""The session of the reference is what a room tells, line by line."""

from collections.abc import Sequence
from dataclasses import replace

from crossroom_engine.core.rules import PRESETS
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.docs.example import DRAWS, SEAL, WORDS, ScriptedDice, example_session
from crossroom_server.lobby.lobby import Lobby
from tests.support.room_driver import FakeClient, RoomDriver

CODE = "k7qm-4ftz-9w2h"


class ExampleLexicon:
    def __init__(self) -> None:
        self._lexicon = Lexicon.from_words("english", WORDS, PRESETS["official"].tiles)

    def get(self, name: str, digest: str | None = None) -> Lexicon:
        return self._lexicon


class Transcript(FakeClient):
    """Writes both sides of a conversation down, as the reference does."""

    def send(self, frames: Sequence[str]) -> None:
        already = len(self.received)
        super().send(frames)
        self.received[already:] = [
            f"S {line.replace('CODE', CODE)}" for line in self.received[already:]
        ]


async def test_the_example_is_true() -> None:
    alice, bob = Transcript("alice"), FakeClient("bob")
    driver = RoomDriver([alice, bob], ExampleLexicon(), 0)
    driver.sources = replace(driver.sources, random=ScriptedDice(*DRAWS))
    driver.lobby = Lobby(driver.store, driver.sources)
    room = await driver.room()

    async def says(line: str) -> None:
        alice.received.append(f"C {line}")
        await driver.type("alice", line)

    await room.enter(alice, None)
    await says("/name alice")
    await room.enter(bob, "bob")
    await says("/ready")
    await driver.type("bob", "/ready")
    await says("/play 8E QUIZ")
    await driver.type("bob", "/exchange VW")
    await says("/play 1A TEARS")
    await says("/play H8 ZEROS")
    await driver.type("bob", "/play 12H SNARB")
    await says("/challenge")
    await room.leave(alice)
    await driver.type("bob", "there goes my SNARB. still with us?")
    alice.received += ["  (the connection is lost; on a new one)", f"C /resume {CODE} 10"]
    _, known = await driver.lobby.find_by_code(alice.code)
    await room.rejoin(alice, known, 10)
    await says("yes, here")
    await says("/board")
    await driver.lobby.close()
    sealed = f"S *   bag sealed: sha256 {SEAL[:16]}..."  # scripted draws have no seed to seal
    session = list(example_session())
    session.remove(sealed)
    assert alice.received == session
