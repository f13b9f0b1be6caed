"""The help of a command loads what declares its flags, and nothing else."""

import subprocess
import sys
from typing import Final

import pytest

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
    ["serve", "config", "health", "backup", "restore", "migrate", "verify", "picture"],
)
def test_help_loads_nothing_heavy(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HELP, command], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"usage: crossroom {command}")
    loaded = done.stderr.split()
    assert "crossroom_server.cli" in loaded
    assert not [name for name in loaded if name in HEAVY]
