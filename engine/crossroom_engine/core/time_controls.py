"""Times for a game by name, and how people write a time.

A time control is data: what it sets of the rules. All else of the rules stays.
"""

import re
from typing import Final

from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.units import DAY_S, HOUR_S, MINUTE_S

TIME_CONTROLS: Final[dict[str, dict[str, int | None]]] = {
    "none": {"clock": None, "turn_limit": None, "increment": 0},
    **{
        f"{minutes}m": {"clock": minutes * MINUTE_S, "turn_limit": None, "increment": 0}
        for minutes in (10, 15, 25)
    },
    **{
        f"{days}d": {
            "clock": None,
            "turn_limit": days * DAY_S,
            "increment": 0,
            "acceptance": DAY_S,
        }
        for days in (1, 3, 7)
    },
}
"""What each sets, in seconds; what it does not name is as in the preset of the rules."""
TIME_CONTROL_SETTINGS: Final = ("clock", "turn_limit", "increment", "acceptance")
"""Every setting that one of them names."""
SLOW_TURN_S: Final = HOUR_S
"""A turn that may take so long, or longer, needs nobody to be there (RULES 6.13)."""

_UNITS: Final = {"": 1, "s": 1, "m": MINUTE_S, "min": MINUTE_S, "h": HOUR_S, "d": DAY_S}
_TIME: Final = re.compile(r"(\d{1,9})\s?(s|m|min|h|d|)")
_CLOCK: Final = re.compile(r"(?:(\d{1,4}):)?(\d{1,5}):([0-5]\d)")


def describe_time_control(name: str) -> str:
    """Say what a time control means, for people."""
    given = TIME_CONTROLS[name]
    if (limit := given["turn_limit"]) is not None:
        if limit == DAY_S:
            return Phrase("a day for each turn")
        return Phrase("{days} days for each turn", days=limit // DAY_S)
    if (clock := given["clock"]) is not None:
        return Phrase("{minutes} minutes for all turns of a player", minutes=clock // MINUTE_S)
    return Phrase("all the time you need")


def read_time(text: str) -> int | None:
    """Return the seconds of a time as people write it, None if it is none.

    ``90``, ``90s``, ``25m``, ``25 min``, ``25:00``, ``1:30:00``, ``12h``, ``3d``.
    """
    text = text.lower()
    if (match := _TIME.fullmatch(text)) is not None and text.isascii():
        return int(match[1]) * _UNITS[match[2]]
    if (match := _CLOCK.fullmatch(text)) is not None and text.isascii():
        hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return hours * HOUR_S + minutes * MINUTE_S + seconds
    return None
