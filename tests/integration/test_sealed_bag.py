"""A real server seals every bag anew, tells the seal at once, and the seed only afterwards."""

import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from crossroom_engine.core.events import Ended, Exchanged, Started
from crossroom_engine.game.draw_verification import verify_draws
from crossroom_protocol.encoding import tags
from crossroom_protocol.encoding.game_json import read_events
from crossroom_server.app import App
from tests.support.room_driver import SHIPPED_LEXICA, FakeClient, RoomDriver, start_game
from tests.support.server import LOOPBACK, receive_until, run_server


def dial(app: App, mode: str) -> connect:
    return connect(
        f"ws://{LOOPBACK}:{app.port}/t/kitchen", subprotocols=[Subprotocol(f"{mode}.v1.crossroom")]
    )


async def test_seal_first_and_seed_last(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "crossroom_server")
    seals, seeds = [], []
    async with run_server(data=tmp_path, keep=True) as app, dial(app, "tags") as ann:
        await ann.send("/name ann\n/set first-player seat")
        await receive_until(ann, "sets first_player")
        async with dial(app, "json") as eve:
            await ann.send("/bot add novice")
            for _ in range(2):
                await ann.send("/ready")
                begun = await receive_until(ann, "seal=")
                await ann.send("/exchange *\n/pass\nstill here")
                heard = begun + await receive_until(ann, "ann: still here")
                heard += await receive_until(eve, "still here")
                await ann.send("/resign yes")
                ended = (await receive_until(ann, "seed="))[-1]
                last = (await receive_until(eve, '"kind":"ended"'))[-1]
                seals.append(tags.parse_tags(begun[-1])[0]["seal"])
                seeds.append(tags.parse_tags(ended)[0]["seed"])
                assert f'"seal":"{seals[-1]}"' in "".join(heard)
                assert f'"seed":"{seeds[-1]}"' in last
                assert not [frame for frame in heard if seeds[-1] in frame]
                await ann.send("/export json")
                lines = [tags.parse_tags(frame)[1] for frame in await receive_until(ann, "| ]}")]
                record = "".join(i.removeprefix("| ") for i in lines if i.startswith("| "))
                verdict = verify_draws(read_events(record))
                assert (verdict.seal, verdict.findings) == (seals[-1], ())
                assert json.loads(record)["events"][-1]["seed"] == seeds[-1]
    assert len({*seals, *seeds}) == 4
    assert all(len(text) == 64 for text in (*seals, *seeds))
    assert not [seed for seed in seeds if seed in caplog.text]


async def test_the_seed_is_stored_before_anybody_is_told_the_seal(tmp_path: Path) -> None:
    async with run_server(data=tmp_path, keep=True) as app, dial(app, "tags") as ann:
        await ann.send("/name ann\n/bot add novice\n/ready")
        seal = tags.parse_tags((await receive_until(ann, "seal="))[-1])[0]["seal"]
        with closing(sqlite3.connect(tmp_path / "games.db")) as db:
            stored = "".join(str(entry) for (entry,) in db.execute("SELECT entry FROM entries"))
    (seed,) = [part.split('"')[0] for part in stored.split('"seed":"')[1:]]
    assert f'"seal":"{seal}"' in stored
    assert len(seed) == 64


async def test_a_game_that_was_begun_without_a_seal_goes_on_without() -> None:
    driver = await start_game("ann", "bob")
    later = RoomDriver([], SHIPPED_LEXICA, 5, driver.store, sealed="5eed" * 16)
    later.clients = {
        name: FakeClient(name, code=client.code) for name, client in driver.clients.items()
    }
    await driver.lobby.close()
    await later.restart_and_resume()
    game = (await later.table()).game
    assert game is not None
    await later.type("ann", f"/exchange {game.players[0].rack[0]}")
    await later.type("bob", "/resign yes")
    record = (await later.table()).record
    assert isinstance(record[0], Started)
    assert isinstance(record[-1], Ended)
    assert any(isinstance(event, Exchanged) for event in record)
    assert (record[0].seal, record[-1].seed) == ("", "")
    for name in ("ann", "bob"):
        await later.type(name, "/ready")
    begun = (await later.table()).record[0]
    assert isinstance(begun, Started)
    assert begun.seal != ""
    await later.lobby.close()
