"""Notices as lines: how each looks."""

from dataclasses import replace
from typing import Final, get_args

import pytest

from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.events.results import (
    FinishedGame,
    PlayerResult,
    Profile,
    RankedPlayer,
    Rating,
)
from crossroom_protocol.events.room import Moved, Said, redact
from crossroom_protocol.notices import (
    AnyNotice,
    CaughtUp,
    Done,
    GameList,
    Happened,
    Invitation,
    Note,
    Picture,
    ReaderSettings,
    Recalled,
    Refused,
    SeatLink,
    SeatView,
    TopPlayers,
    Tried,
    WaitingGame,
    Welcome,
    YourName,
    YourRegistration,
    YourState,
    YourStats,
    YourTurn,
    YourTurns,
)
from crossroom_protocol.text.ansi import ESCAPE
from crossroom_protocol.text.render import render, replayed_entry
from tests.support.event_scenarios import SCENARIOS, run_scenario
from tests.support.game_driver import GameDriver
from tests.support.room_views import game_with_horn, room_view

PLAIN, READER, COLOUR = ReaderSettings(), ReaderSettings(reader=True), ReaderSettings(ansi=True)
JSON = ReaderSettings("json")
RULES: Final = PRESETS["official"]


def said(text: str, name: str = "ann", *, me: bool = False) -> Happened:
    return Happened(seq=13, at=0, event=Said(name, text, me=me), room=room_view())


def went_out() -> GameDriver:
    return game_with_horn(racks=("HOR?", "FA"), bag="")


def over() -> GameDriver:
    table = went_out()
    table.accept(1)
    return table


ANN, BOB = (
    SeatView(name="ann", ready=True, here=True),
    SeatView(name="bob", ready=False, here=False),
)
SEATS = (ANN, BOB)


SAID = Happened(seq=4, at=0, event=Said("ann", "hello"), room=room_view(seats=SEATS))


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
GAME = FinishedGame(
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
    players=(PlayerResult("ann", 412, won=True), PlayerResult("bob", 412, won=True)),
    rated=True,
)
TIED = "ann 412, bob 412; ann and bob share the win; "
VOID = "ann 412, bob 412; ended by agreement, without a result; "
ABORTED = replace(GAME, page="abd", game=2, why="aborted", rated=False)


