"""Notices as lines: how each looks, and what no line may ever contain."""

import json
from dataclasses import replace
from typing import Final, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine.rules import PRESETS
from crossroom_engine.views import view
from crossroom_protocol import sheets, tags
from crossroom_protocol.ansi import ESCAPE
from crossroom_protocol.codecs import encode
from crossroom_protocol.finished import Entrant, Finished, Profile, Ranked, Rating
from crossroom_protocol.notices import (
    NOTICE,
    AnyNotice,
    Archive,
    Done,
    Happened,
    Invitation,
    Live,
    Note,
    Picture,
    Recalled,
    Refused,
    RoomView,
    Seated,
    Strongest,
    Style,
    Tried,
    Welcome,
    YourClaim,
    YourName,
    YourState,
    YourStats,
    YourTurn,
)
from crossroom_protocol.room_events import Moved, Said, redact
from crossroom_protocol.text import past, render
from tests.scenes import SCENES, perform
from tests.tables import Table

PLAIN, READER, COLOUR = Style(), Style(reader=True), Style(ansi=True)
RULES: Final = PRESETS["official"]


def room(table: Table | None = None, seat: int | None = None, **changes: object) -> RoomView:
    names = [player.name for player in table.game.players] if table else []
    view_ = RoomView(
        room="kitchen",
        seq=7,
        name=names[seat] if seat is not None else None,
        seat=seat,
        seats=tuple(Seated(name=name, ready=False, here=True) for name in names),
        watchers=(),
        preset="official",
        lexicon="tiny",
        games=1 if table else 0,
        game=view(table.game, seat) if table else None,
    )
    return view_.model_copy(update=changes)


def said(text: str, name: str = "ann", *, me: bool = False) -> Happened:
    return Happened(seq=13, at=0, event=Said(name, text, me=me), room=room())


def horn(**setup: object) -> Table:
    table = Table(**{"racks": ("HORNIT?", "FARMCAT"), **setup})  # type: ignore[arg-type]
    table.play(0, "8F", "HORn")
    return table


def went_out() -> Table:
    return horn(racks=("HOR?", "FA"), bag="")


def over() -> Table:
    table = went_out()
    table.accept(1)
    return table


ANN, BOB = Seated(name="ann", ready=True, here=True), Seated(name="bob", ready=False, here=False)
SEATS = (ANN, BOB)


SAID = Happened(seq=4, at=0, event=Said("ann", "hello"), room=room(seats=SEATS))


def tried(good: bool | None) -> Tried:
    words = ("HORN", "OX")
    return Tried(at="8F", word="HORn", spot="8F", text="HORn", words=words, points=12, good=good)


PROFILE = Profile(
    name="ann",
    games=4,
    won=2,
    shared=1,
    with_bots=1,
    points=1200,
    turns=48,
    highest=412,
    bingos=6,
    best="QUIz",
    best_points=98,
    ratings=(Rating("race", 1012, 1, 2, 3),),
)
GAME = Finished(
    page="abc",
    room="kitchen",
    game=3,
    first=20,
    last=30,
    began=1_700_000_000_000,
    ended=1_700_000_000_000,
    preset="race",
    lexicon="english",
    why="out",
    players=(Entrant("ann", 412, won=True), Entrant("bob", 412, won=True)),
    rated=True,
)
TIED = "ann 412, bob 412; ann and bob share the win; "
VOID = "ann 412, bob 412; ended by agreement, without a result; "
ABORTED = replace(GAME, page="abd", game=2, why="aborted", rated=False)


