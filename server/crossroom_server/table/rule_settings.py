"""Applies a setting to the rules of a table, and tells whether they fit a word list."""

from typing import Final

from crossroom_engine.core.errors import BadRules
from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.time_controls import TIME_CONTROLS
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.base.refusals import Refusal

_INDEPENDENT_OF_PRESET: Final = ("lexicon", "hints", "absence", "absence_after")
"""Settings that a change of preset leaves alone."""


def with_setting(rules: Ruleset, setting: str, value: str) -> Ruleset:
    """Return the *rules* with *setting* set to *value*, both as people write them.

    Raises:
        Refusal: ``BAD_SETTING``, there is no such setting, or no such value of it.
    """
    if setting == "time":
        return _with_time(rules, value)
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


def _with_time(rules: Ruleset, value: str) -> Ruleset:
    if value.lower() not in TIME_CONTROLS:
        prose = Phrase("there is no time {value!r}; there are: {names}")
        raise Refusal("BAD_SETTING", prose, value=value, names=", ".join(TIME_CONTROLS))
    return rules.with_time_control(value.lower())


def check_lexicon_fits(rules: Ruleset, lexicon: Lexicon) -> None:
    """Check that the words are made of the letters that the tiles have.

    Raises:
        Refusal: ``BAD_SETTING``.
    """
    if lexicon.letters != rules.tiles.letters:
        prose = Phrase(
            "word list {name} does not fit tile set {tiles}; change one: "
            "/set lexicon NAME or /set tiles NAME"
        )
        raise Refusal("BAD_SETTING", prose, name=lexicon.name, tiles=rules.tiles.name)