def examples() -> list[tuple[AnyNotice, ReaderSettings, list[str]]]:
    link = SeatLink(page="http://h/t/attic", lines=("open it",), squares=("1",))
    picture = Picture(about="board", lines=("  A B", "1 . ="), spoken=("8E across QUIZ",))
    return [
        (
            Welcome(room=None, rules=None),
            PLAIN,
            [
                "- welcome; /help lists the commands",
                "- you are at the door: /join ROOM enters a room, creating it if needed",
                "- /rooms lists those that are open",
            ],
        ),
        (
            Welcome(room=room_view(seats=SEATS, watchers=("cat", "dan")), rules=RULES),
            PLAIN,
            [
                "- welcome to kitchen; /help lists the commands, /r the rules",
                "- seats: 1 ann, 2 bob (away); 2 free; watching: cat and dan",
                "- no game in progress; official rules, lexicon english",
                "- /name YOURNAME says who you are; a name takes a free seat, /watch leaves it",
            ],
        ),
        (
            Welcome(room=room_view(name="cat", watchers=("cat", "dan")), rules=RULES),
            PLAIN,
            [
                "- welcome to kitchen; /help lists the commands, /r the rules",
                "- seats: nobody yet; 4 free; watching: dan",
                "- no game in progress; official rules, lexicon english",
            ],
        ),
        (
            Welcome(room=room_view(game_with_horn(), 1), rules=RULES),
            PLAIN,
            [
                "- welcome to kitchen; /help lists the commands, /r the rules",
                "- seats: 1 ann, 2 bob",
                "- game 1 is on: bob to move (turn 2); ann 12, bob 0; bag 82",
            ],
        ),
        (
            Welcome(room=room_view(game_with_horn(), None, seats=SEATS), rules=RULES),
            PLAIN,
            [
                "- welcome to kitchen; /help lists the commands, /r the rules",
                "- seats: 1 ann, 2 bob (away)",
                "- game 1 is on: bob to move (turn 2); ann 12, bob 0; bag 82",
                "- /resume CODE comes back to a seat",
                "- /name YOURNAME says who you are",
            ],
        ),
        (
            Welcome(room=room_view(over(), 1), rules=RULES),
            PLAIN,
            [
                "- welcome to kitchen; /help lists the commands, /r the rules",
                "- seats: 1 ann, 2 bob; 2 free",
                "- no game in progress; official rules, lexicon english",
                "- /ready when you agree to the rules and the word list",
            ],
        ),
        (said("good luck"), PLAIN, [": #13 ann: good luck"]),
        (said("yawns", me=True), PLAIN, [": #13 * ann yawns"]),
        (
            YourState(room=room_view(game_with_horn(), 1)),
            PLAIN,
            ["= rack A A C F M R T   turn 2 (yours)   ann 12, bob 0   bag 82   /challenge is open"],
        ),
        (
            YourState(room=room_view(GameDriver(racks=("HOR?", "A")), 0)),
            READER,
            ["= rack blank H O R; turn 1 (yours); ann 0, bob 0; bag 95"],
        ),
        (
            YourState(room=room_view(game_with_horn())),
            PLAIN,
            ["= turn 2 (bob)   ann 12, bob 0   bag 82"],
        ),
        (
            YourState(room=room_view(went_out(), 0)),
            PLAIN,
            ["= rack empty   waiting for bob: /accept or /challenge   ann 12, bob 0   bag 0"],
        ),
        (
            YourState(room=room_view(over(), 1)),
            PLAIN,
            ["= rack A F   game 1 is over   ann 17, bob -5   bag 0   ann wins"],
        ),
        (YourState(room=room_view(seats=SEATS)), PLAIN, ["= no game yet   seats: 1 ann, 2 bob"]),
        (
            YourTurn(room=room_view(game_with_horn(), 1)),
            PLAIN,
            ["? your turn, rack A A C F M R T: /play, /exchange, /pass or /challenge HORN"],
        ),
        (
            YourTurn(room=room_view(GameDriver(racks=("HOR", "A"), bag=""), 0)),
            PLAIN,
            ["? your turn, rack H O R: /play or /pass"],
        ),
        (
            YourTurn(room=room_view(went_out(), 1)),
            PLAIN,
            ["? your last word on 8F HORn: /accept or /challenge"],
        ),
        (
            YourTurn(room=room_view(went_out(), 1)),
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
            YourRegistration(name="ann", code="k7qm-4ftz-9w2h"),
            PLAIN,
            [
                "- ann is yours on this server: /name ann k7qm-4ftz-9w2h takes it in any room",
                "- keep this code: it is shown only once, and only the host can make a new one",
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
            TopPlayers(
                preset="race",
                players=(RankedPlayer("ann", 1012, 1, 1), RankedPlayer("bob", 990, 2, 0)),
            ),
            READER,
            [
                "- race rules, the strongest first:",
                "- 1. ann: rating 1012, 1 game, 1 won",
                "- 2. bob: rating 990, 2 games, 0 won",
            ],
        ),
        (
            YourTurns(
                name="ann",
                games=(
                    WaitingGame(room="den", on_turn="ann", is_yours=True, left=200_000),
                    WaitingGame(room="loft", on_turn="ann", is_yours=True, left=119),
                    WaitingGame(room="attic", on_turn="bob", is_yours=False, is_adjourned=True),
                ),
            ),
            READER,
            [
                "- den: your turn, 2 days left",
                "- loft: your turn, less than two minutes left",
                "- attic: adjourned, bob to move",
                "- /join ROOM goes to one; you take your seat there",
            ],
        ),
        (
            TopPlayers(preset="race", players=()),
            PLAIN,
            ["- nobody has a rating for race yet; /help top says which games are rated"],
        ),
        (
            GameList(room="kitchen", games=(GAME, ABORTED), address="http://h"),
            READER,
            [
                "- game 3, 2023-11-14, race rules, rated: " + TIED + "http://h/g/abc",
                "- game 2, 2023-11-14, race rules: " + VOID + "http://h/g/abd",
                "- all of them: http://h/r/kitchen",
            ],
        ),
        (
            GameList(room="kitchen", games=(), address="http://h"),
            PLAIN,
            ["- no game has ended here yet"],
        ),
        (
            CaughtUp(room_name="den", seq=10, rules=PRESETS["official"]),
            PLAIN,
            ["- you are in den again, up to date (event 10)"],
        ),
        (Note(lines=("one", "", "two\nthree")), PLAIN, ["- one", "-", "- two", "- three"]),
        (Invitation(page="http://h/t/attic", lines=("open it",)), PLAIN, ["- open it"]),
        (link, PLAIN, ["- open it", "- █████", "- ██▄██", "- ▀▀▀▀▀"]),
        (link, READER, ["- open it"]),
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
            Recalled(entries=(replayed_entry(SAID, PLAIN), replayed_entry(SAID, READER))),
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
def test_each_notice(notice: AnyNotice, style: ReaderSettings, frames: list[str]) -> None:
    assert render(notice, style) == frames


def test_every_kind_of_notice_is_shown_above_or_elsewhere() -> None:
    shown = {type(notice) for notice, _, _ in examples()}
    assert shown == set(get_args(AnyNotice))


@pytest.mark.parametrize("name", SCENARIOS)
def test_an_entry_is_one_line(name: str) -> None:
    scene = SCENARIOS[name]
    table, events = run_scenario(scene)
    event = redact(Moved(1, scene.by, tuple(events)), scene.to)
    notice = Happened(seq=4, at=0, event=event, room=room_view(table, scene.to))
    assert render(notice, JSON) == [f"* #4 {scene.line}"]
    assert [ESCAPE.sub("", frame) for frame in render(notice, COLOUR)] == render(notice, PLAIN)


def test_colours() -> None:
    assert render(said("ann, ann"), COLOUR) == ["\x1b[32m:\x1b[0m #13 \x1b[1mann\x1b[0m: ann, ann"]
    turn = YourTurn(room=room_view(GameDriver(racks=("HOR", "A"), bag=""), 0))
    assert render(turn, COLOUR) == [
        "\x1b[1;33m?\x1b[0m\x1b[1m your turn, rack H O R: /play or /pass\x1b[0m"
    ]
    board = Picture(about="board", lines=(" 1 = A . -",))
    assert render(board, COLOUR) == ["|  1 \x1b[31m=\x1b[0m A . \x1b[35m-\x1b[0m"]
