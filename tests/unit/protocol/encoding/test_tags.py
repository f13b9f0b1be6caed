"""Tags: escaping both ways, and what programs can rely on."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.events import Event, Undone
from crossroom_protocol.encoding import tags
from crossroom_protocol.events.room import Moved, RoomEvent
from crossroom_protocol.notices import Happened, YourName, YourRegistration, YourState
from tests.support.room_views import game_with_horn, room_view

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


def test_a_turn_taken_back_says_whose_and_which_squares_are_free_again() -> None:
    squares = (Square(7, 5), Square(7, 6))
    undone = Moved(1, None, (Undone(1, ("E",), (), 5, squares),))
    told = tags.notice_tags(Happened(seq=9, at=5, event=undone, room=room_view()))
    assert (told["did"], told["undone"], told["squares"]) == ("undone", 1, "8F,8G")


def test_the_state_has_the_board() -> None:
    told = tags.notice_tags(YourState(room=room_view(game_with_horn(), 1)))
    rows = str(told["board"]).split("/")
    assert (len(rows), rows[7]) == (15, ".....HORn......")


def test_the_keys_that_come_with_an_entry_are_those_that_are_listed() -> None:
    for kind in (*get_args(RoomEvent), *get_args(Event)):
        assert set(tags.entry_keys(kind)) <= tags.TAGS.keys()
    assert tags.entry_keys(Undone) == ("undone", "squares")
    assert tags.entry_keys(Moved) == ("seat", "did")


def test_the_code_of_a_name_is_told_apart_from_that_of_a_seat() -> None:
    seat, name = YourName(name="ann", code="k7qm"), YourRegistration(name="ann", code="k7qm")
    assert "about" not in tags.notice_tags(seat)
    assert tags.notice_tags(name)["about"] == "registered"
