"""The library for programs that play: a seat at a table, and a turn whenever it is theirs.

Everything in ``__all__`` is for programs; docs/play/bots.md begins with ten lines of it.
"""

from crossroom_clients.bots.table import BotTable, connect
from crossroom_clients.bots.turn import CommandRefused, Turn

__all__ = ["BotTable", "CommandRefused", "Turn", "connect"]
