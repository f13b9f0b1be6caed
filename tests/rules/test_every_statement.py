"""Every numbered statement of RULES.md has a test that is named after it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parents[1] / "engine" / "RULES.md"
ELSEWHERE = {
    "1.5",
    "1.6",
    "1.11",
    *(f"1.{number}" for number in range(14, 20)),
    "8.2",
    "8.3",
    "8.4",
}
"""Tested with 4.3, 5.1, 6.3 to 6.9, with the builder of word lists, and with the room."""


def test_every_statement_has_a_test() -> None:
    statements = set(re.findall(r"^- \*\*(\d\.\d+)\*\*", RULES.read_text("utf-8"), re.MULTILINE))
    tests = "".join(path.read_text("utf-8") for path in HERE.glob("test_*.py"))
    named = {f"{section}.{number}" for section, number in re.findall(r"_(\d)_(\d+)_", tests)}
    assert len(statements) > 35
    assert statements - named == ELSEWHERE
