"""The rules in words: whatever a field says, the text says."""

from dataclasses import fields, replace
from typing import Any, Final

import pytest

from crossroom_engine.core.board import Layout
from crossroom_engine.core.rules import (
    CHALLENGE_POINTS,
    PRESETS,
    Ruleset,
    describe_values,
    settings,
)
from crossroom_engine.core.tiles import TileSet
from crossroom_protocol.base.clean import clean
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.text.premiums import premium_squares
from crossroom_protocol.text.rules_text import SECTIONS, rules_lines, rules_summary

EVERYTHING: Final = replace(
    PRESETS["official"], clock=1500, target=200, tie_break="first_to_target", scoreless_limit=6
)
"""Rules under which every setting matters."""

OTHER: Final[dict[str, tuple[Any, ...]]] = {
    "layout": (Layout("small", ("=..", ".*.", "...")),),
    "tiles": (TileSet.from_csv("plain", "A,60,1\nB,60,2\n?,3,0\n"),),
    "preset": ("house",),
    "lexicon": ("letterpress",),
    "players": (2, 3),
    "first_player": ("seat", "random", "rotate", "loser"),
    "rack": (6, 8),
    "bingo": (0, 35),
    "challenge": ("void", "free", "five", "ten", "triple"),
    "exchange_least": (1,),
    "exchange_bag": (1, 7),
    "reclaim": ("next", "any"),
    "target": (None, 100),
    "target_winner": ("first",),
    "scoreless_limit": (None, 4),
    "end_adjustment": ("none", "double"),
    "tie_break": ("shared", "before_adjustment"),
    "acceptance": (1, 20),
    "clock": (None, 600),
    "overtime": (0, 60),
    "overtime_points": (0, 1, 5),
    "increment": (1, 5),
    "turn_limit": (60, 86400),
    "absence": ("forfeit", "adjourn", "bot"),
    "absence_after": (60,),
    "early_exit": ("cancels",),
    "no_plays": ("goes_on",),
    "look_ups": ("own", "all"),
    "hints": ("on",),
}


def text(rules: Ruleset) -> str:
    return "\n".join(rules_lines(rules))


def test_the_list_above_is_complete() -> None:
    assert OTHER.keys() == {field.name for field in fields(Ruleset)}
    choices = [
        spec
        for spec in settings()
        if " or " in describe_values(spec) and "to" not in describe_values(spec)
    ]
    for spec in choices:
        if spec.name not in ("layout", "tiles"):
            known = {getattr(EVERYTHING, spec.name), *OTHER[spec.name]}
            assert known == set(describe_values(spec).split(" or "))


@pytest.mark.parametrize("name", OTHER)
def test_every_value_of_every_field_has_its_own_text(name: str) -> None:
    told = [text(EVERYTHING)]
    told += [text(replace(EVERYTHING, **{name: value})) for value in OTHER[name]]
    assert len(set(told)) == len(told)


@pytest.mark.parametrize("preset", PRESETS)
def test_numbers_are_those_of_the_rules(preset: str) -> None:
    rules = PRESETS[preset]
    told = {name: "\n".join(rules_lines(rules, name)) for name in SECTIONS}
    assert f"earn {rules.bingo} more" in told["scoring"]
    assert f"{rules.layout.height} rows and {rules.layout.width} columns" in told["placing"]
    dearest = ", ".join(f"{tile} x{rules.tiles.distribution.count(tile)}" for tile in "QZ")
    assert dearest in told["scoring"]
    assert ("/challenge" in told["challenges"]) == rules.may_challenge
    assert ("minutes" in told["clock"]) == (rules.clock is not None)
    assert (str(rules.target) in told["end"]) == (rules.target is not None)
    assert rules.lexicon in told["words"]


def test_premium_squares_are_named() -> None:
    told = rules_lines(PRESETS["official"], "scoring")
    assert "Triple word squares: 1A 1H 1O 8A 8O 15A 15H 15O." in told
    (double,) = (line for line in told if line.startswith("Double word"))
    assert "8H" in double
    small = Layout("small", ("^=", "*."))
    assert premium_squares(small) == {
        "triple word": ["1B"],
        "double word": ["2A"],
        "quadruple letter": ["1A"],
    }


@pytest.mark.parametrize("name", CHALLENGE_POINTS)
def test_points_for_a_good_play(name: str) -> None:
    rules = PRESETS["official"].override("challenge", name)
    (line,) = (line for line in rules_lines(rules, "challenges") if "play stands" in line)
    assert line.endswith(f"its player gets {CHALLENGE_POINTS[name]} points.")


@pytest.mark.parametrize("preset", PRESETS)
def test_lines_are_short_and_clean(preset: str) -> None:
    for line in rules_lines(PRESETS[preset]):
        assert line == clean(line).strip() != ""
        assert len(line) < 320


def test_all_sections_together_are_the_whole() -> None:
    head, *whole = rules_lines(EVERYTHING)
    assert whole == [line for name in SECTIONS for line in rules_lines(EVERYTHING, name)]
    assert all(name in head for name in SECTIONS)


def test_a_section_may_be_cut_short() -> None:
    assert rules_lines(EVERYTHING, "SCOR") == rules_lines(EVERYTHING, "scoring")


def test_an_unknown_section_lists_those_there_are() -> None:
    with pytest.raises(Refusal, match=r"setup.*words") as caught:
        rules_lines(EVERYTHING, "xyzzy")
    assert caught.value.code == "BAD_ARGS"


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_summed_up_by_its_name(name: str) -> None:
    assert rules_summary(PRESETS[name]) == f"{name} rules, lexicon english"


def test_a_changed_preset_is_summed_up_by_the_difference() -> None:
    rules = replace(PRESETS["official"], challenge="five", clock=1500, lexicon="letterpress")
    assert (
        rules_summary(rules) == "official rules but challenge five, clock 1500, lexicon letterpress"
    )
    assert rules_summary(replace(rules, preset="unheard")) == "unheard rules, lexicon letterpress"
