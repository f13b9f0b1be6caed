"""Frames of any notice: what none may ever contain, and how each mode keeps the words."""

import json
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine.core.rules import PRESETS
from crossroom_engine.game.views import view
from crossroom_protocol.encoding import tags
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.events.room import Moved, Said, redact
from crossroom_protocol.notices import (
    NOTICE,
    AnyNotice,
    CaughtUp,
    Done,
    Happened,
    Note,
    Picture,
    ReaderSettings,
    Refused,
    RoomView,
    SeatView,
    Tried,
    Welcome,
    YourName,
    YourState,
    YourTurn,
)
from crossroom_protocol.text import sheets
from crossroom_protocol.text.ansi import ESCAPE
from crossroom_protocol.text.render import render
from tests.support.room_views import game_with_horn, room_view

PLAIN: Final = ReaderSettings()
JSON: Final = ReaderSettings("json")
RULES: Final = PRESETS["official"]

ANY = st.text()
LINES = st.lists(ANY, max_size=4).map(tuple)
NAMES = st.lists(ANY, min_size=1, max_size=3)


def crowd(names: list[str], name: str, reader: str | None) -> RoomView:
    seats = tuple(SeatView(name=name, ready=True, here=False) for name in names)
    return room_view(seats=seats, watchers=tuple(names), room=name, name=reader)


CROWDS = st.builds(crowd, NAMES, ANY, st.none() | ANY)
TALK = st.builds(Said, ANY, ANY, me=st.booleans())
ANYTHING: Final[st.SearchStrategy[AnyNotice]] = st.one_of(
    st.builds(Welcome, room=st.none() | CROWDS, rules=st.just(RULES)),
    st.builds(Happened, seq=st.just(1), at=st.just(0), event=TALK, room=CROWDS),
    st.builds(YourState, room=CROWDS),
    st.builds(YourTurn, room=CROWDS),
    st.builds(YourName, name=ANY, code=ANY),
    st.builds(CaughtUp, seq=st.integers(), rules=st.sampled_from(list(PRESETS.values()))),
    st.builds(Note, about=ANY, lines=LINES),
    st.builds(Picture, about=st.sampled_from(["board", "score"]), lines=LINES, spoken=LINES),
    st.builds(
        Tried,
        at=ANY,
        word=ANY,
        spot=ANY,
        text=ANY,
        words=NAMES.map(tuple),
        points=st.integers(),
        good=st.none() | st.booleans(),
    ),
    st.builds(Refused, code=ANY, command=ANY, text=ANY),
    st.builds(Done),
)
"""Notices with whatever people, or a broken server, may put into them."""
STYLES = st.builds(ReaderSettings, st.just("plain"), st.booleans())


@given(ANYTHING, STYLES)
def test_what_no_frame_may_contain(notice: AnyNotice, style: ReaderSettings) -> None:
    frames = render(notice, style)
    for frame in frames:
        assert frame[0] in "*:=?!-|."
        assert frame[1:2] in ("", " ")
        assert frame == frame.rstrip()
        assert len(frame.splitlines()) == 1
        assert not set(frame) & {"\t", "\x1b", "\u202e", "\u2066", "\x00"}
        frame.encode("utf-8")


@given(ANYTHING, STYLES)
def test_colour_changes_nothing_else(notice: AnyNotice, style: ReaderSettings) -> None:
    painted = render(notice, ReaderSettings(reader=style.reader, ansi=True))
    assert [ESCAPE.sub("", frame) for frame in painted] == render(notice, style)


@given(ANYTHING, st.none() | st.text(st.characters(codec="ascii"), min_size=1))
def test_tags_stand_in_front_of_the_same_lines(notice: AnyNotice, label: str | None) -> None:
    lines = render(notice, ReaderSettings("tags"))
    frames = encode(notice, ReaderSettings("tags"), label)
    split = [tags.parse_tags(frame) for frame in frames]
    assert [line for _, line in split] == lines
    for read, _ in split:
        assert read.keys() <= tags.TAGS.keys()
        assert read.get("label") == label


@given(ANYTHING, st.none() | st.text(min_size=1))
def test_json_is_the_notice_itself(notice: AnyNotice, label: str | None) -> None:
    (frame,) = encode(notice, ReaderSettings("json"), label)
    assert not set(frame) & {"\r", "\n"}
    assert heard(encode(notice, JSON)[0]) == (notice, render(notice, JSON))
    assert ('"id":' in frame[:6]) == (label is not None)


def test_a_move_survives_json() -> None:
    table = game_with_horn()
    event = redact(Moved(1, 0, tuple(table.log[1:])), 1)
    notice = Happened(seq=4, at=0, event=event, room=room_view(table, 1))
    assert heard(encode(notice, JSON)[0]) == (notice, render(notice, JSON))


def test_json_has_the_words_for_those_who_listen() -> None:
    notice = Picture(about="board", lines=("A . .",), spoken=("A on 1A",))
    (frame,) = encode(notice, ReaderSettings("json", reader=True, ansi=True))
    assert heard(frame) == (notice, ["- A on 1A"])


def heard(frame: str) -> tuple[AnyNotice, list[str]]:
    """A frame of JSON mode as the notice and its plain lines."""
    told = json.loads(frame)
    plain = told.pop("plain")
    return NOTICE.validate_json(json.dumps(told)), plain


def test_the_tags_of_a_play() -> None:
    table = game_with_horn()
    event = Moved(1, 0, tuple(table.log[1:]))
    told = tags.notice_tags(Happened(seq=4, at=9, event=event, room=room_view(table)), "7")
    wanted = {
        "label": "7",
        "seq": 4,
        "at": 9,
        "event": "moved",
        "seat": 0,
        "did": "played,drew,turn_began",
        "spot": "8F",
        "text": "HORn",
        "words": "HORN",
        "points": 12,
        "phase": "playing",
        "turn": 2,
        "on": 1,
        "scores": "12,0",
        "bag": 82,
    }
    assert {key: str(told[key]) for key in wanted} == {key: str(v) for key, v in wanted.items()}


def test_a_board_is_one_frame_for_each_row() -> None:
    board = sheets.board_picture(RULES, view(game_with_horn().game, None))
    frames = render(board, PLAIN)
    assert len(frames) == RULES.layout.height + 2
    assert all(frame.startswith("| ") for frame in frames)