def examples() -> list[tuple[AnyNotice, Style, list[str]]]:
    hello = "(protocol 1; tags, json, resume). /help for commands, /r for the rules"
    picture = Picture(about="board", lines=("  A B", "1 . ="), spoken=("8E across QUIZ",))
    return [
        (
            Welcome(room=None, rules=None),
            PLAIN,
            [
                f"- welcome {hello}",
                "- you are at the door: /join ROOM goes in, and opens the room if need be",
                "- /rooms lists those that are open",
            ],
        ),
        (
            Welcome(room=room(seats=SEATS, watchers=("cat", "dan")), rules=RULES),
            PLAIN,
            [
                f"- welcome to kitchen {hello}",
                "- seats: 1 ann, 2 bob (away); 2 free; watching: cat and dan",
                "- no game is on; official rules, lexicon english",
                "- /name YOURNAME says who you are; a name takes a free seat, /watch leaves it",
            ],
        ),
        (
            Welcome(room=room(name="cat", watchers=("cat", "dan")), rules=RULES),
            PLAIN,
            [
                f"- welcome to kitchen {hello}",
                "- seats: nobody yet; 4 free; watching: dan",
                "- no game is on; official rules, lexicon english",
            ],
        ),
        (
            Welcome(room=room(horn(), 1), rules=RULES),
            PLAIN,
            [
                f"- welcome to kitchen {hello}",
                "- seats: 1 ann, 2 bob",
                "- game 1 is on: bob to move (turn 2); ann 12, bob 0; bag 82",
            ],
        ),
        (
            Welcome(room=room(horn(), None, seats=SEATS), rules=RULES),
            PLAIN,
            [
                f"- welcome to kitchen {hello}",
                "- seats: 1 ann, 2 bob (away)",
                "- game 1 is on: bob to move (turn 2); ann 12, bob 0; bag 82",
                "- /resume CODE comes back to a seat",
                "- /name YOURNAME says who you are",
            ],
        ),
        (
            Welcome(room=room(over(), 1), rules=RULES),
            PLAIN,
            [
                f"- welcome to kitchen {hello}",
                "- seats: 1 ann, 2 bob; 2 free",
                "- no game is on; official rules, lexicon english",
                "- /ready when you agree to the rules and the word list",
            ],
        ),
        (said("good luck"), PLAIN, [": #13 ann: good luck"]),
        (said("yawns", me=True), PLAIN, [": #13 * ann yawns"]),
        (
            YourState(room=room(horn(), 1)),
            PLAIN,
            ["= rack A A C F M R T   turn 2 (yours)   ann 12, bob 0   bag 82   /challenge is open"],
        ),
        (
            YourState(room=room(Table(racks=("HOR?", "A")), 0)),
            READER,
            ["= rack blank H O R; turn 1 (yours); ann 0, bob 0; bag 95"],
        ),
        (
            YourState(room=room(horn())),
            PLAIN,
            ["= turn 2 (bob)   ann 12, bob 0   bag 82"],
        ),
        (
            YourState(room=room(went_out(), 0)),
            PLAIN,
            ["= rack empty   waiting for bob: /accept or /challenge   ann 12, bob 0   bag 0"],
        ),
        (
            YourState(room=room(over(), 1)),
            PLAIN,
            ["= rack A F   game 1 is over   ann 17, bob -5   bag 0   ann wins"],
        ),
        (YourState(room=room(seats=SEATS)), PLAIN, ["= no game yet   seats: 1 ann, 2 bob"]),
        (
            YourTurn(room=room(horn(), 1)),
            PLAIN,
            ["? your turn 2: /play, /exchange or /pass; or /challenge HORN"],
        ),
        (
            YourTurn(room=room(Table(racks=("HOR", "A"), bag=""), 0)),
            PLAIN,
            ["? your turn 1: /play or /pass"],
        ),
        (
            YourTurn(room=room(went_out(), 1)),
            PLAIN,
            ["? your last word on 8F HORn: /accept or /challenge"],
        ),
        (
            YourTurn(room=room(went_out(), 1)),
            READER,
            ["? your last word on 8F across HORn: /accept or /challenge"],
        ),
        (
            YourName(name="ann", code="k7qm-4ftz-9w2h"),
            PLAIN,
            ["- you are ann (guest). To come back after a drop: /resume k7qm-4ftz-9w2h"],
        ),
        (
            YourName(name="ann", code="k7qm-4ftz-9w2h", registered=True),
            PLAIN,
            ["- you are ann (registered). To come back after a drop: /resume k7qm-4ftz-9w2h"],
        ),
        (
            YourClaim(name="ann", code="k7qm-4ftz-9w2h"),
            PLAIN,
            [
                "- ann is yours on this server: /name ann k7qm-4ftz-9w2h takes it in any room",
                "- keep that code: it is not told again, and only the host can make a new one",
            ],
        ),
        (
            YourStats(profile=PROFILE, address="http://h"),
            PLAIN,
            [
                "- ann: 4 games, 2 won, 1 shared, 1 with bots",
                "- 300 points a game, 25.0 a turn; highest score 412",
                "- 6 bingos, 1.5 a game; best play QUIz for 98",
                "- race: rating 1012 after 1 rated game, place 2 of 3",
                "- page: http://h/p/ann",
            ],
        ),
        (
            YourStats(profile=Profile("zoe"), address="http://h"),
            READER,
            [
                "- zoe: no game yet; games count from the one that begins after /register",
                "- page: http://h/p/zoe",
            ],
        ),
        (
            Strongest(preset="race", players=(Ranked("ann", 1012, 1, 1), Ranked("bob", 990, 2, 0))),
            READER,
            [
                "- race rules, the strongest first:",
                "- 1. ann: rating 1012, 1 game, 1 won",
                "- 2. bob: rating 990, 2 games, 0 won",
            ],
        ),
        (
            Strongest(preset="race", players=()),
            PLAIN,
            ["- nobody has a rating for race yet; /help top says which games are rated"],
        ),
        (
            Archive(room="kitchen", games=(GAME, ABORTED), address="http://h"),
            READER,
            [
                "- game 3, 2023-11-14, race rules, rated: " + TIED + "http://h/g/abc",
                "- game 2, 2023-11-14, race rules: " + VOID + "http://h/g/abd",
                "- all of them: http://h/r/kitchen",
            ],
        ),
        (
            Archive(room="kitchen", games=(), address="http://h"),
            PLAIN,
            ["- no game has ended here yet"],
        ),
        (Live(seq=10, rules=PRESETS["official"]), PLAIN, ["- you are live at #10"]),
        (Note(lines=("one", "", "two\nthree")), PLAIN, ["- one", "-", "- two", "- three"]),
        (Invitation(page="http://h/t/attic", lines=("open it",)), PLAIN, ["- open it"]),
        (picture, PLAIN, ["|   A B", "| 1 . ="]),
        (picture, READER, ["- 8E across QUIZ"]),
        (Picture(about="gcg", lines=("#title",)), READER, ["| #title"]),
        (
            tried(None),
            PLAIN,
            ["- 8F HORn would score 12: HORN and OX"],
        ),
        (
            tried(False),
            PLAIN,
            ["- 8F HORn would score 12: HORN and OX; not all in the word list"],
        ),
        (
            Recalled(entries=(past(SAID, PLAIN), past(SAID, READER))),
            COLOUR,
            [": #4 ann: hello", ": #4 ann: hello"],
        ),
        (
            Refused(code="BAD_PLAY", command="play", text="it does not fit"),
            PLAIN,
            ["! BAD_PLAY play: it does not fit"],
        ),
        (Done(), PLAIN, ["."]),
    ]


