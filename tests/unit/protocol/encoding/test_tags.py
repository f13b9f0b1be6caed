"""Tags: escaping both ways, and what programs can rely on."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_protocol.encoding import tags

KEYS = st.text(st.characters(codec="ascii", categories=["Ll", "Nd"]), min_size=1)


@given(st.dictionaries(KEYS, st.text(), min_size=1), st.text())
def test_what_is_written_is_read(values: dict[str, str], rest: str) -> None:
    line = f"@{tags.format_tags(values)} {rest}"
    assert tags.parse_tags(line) == (values, rest)


@given(st.text())
def test_a_value_cannot_break_out(value: str) -> None:
    written = tags.format_tags({"a": value})
    assert not set(written) & set("; \r\n")


@pytest.mark.parametrize(
    ("value", "read"),
    [(r"a\:b", "a;b"), (r"\\s", r"\s"), (r"\b", "b"), ("a\\", "a"), (r"\s\r\n", " \r\n")],
)
def test_escapes(value: str, read: str) -> None:
    assert tags.parse_tags(f"@key={value} - hi") == ({"key": read}, "- hi")


def test_none_is_left_out_and_nothing_is_written_as_nothing() -> None:
    assert tags.format_tags({"a": None, "b": "", "c": 0}) == "b=;c=0"


@pytest.mark.parametrize("line", ["- hi", "* #1 alice takes seat 1", "."])
def test_a_line_without_tags(line: str) -> None:
    assert tags.parse_tags(line) == ({}, line)
