"""Issues that the check of a record finds."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

IssueKind: TypeAlias = Literal[
    "line", "player", "turn", "place", "score", "total", "rack", "tiles", "exchange",
    "withdrawal", "challenge", "end", "time", "words",
]  # fmt: skip
"""The subject of an issue."""


@dataclass(frozen=True)
class Issue:
    """A disagreement with the record; ``expected`` and ``recorded`` where they are numbers."""

    line: int
    kind: IssueKind
    prose: str
    expected: int | None = None
    recorded: int | None = None
