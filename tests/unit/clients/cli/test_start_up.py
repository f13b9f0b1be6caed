"""What ``crossroom COMMAND --help`` may load: the declarations of flags, and no library."""

import pytest

from crossroom_clients.cli.main import COMMANDS
from crossroom_clients.support.arg_types import LEVEL_NAMES
from crossroom_engine.bots import LEVELS
from tests.support.processes import run_script

HEAVY = {
    "asyncio",
    "multiprocessing",
    "prompt_toolkit",
    "pydantic",
    "rich",
    "textual",
    "websockets",
}
"""Libraries of which each takes longer to load than a help text may."""
BOTS = {"crossroom_engine.bots", "crossroom_protocol.notices"}

OURS = [
    name for name, command in COMMANDS.items() if command.module.startswith("crossroom_clients")
]


@pytest.mark.parametrize("name", OURS)
def test_the_help_of_a_command_loads_no_library(name: str) -> None:
    script = (
        "import sys, crossroom_clients.cli.main as m\n"
        f"try: m.main([{name!r}, '--help'])\n"
        "except SystemExit: print('LOADED', *sys.modules)"
    )
    done = run_script(script)
    told, _, loaded = done.stdout.rpartition("LOADED ")
    assert told.startswith(f"usage: crossroom {name}")
    assert not (HEAVY | BOTS) & set(loaded.split())


def test_the_levels_that_help_names_are_those_there_are() -> None:
    assert tuple(LEVELS) == LEVEL_NAMES
