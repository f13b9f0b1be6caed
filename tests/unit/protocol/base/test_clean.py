"""What people write, as others' terminals get it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_protocol.base.clean import MOST_MARKS, clean


@pytest.mark.parametrize(
    "text",
    [
        "gut gespielt, Zoë → 38",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  # England
        "\u2764\ufe0f",
        "\U0001fae8\U0001fa89",  # newer than the oldest interpreter
    ],
)
def test_this_is_left_as_it_is(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a\tb\u2003c\u2028d", "a b c d"),
        ("\u202eevil\x1b[2J\u2066", "evil[2J"),
        ("ann\u200d", "ann"),
        ("so\u00adft", "soft"),
        ("e\u0301", "é"),
    ],
)
def test_this_is_not(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_marks_do_not_climb_over_other_lines() -> None:
    assert clean("a" + "\u0301" * 300) == "á" + "\u0301" * MOST_MARKS  # the first is in the á


@given(st.text())
def test_what_is_clean_stays_as_it_is_and_is_one_line(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert len(cleaned.splitlines()) <= 1
    assert not {unicodedata.category(c) for c in cleaned} & {"Cc", "Cs"}
