"""Applies a setting to the rules of a table, and tells whether games under them are rated."""

from collections.abc import Iterable
from typing import Final

from crossroom_engine.core.errors import BadRules
from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import FORMER_VALUES, PRESETS, Ruleset
from crossroom_protocol.base.refusals import Refusal
from crossroom_server.table.state import SeatState

_INDEPENDENT_OF_PRESET: Final = ("lexicon", "hints", "absence", "absence_after")
"""Settings that a change of preset leaves alone."""

_UNRATED: Final = ("lexicon", "absence", "absence_after")
"""Settings that may differ from the preset in a rated game."""


def with_setting(rules: Ruleset, setting: str, value: str) -> Ruleset:
    """Return the *rules* with *setting* set to *value*, both as people write them.

    Raises:
        Refusal: ``BAD_SETTING``, there is no such setting, or no such value of it.
    """
    if setting != "preset":
        try:
            return rules.override(setting, value)
        except BadRules as error:
            raise Refusal("BAD_SETTING", str(error)) from None
    if value not in PRESETS:
        prose = Phrase("there is no preset {value!r}; there are: {presets}")
        raise Refusal("BAD_SETTING", prose, value=value, presets=", ".join(PRESETS))
    return replace(
        PRESETS[value], **{name: getattr(rules, name) for name in _INDEPENDENT_OF_PRESET}
    )


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
