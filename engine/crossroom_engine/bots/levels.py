"""The levels of bots, as data. Another level is another entry.

Each beats the one before it in 55 to 80 of 100 games of two; ``engine/BOTS.md`` has the figures and
how they were measured.
"""

from collections.abc import Mapping
from typing import Final

from crossroom_engine.bots.brain import Level
from crossroom_engine.bots.strategies import LimitedSight, equity, look_ahead, most_points

COMMON_WORDS: Final[Mapping[str, str]] = {
    "english": "english-common",
    "english-short": "english-common",
    "english-super": "english-common",
}
"""The list of everyday words for each tile set that has one."""

LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level(
            "novice",
            "knows everyday words and takes the best of eight short plays it notices; "
            "never challenges",
            strategy=LimitedSight(plays=8, tiles=4),
            vocabulary=COMMON_WORDS,
            phony_recognition=0,
        ),
        Level(
            "learner",
            "knows everyday words and notices a dozen short plays; hardly ever challenges",
            strategy=LimitedSight(plays=13, tiles=5),
            vocabulary=COMMON_WORDS,
            phony_recognition=0.1,
        ),
        Level(
            "casual",
            "knows everyday words and notices two dozen plays; spots a phony now and then",
            strategy=LimitedSight(plays=24, tiles=8),
            vocabulary=COMMON_WORDS,
            phony_recognition=0.25,
        ),
        Level(
            "regular",
            "knows everyday words and finds most of what they can do; spots some phonies",
            strategy=LimitedSight(plays=58),
            vocabulary=COMMON_WORDS,
            phony_recognition=0.4,
        ),
        Level(
            "keen",
            "knows the whole word list, but notices three dozen plays of hundreds; "
            "spots every other phony",
            strategy=LimitedSight(plays=34),
            phony_recognition=0.5,
        ),
        Level(
            "sharp",
            "knows the whole word list and notices some seventy plays; spots most phonies",
            strategy=LimitedSight(plays=71),
            phony_recognition=0.7,
        ),
        Level(
            "shrewd",
            "knows the whole word list and misses little; spots nearly every phony",
            strategy=LimitedSight(plays=185),
            phony_recognition=0.9,
        ),
        Level(
            "greedy",
            "knows the whole word list, takes the most points it can get each turn, "
            "challenges every phony",
            strategy=most_points,
        ),
        Level(
            "solid",
            "weighs the points of a play against the tiles it leaves, exchanges when that is "
            "better, looks ahead in endgames; challenges every phony",
            strategy=equity,
            budget_s=0.5,
        ),
        Level(
            "expert",
            "plays the game on in its head before it moves, up to 5 seconds, and works the end "
            "out; challenges every phony",
            strategy=look_ahead,
            budget_s=5,
        ),
    )
}
"""The bots that a table can seat, by name, the weakest first."""

FALLBACK_LEVEL: Final = LEVELS["greedy"]
"""The level that moves for a bot that fails, or takes too long."""
