"""Stepping through a finished game, and saving it; nothing is drawn."""

from pathlib import Path

import pytest

from crossroom_clients.tui.browse import rack_at
from crossroom_clients.tui.replay import Replay
from crossroom_clients.tui.save_record import save_record
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.events import (
    Awarded,
    Challenged,
    Drew,
    Ended,
    Event,
    Passed,
    Started,
    Withdrawn,
)
from crossroom_protocol.events.results import FinishedGame, PlayerResult
from tests.support.game_driver import GameDriver

PLAYERS = (PlayerResult("ann", 0), PlayerResult("bob", 5, won=True))
GAME = FinishedGame("page", "kitchen", 3, 1, 9, 0, 0, "official", "tiny", "scoreless", PLAYERS)


def replay() -> Replay:
    driver = GameDriver("official", ["CATXIII", "DOGSOOO"], "E" * 20)
    began = Started(driver.rules, ("ann", "bob"), "tiny", "", driver.now)
    play = driver.play(0, "8H", "CAT")
    record: list[Event] = [
        began,
        Drew(0, ("C", "A", "T", "X", "I", "I", "I")),
        Drew(1, ("D", "O", "G", "S", "O", "O", "O")),
        *play,
        Challenged(1, 0, ("CAT",), ("CAT",)),
        Withdrawn(0, next(event.points for event in play if event.kind == "played"), ("E",) * 3),
        Passed(1),
        Awarded(1, 5, "left_over"),
        Ended("scoreless", (1,), 0),
    ]
    return Replay.from_record(GAME, record)


def test_every_move_has_its_line_and_scores() -> None:
    moments = replay().moments
    assert [moment.line for moment in moments] == [
        "the beginning",
        "ann 8H CAT +10 → 10",
        "bob challenge CAT, upheld; ann taken back -10 → 0",
        "bob pass",
        "bob left over +5 → 5; bob wins",
    ]
    assert [moment.scores for moment in moments] == [(0, 0), (10, 0), (0, 0), (0, 0), (0, 5)]
    assert [moment.seat for moment in moments] == [None, 0, 1, 1, None]


def test_the_board_and_the_racks_are_those_of_then() -> None:
    moments = replay().moments
    assert "CAT" in moments[1].board.rows[7]
    assert moments[0].board == moments[2].board
    assert "".join(sorted(moments[2].racks[0])) == "ACIIITX"
    used = [tile for tile, is_used in rack_at(moments, 1, 0) if is_used]
    assert used == ["A", "C", "T"]


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(BadText):
        Replay.from_record(GAME, [Passed(0)])


def test_a_saved_game_replaces_no_file(tmp_path: Path) -> None:
    first = save_record(tmp_path, "kitchen-3.gcg", "one\n")
    assert save_record(tmp_path, "kitchen-3.gcg", "one\n") == first, "it is there already"
    second = save_record(tmp_path, "kitchen-3.gcg", "two\n")
    assert second.name == "kitchen-3-2.gcg"
    assert first.read_bytes() == b"one\n"
