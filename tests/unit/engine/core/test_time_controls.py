"""Times as people write them, and time controls by name."""

import pytest

from crossroom_engine.core.errors import BadRules
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.time_controls import TIME_CONTROLS, read_time


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90),
        ("90s", 90),
        ("25m", 1500),
        ("25 min", 1500),
        ("25:00", 1500),
        ("1:30:00", 5400),
        ("12h", 43200),
        ("3D", 259200),
        ("0", 0),
        ("", None),
        ("d", None),
        ("-3d", None),
        ("1.5h", None),
        ("25:60", None),
        ("3 weeks", None),
        ("٣d", None),
        ("9999999999", None),
    ],
)
def test_a_time_is_read_as_people_write_it(text: str, seconds: int | None) -> None:
    assert read_time(text) == seconds


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", TIME_CONTROLS)
def test_rules_have_the_time_control_that_was_set(preset: str, name: str) -> None:
    rules = PRESETS[preset].with_time_control("3d").with_time_control(name)
    assert rules.time_control == name
    assert PRESETS[preset].with_time_control(name) == rules


def test_other_times_have_no_name() -> None:
    assert PRESETS["official"].override("clock", "7m").time_control is None
    assert PRESETS["official"].time_control == "none"
    assert PRESETS["tournament"].time_control == "25m"


def test_settings_in_seconds_are_read_as_times_and_no_others() -> None:
    rules = PRESETS["official"].override("turn_limit", "3d").override("acceptance", "1h")
    assert (rules.turn_limit, rules.acceptance) == (259200, 3600)
    for setting, text in [("bingo", "50s"), ("turn_limit", "31d"), ("clock", "25 m in")]:
        with pytest.raises(BadRules):
            rules.override(setting, text)


@pytest.mark.parametrize(
    ("limit", "needed"), [("off", True), ("59:59", True), ("1h", False), ("3d", False)]
)
def test_6_13_slow_turns_need_nobody_to_be_there(limit: str, needed: bool) -> None:
    assert PRESETS["official"].override("turn_limit", limit).needs_presence is needed
