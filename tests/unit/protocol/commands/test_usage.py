"""How a command is written is told without Python's names of types."""

from crossroom_protocol.commands.base import usage
from crossroom_protocol.commands.registry import COMMANDS


def test_no_usage_names_a_type() -> None:
    told = [usage(kind) for kind in COMMANDS.values()]
    assert "/resign [yes] [turn=TURN]" in told
    assert not [line for line in told if "typing" in line or "class" in line]
