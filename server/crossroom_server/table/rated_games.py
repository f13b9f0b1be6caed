"""Tells whether a game counts for ratings."""

from collections.abc import Iterable
from typing import Final

from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.rules import FORMER_VALUES, PRESETS, Ruleset
from crossroom_server.table.state import SeatState

_UNRATED: Final = ("lexicon", "absence", "absence_after")
"""Settings that may differ from the preset in a rated game."""


def is_rated(seats: Iterable[SeatState], rules: Ruleset) -> bool:
    """Return whether a game of these *seats* under these *rules* counts for ratings.

    All are registered people, and the rules are those of their preset, apart from settings without
    effect on ratings.
    """
    people = all(at.registered and at.bot is None and not at.program for at in seats)
    preset = PRESETS.get(rules.preset)
    if preset is None or rules.absence == "bot" or not people:
        return False
    former = [n for n, at in FORMER_VALUES.items() if getattr(rules, n) == at.get(preset.preset)]
    same = {name: getattr(preset, name) for name in (*_UNRATED, *former)}
    return replace(rules, **same) == preset