@pytest.mark.parametrize(("notice", "style", "frames"), examples())
def test_each_notice(notice: AnyNotice, style: Style, frames: list[str]) -> None:
    assert render(notice, style) == frames


def test_every_kind_of_notice_is_shown_above_or_elsewhere() -> None:
    shown = {type(notice) for notice, _, _ in examples()}
    assert shown == set(get_args(AnyNotice))


@pytest.mark.parametrize("name", SCENES)
def test_an_entry_is_one_line(name: str) -> None:
    scene = SCENES[name]
    table, events = perform(scene)
    event = redact(Moved(1, scene.by, tuple(events)), scene.to)
    notice = Happened(seq=4, at=0, event=event, room=room(table, scene.to))
    assert render(notice, PLAIN) == [f"* #4 {scene.line}"]
    assert [ESCAPE.sub("", frame) for frame in render(notice, COLOUR)] == render(notice, PLAIN)


ANY = st.text()
LINES = st.lists(ANY, max_size=4).map(tuple)
NAMES = st.lists(ANY, min_size=1, max_size=3)


def crowd(names: list[str], name: str, reader: str | None) -> RoomView:
    seats = tuple(Seated(name=name, ready=True, here=False) for name in names)
    return room(seats=seats, watchers=tuple(names), room=name, name=reader)


