"""A server whose process stands still for a while charges nobody for it."""

import asyncio
import os
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from tests.system.test_crash_server import KilledServerRun

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs SIGSTOP")

STOPPED_S: Final = 4.0
NEGLIGIBLE_MS: Final = 2_000
"""Milliseconds that the rest of the test may take."""


async def test_a_stopped_process_charges_nobody(tmp_path: Path) -> None:
    with ExitStack() as stack:
        run = KilledServerRun(tmp_path, stack)
        await run.gather()
        await run.set(clock="60")
        await run.all_ready()
        server, mover = run.server.process, run.view.on_turn
        passing = asyncio.create_task(_pass_while_stopped(run))
        server.send_signal(signal.SIGSTOP)
        await asyncio.sleep(STOPPED_S)
        server.send_signal(signal.SIGCONT)
        await passing
        await run.people["ann"].ask("clock")  # what follows the jump is told before the answer
        assert run.view.players[mover].used < NEGLIGIBLE_MS
        stopped = [
            event
            for told in run.people["ann"].events.values()
            for event in told["event"].get("events", ())
            if event["kind"] == "adjourned"
        ]
        assert [event["why"] for event in stopped] == ["jump"]


async def _pass_while_stopped(run: KilledServerRun) -> None:
    """The move arrives while the server stands still, and is the first that it reads."""
    await asyncio.sleep(STOPPED_S / 2)
    await run.mover.ask("pass")
