"""Legal plays of a position: all of them, their number, the best, or whether there is any."""

from crossroom_engine.movegen.api import Play, PlayCount, best, count, is_any_play_left, plays

__all__ = ["Play", "PlayCount", "best", "count", "is_any_play_left", "plays"]