CROWDS = st.builds(crowd, NAMES, ANY, st.none() | ANY)
TALK = st.builds(Said, ANY, ANY, me=st.booleans())
ANYTHING: Final[st.SearchStrategy[AnyNotice]] = st.one_of(
    st.builds(Welcome, room=st.none() | CROWDS, rules=st.just(RULES)),
    st.builds(Happened, seq=st.just(1), at=st.just(0), event=TALK, room=CROWDS),
    st.builds(YourState, room=CROWDS),
    st.builds(YourTurn, room=CROWDS),
    st.builds(YourName, name=ANY, code=ANY),
    st.builds(Live, seq=st.integers(), rules=st.sampled_from(list(PRESETS.values()))),
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
STYLES = st.builds(Style, st.just("plain"), st.booleans())


@given(ANYTHING, STYLES)
def test_what_no_frame_may_contain(notice: AnyNotice, style: Style) -> None:
    frames = render(notice, style)
    for frame in frames:
        assert frame[0] in "*:=?!-|."
        assert frame[1:2] in ("", " ")
        assert frame == frame.rstrip()
        assert len(frame.splitlines()) == 1
        assert not set(frame) & {"\t", "\x1b", "\u202e", "\u2066", "\x00"}
        frame.encode("utf-8")


@given(ANYTHING, STYLES)
def test_colour_changes_nothing_else(notice: AnyNotice, style: Style) -> None:
    painted = render(notice, Style(reader=style.reader, ansi=True))
    assert [ESCAPE.sub("", frame) for frame in painted] == render(notice, style)


def test_colours() -> None:
    assert render(said("ann, ann"), COLOUR) == ["\x1b[32m:\x1b[0m #13 \x1b[1mann\x1b[0m: ann, ann"]
    turn = YourTurn(room=room(Table(racks=("HOR", "A"), bag=""), 0))
    assert render(turn, COLOUR) == ["\x1b[1;33m?\x1b[0m\x1b[1m your turn 1: /play or /pass\x1b[0m"]
    board = Picture(about="board", lines=(" 1 = A . -",))
    assert render(board, COLOUR) == ["|  1 \x1b[31m=\x1b[0m A . \x1b[35m-\x1b[0m"]


@given(ANYTHING, st.none() | st.text(st.characters(codec="ascii"), min_size=1))
def test_tags_stand_in_front_of_the_same_lines(notice: AnyNotice, label: str | None) -> None:
    lines = render(notice, PLAIN)
    frames = encode(notice, Style("tags"), label)
    split = [tags.read(frame) for frame in frames]
    assert [line for _, line in split] == lines
    for read, _ in split:
        assert read.keys() <= tags.TAGS.keys()
        assert read.get("label") == label


@given(ANYTHING, st.none() | st.text(min_size=1))
def test_json_is_the_notice_itself(notice: AnyNotice, label: str | None) -> None:
    (frame,) = encode(notice, Style("json"), label)
    assert not set(frame) & {"\r", "\n"}
    assert heard(encode(notice, Style("json"))[0]) == (notice, render(notice, PLAIN))
    assert ('"id":' in frame[:6]) == (label is not None)


def test_a_move_survives_json() -> None:
    table = horn()
    event = redact(Moved(1, 0, tuple(table.log[1:])), 1)
    notice = Happened(seq=4, at=0, event=event, room=room(table, 1))
    assert heard(encode(notice, Style("json"))[0]) == (notice, render(notice, PLAIN))


def test_json_has_the_words_for_those_who_listen() -> None:
    notice = Picture(about="board", lines=("A . .",), spoken=("A on 1A",))
    (frame,) = encode(notice, Style("json", reader=True, ansi=True))
    assert heard(frame) == (notice, ["- A on 1A"])


def heard(frame: str) -> tuple[AnyNotice, list[str]]:
    """A frame of JSON mode as the notice and its plain lines."""
    told = json.loads(frame)
    plain = told.pop("plain")
    return NOTICE.validate_json(json.dumps(told)), plain


def test_the_tags_of_a_play() -> None:
    table = horn()
    event = Moved(1, 0, tuple(table.log[1:]))
    told = tags.of(Happened(seq=4, at=9, event=event, room=room(table)), "7")
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
    board = sheets.board_picture(RULES, view(horn().game, None))
    frames = render(board, PLAIN)
    assert len(frames) == RULES.layout.height + 2
    assert all(frame.startswith("| ") for frame in frames)
