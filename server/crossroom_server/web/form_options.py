"""The options of the forms that set up a table: settings, presets, word lists, bots.

Made from the declarations, and put into words by the very sentences that ``/rules`` prints: what a
value means is what the rules say with it, and with no other value of the same setting.
"""

from collections.abc import Mapping, Sequence
from dataclasses import Field
from functools import cache, lru_cache
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin

from crossroom_engine.bots import LEVELS
from crossroom_engine.core import data
from crossroom_engine.core.board import Layout
from crossroom_engine.core.errors import BadRules
from crossroom_engine.core.rules import PRESETS, Ruleset, format_setting, settings
from crossroom_engine.core.tiles import TileSet
from crossroom_engine.core.time_controls import TIME_CONTROLS, describe_time_control
from crossroom_protocol.base.translate import current_language, gettext
from crossroom_protocol.text.rules_text import PRESET_SUMMARIES, SECTIONS

JSON: TypeAlias = Mapping[str, Any]

_DATA_FILES: Final = {Layout: ("layouts", ".txt"), TileSet: ("tiles", ".csv")}


def form_options(lexica: tuple[str, ...]) -> JSON:
    """Return the document that the forms read, in the current language.

    Args:
        lexica: The names of the word lists.

    ``settings`` has the fields of a :class:`Ruleset` in their order: ``kind`` is ``choice`` (one of
    ``options``, each with the sentences it adds to the rules) or ``number`` (``low`` to ``high``,
    and ``off`` where it may be). ``presets`` has their values by name, as ``/set`` takes them;
    so have ``times`` those that differ from the preset's.
    """
    return _form_options(lexica, current_language())


@lru_cache(maxsize=4)
def _form_options(lexica: tuple[str, ...], language: str) -> JSON:
    lists = sorted(lexica)
    return {
        "presets": [
            {
                "name": name,
                "values": {
                    spec.name: format_setting(getattr(rules, spec.name)) for spec in settings()
                },
                "words": [gettext(PRESET_SUMMARIES[name]), *_preset_sentences(rules)],
            }
            for name, rules in PRESETS.items()
        ],
        "times": [
            {
                "name": name,
                "words": gettext(describe_time_control(name)),
                "values": {key: format_setting(value) for key, value in given.items()},
            }
            for name, given in TIME_CONTROLS.items()
        ],
        "settings": [_setting(spec, lists) for spec in settings()],
        "bots": [
            {"name": level.name, "words": gettext(level.description)} for level in LEVELS.values()
        ],
    }


def _setting(spec: Field[Any], lexica: Sequence[str]) -> JSON:
    told = {"name": spec.name, "words": gettext(spec.metadata["doc"])}
    if spec.type is str:
        return {**told, "kind": "choice", "options": [{"value": name} for name in lexica]}
    if spec.type in _DATA_FILES:
        names = data.list_names(*_DATA_FILES[spec.type])
        return {**told, "kind": "choice", "options": [{"value": name} for name in names]}
    if get_origin(spec.type) is Literal:
        return {**told, "kind": "choice", "options": _options(spec, get_args(spec.type))}
    low, high = spec.metadata["low"], spec.metadata["high"]
    return {**told, "kind": "number", "low": low, "high": high, "off": spec.type is not int}


def _options(spec: Field[Any], values: Sequence[str]) -> list[JSON]:
    rules = {value: _rules_with(spec, value) for value in values}
    return [
        {"value": value, "words": _distinct_sentences(rules[value], others)}
        for value in values
        if (others := [rules[other] for other in values if other != value])
    ]


def _preset_sentences(rules: Ruleset) -> list[str]:
    """Return what a preset says that the default does not; nothing for the default.

    Where every single premium square is, is left to the board.
    """
    known = set(_sentences(PRESETS["official"]))
    return [told for told in _sentences(rules) if told not in known and " squares: " not in told]


def _rules_with(spec: Field[Any], value: str) -> Ruleset:
    """Return rules with this value, made from the first preset that allows it."""
    for rules in PRESETS.values():
        try:
            return rules.override(spec.name, value)
        except BadRules:
            continue
    raise AssertionError(f"no preset allows {spec.name} {value}")


def _distinct_sentences(rules: Ruleset, others: Sequence[Ruleset]) -> list[str]:
    """Return the sentences of *rules* that not all of the *others* have."""
    common = set.intersection(*(set(_sentences(other)) for other in others))
    return [sentence for sentence in _sentences(rules) if sentence not in common]


def _sentences(rules: Ruleset) -> tuple[str, ...]:
    return _sentences_in(rules, current_language())


@cache
def _sentences_in(rules: Ruleset, language: str) -> tuple[str, ...]:
    return tuple(sentence for section in SECTIONS.values() for sentence in section(rules))
