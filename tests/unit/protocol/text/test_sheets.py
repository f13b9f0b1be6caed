"""Answers to questions: board, score sheet, moves, bag, clock, seats, settings, record."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from pydantic import TypeAdapter

from crossroom_engine.core.board import Layout
from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.rules import PRESETS, settings
from crossroom_engine.core.tiles import TileSet
from crossroom_engine.game.game import replay
from crossroom_engine.game.referee import DecisionContext, start_game
from crossroom_engine.game.views import redact, view
from crossroom_protocol.events.room import GameEvent
from crossroom_protocol.notices import RoomView, SeatView
from crossroom_protocol.text import sheets
from crossroom_protocol.text.board_text import blanks_on, draw_board, words_on
from crossroom_protocol.text.scoresheet import history, score_rows, score_sheet, text_record
from tests.support.event_scenarios import SCENARIOS, run_scenario
from tests.support.game_driver import GameDriver
from tests.support.room_views import room_view

if TYPE_CHECKING:
    from crossroom_engine.core.events import Event


def horn() -> GameDriver:
    """A play, a phony taken back, an exchange, a play with a blank."""
    table = GameDriver(racks=("HORNIT?", "FARMCAT"), challenge="five")
    table.play(0, "8F", "HORN")
    table.play(1, "H5", "FAT.")
    table.challenge(0)
    table.exchange(0, "I")
    table.play(1, "H6", "CA.")
    return table


def test_a_drawn_board() -> None:
    layout = Layout("tiny", ("=.-.", "'*\"^", "...~"))
    assert draw_board(("A..b", ".[CH]..", "[ll]..Z"), layout) == (
        "   A  B  C  D",
        " 1 A  .  -  b",
        " 2 '  CH \"  ^",
        " 3 ll .  .  Z",
        "   A  B  C  D",
    )


def test_words_and_blanks_on_a_board() -> None:
    board = ("CAT.", "..o.", "[CH]O[LL].", "X...")
    assert list(words_on(board)) == [
        (Spot(0, 0, True), "CAT"),
        (Spot(2, 0, True), "CHOLL"),
        (Spot(2, 0, False), "CHX"),
        (Spot(0, 2, False), "ToLL"),
    ]
    assert list(blanks_on(board)) == [(Square(1, 2), "O")]


def test_the_board_has_scores_and_premiums_beside_it() -> None:
    table = GameDriver(racks=("HOR?", "FARM"))
    table.play(0, "8F", "HORn")
    picture = sheets.board_picture(table.rules, view(table.game, None))
    assert picture.lines[0] == "   A B C D E F G H I J K L M N O"
    assert picture.lines[1] == " 1 = . . ' . . . = . . . ' . . =   ann   12"
    assert picture.lines[2] == ' 2 . - . . . " . . . " . . . - .   bob    0'
    assert picture.lines[8].startswith(" 8 = . . ' . H O R n . . ' . . =")
    assert picture.lines[5].endswith("   bob to move (turn 2)")
    assert any(line.endswith("   = triple word (8)") for line in picture.lines)
    assert picture.spoken[:4] == (
        "8F across HORN",
        "blanks: N on 8I",
        "ann 12, bob 0; bag 85; bob to move (turn 2)",
        "triple word free: 1A 1H 1O 8A 8O 15A 15H 15O",
    )


def test_a_premium_that_is_covered_is_not_free() -> None:
    table = GameDriver(racks=("HOR?", "FARM"))
    free = [sheets.board_picture(table.rules, view(table.game, None)).spoken]
    table.play(0, "8F", "HORn")
    free.append(sheets.board_picture(table.rules, view(table.game, None)).spoken)
    told = [next(line for line in lines if line.startswith("double word")) for lines in free]
    assert ["8H" in line.split() for line in told] == [True, False]
    assert told[0].replace(" 8H", "") == told[1]


def test_an_empty_board_in_words() -> None:
    table = GameDriver(racks=("HOR?", "FARM"))
    spoken = sheets.board_picture(table.rules, view(table.game, None)).spoken
    assert spoken[0] == "the board is empty; the first play covers 8H"


def test_a_small_board_leaves_room_for_what_is_beside_it() -> None:
    rules = replace(PRESETS["official"], layout=Layout("two", (".*", "'^")))
    table = GameDriver(racks=("HOR", "FARM", "A", "B"))
    game = replace(view(table.game, None), board=("..", ".."))
    lines = sheets.board_picture(rules, game).lines
    assert len(lines) > 2 + 2
    assert any("quadruple letter" in line for line in lines)


def test_the_score_sheet() -> None:
    assert score_sheet(("ann", "bob"), horn().log).lines == (
        " turn       ann       bob",
        "    1  +14   14",
        "    2              0    0",
        "    3    0   14",
        "    4             +5    5",
        "total        14         5",
    )


def test_the_moves() -> None:
    told = history(("ann", "bob"), horn().log)
    assert told.lines == (
        "   1 ann  8F HORN                 +14   14",
        "   2 bob  H5 FATR                  +7    7",
        "   3 ann  challenge FATR, upheld    0   14",
        "   2 bob  taken back               -7    0",
        "   3 ann  exchange I                0   14",
        "   4 bob  H6 CAR                   +5    5",
    )
    assert told.spoken[0] == "turn 1, ann: 8F HORN, 14 points, 14 in all"
    last = history(("ann", "bob"), horn().log, 2)
    assert last.spoken == told.spoken[-2:]
    assert [line.split() for line in last.lines] == [line.split() for line in told.lines[-2:]]


def test_the_record_in_words() -> None:
    told = text_record(("ann", "bob"), horn().log)
    moves = history(("ann", "bob"), horn().log)
    assert told.about == "text"
    assert told.lines == (*moves.lines, "scores: ann 14, bob 5")
    assert told.spoken == (*moves.spoken, "scores: ann 14, bob 5")


def test_no_moves_yet() -> None:
    log = GameDriver(racks=("HORN", "FARM")).log
    assert history(("ann", "bob"), log).lines == ("nobody has moved yet",)
    assert score_sheet(("ann", "bob"), log).lines == ("nobody has moved yet",)


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_points_of_all_rows_are_the_scores(name: str) -> None:
    table, _ = run_scenario(SCENARIOS[name])
    told = list(score_rows(len(table.scores), table.log))
    points = [
        sum(row.points for row in told if row.seat == seat) for seat in range(len(table.scores))
    ]
    assert points == table.scores
    last = {row.seat: row.total for row in told}
    assert all(table.scores[seat] == total for seat, total in last.items())


def test_what_others_exchange_is_counted_not_named() -> None:
    log = [redact(event, 1) for event in horn().log]
    told = "\n".join(history(("ann", "bob"), log).lines)
    assert "exchange 1 " in told
    assert "exchange I" not in told


def test_the_bag() -> None:
    tiles = TileSet.from_csv("few", "A,3,1\nB,2,2\n?,1,0\n")
    table = GameDriver(racks=("A", "AB"), tiles=tiles, words="AB", players=2, rack=2)
    assert sheets.bag_note(view(table.game, 0), tiles).lines == (
        "the bag holds 3 tiles",
        "5 tiles unseen: A 2, B 2, blank 1",
    )
    table = GameDriver(racks=("", ""), tiles=tiles, words="AB", players=2, rack=2, bag="")
    assert sheets.bag_note(view(table.game, 0), tiles).lines == ("the bag holds 0 tiles",)


def test_the_clock() -> None:
    table = GameDriver(racks=("HORN", "FARM"), clock=60)
    table.wait(50)
    table.pass_(0)
    told = sheets.clock_note(view(table.game, 0), table.rules, table.now + 61_000)
    assert told.lines == (
        "ann: 0:50 used, 0:10 left",
        "bob: 1:01 used, 0:01 too late, which costs 10 points, running",
    )
    table.adjourn()
    told = sheets.clock_note(view(table.game, 0), table.rules, table.now + 61_000)
    assert told.lines[1:] == ("bob: 0:00 used, 1:00 left", "the clock is stopped")


def test_no_clock() -> None:
    table = GameDriver(racks=("HORN", "FARM"))
    told = sheets.clock_note(view(table.game, 0), table.rules, table.now + 3_661_000)
    assert told.lines == (
        "there is no clock here; this is the time used",
        "ann: 1:01:01 used, running",
        "bob: 0:00 used",
    )


def people(*seats: SeatView, table: GameDriver | None = None) -> RoomView:
    return room_view(table, seats=seats, watchers=("dan",) if seats else ())


ANN = SeatView(name="ann", ready=True, here=True)
BOB = SeatView(name="bob", ready=False, here=False)
BOT = SeatView(name="greedy-bot", ready=True, here=True, bot="greedy")


def test_the_seats() -> None:
    assert sheets.seat_lines(people(ANN, BOB, BOT)) == (
        "seat 1: ann, ready",
        "seat 2: bob, not ready, away",
        "seat 3: greedy-bot, a bot, level greedy",
    )
    playing = people(ANN, BOB, table=GameDriver(racks=("HORN", "FARM")))
    assert sheets.seat_lines(playing) == ("seat 1: ann", "seat 2: bob, away")
    assert sheets.seat_lines(people()) == ("nobody sits here yet; /name YOURNAME takes a seat",)


def test_who_is_here() -> None:
    assert sheets.who_lines(people(ANN, BOB)) == (
        "at the table: ann and bob (away)",
        "watching: dan",
    )
    assert sheets.who_lines(people()) == ("at the table: nobody",)


def test_a_setting_that_differs_from_the_preset_says_so() -> None:
    lines = sheets.settings_lines(replace(PRESETS["official"], bingo=35))
    changed = [line for line in lines if "changed" in line]
    assert changed == [
        (
            "bingo = 35 (0 to 999): points for playing a full rack in one turn; "
            "changed: official has 50"
        )
    ]


def test_the_settings() -> None:
    lines = sheets.settings_lines(PRESETS["tournament"])
    assert [line.split()[0] for line in lines[-7:-1]] == [
        "slow",
        "reader",
        "ansi",
        "width",
        "board",
        "language",
    ]
    names = "official or classic or race or tournament or super"
    assert lines[0].startswith(f"preset = tournament ({names})")
    assert lines[1].startswith("time = 25m (none or 10m or 15m or 25m or 1d or 3d or 7d): ")
    times = "1 to 864000, as in 90s, 25m, 3d, or off"
    assert f"clock = 1500 ({times}): seconds for all turns of one player" in lines
    assert [line.split()[0] for line in lines[2:-7]] == [spec.name for spec in settings()]


def test_a_record_in_json_tells_the_whole_game() -> None:
    table = horn()
    context = DecisionContext(table.lexicon, table.dice, 0)
    log: list[Event] = [*start_game(PRESETS["official"], ("ann", "bob"), context)]
    text = sheets.export_json(log)
    written = json.loads(text)
    assert written["crossroom"] == 1
    assert len(text.splitlines()) == len(log) + 2
    read = TypeAdapter(tuple[GameEvent, ...]).validate_python(written["events"])
    assert replay(read) == replay(log)
