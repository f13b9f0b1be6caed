"""The help of a command loads what declares its flags, and nothing else."""

from typing import Final

import pytest

from tests.support.processes import run_script

HEAVY: Final = (
    "argon2",
    "asyncpg",
    "crossroom_engine.movegen",
    "crossroom_server.app",
    "crossroom_server.store",
    "nats",
    "openskill",
    "PIL",
    "pydantic",
    "sqlite3",
    "websockets",
)
"""Modules that take long to load."""
HELP: Final = """
import sys
from crossroom_clients.cli.main import main
try:
    main([sys.argv[1], "--help"])
finally:
    print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize(
    "command",
    ["serve", "config", "health", "doctor", "backup", "restore", "migrate", "verify", "picture"],
)
def test_help_loads_nothing_heavy(command: str) -> None:
    done = run_script(HELP, command)
    assert done.stdout.startswith(f"usage: crossroom {command}")
    loaded = done.stderr.split()
    assert "crossroom_server.cli" in loaded
    assert not [name for name in loaded if name in HEAVY]
