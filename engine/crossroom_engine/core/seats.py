"""Words that moves and events share."""

from typing import Literal, TypeAlias

Seat: TypeAlias = int
"""0-based place at the table, in turn order."""

Pause: TypeAlias = Literal["server", "agreed", "absent"]
"""Why a game was adjourned: the server was stopped, the players agreed, somebody stayed away."""
