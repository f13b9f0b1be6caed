"""The levels there are, as data. Another level is another entry."""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final

from crossroom_engine.bots.brain import Knowledge, Level
from crossroom_engine.movegen import Play

COMMON_WORDS: Final[Mapping[str, str]] = {
    "english": "english-common",
    "english-short": "english-common",
}
"""The list of everyday words for each tile set that has one."""

_NOTICED: Final = 6
"""Plays that a novice compares."""

_SHORT: Final = 4
"""Most tiles of a play that a novice notices, if there are enough as short."""


def _best_noticed(known: Knowledge, plays: Sequence[Play]) -> Iterator[Play]:
    """A few short plays that happen to catch the eye, the best first; then all others."""
    mixed = known.random.sample(plays, len(plays))
    mixed.sort(key=lambda play: len(play.tiles) > _SHORT)
    yield from sorted(mixed[:_NOTICED], key=attrgetter("points"), reverse=True)
    yield from mixed[_NOTICED:]


def _highest(known: Knowledge, plays: Sequence[Play]) -> list[Play]:
    """The most points first; the dice decide between equals."""
    mixed = known.random.sample(plays, len(plays))
    return sorted(mixed, key=attrgetter("points"), reverse=True)


LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level(
            "novice",
            "knows everyday words, plays the best of the few short plays it notices, "
            "never challenges",
            rank=_best_noticed,
            vocabulary=COMMON_WORDS,
            challenges=False,
        ),
        Level(
            "greedy",
            "knows the whole word list, takes the most points it can get each turn, "
            "challenges every play that is not in the list, and no other",
            rank=_highest,
            vocabulary={},
            challenges=True,
        ),
    )
}
"""The bots that a table can seat, by name, the weakest first."""
