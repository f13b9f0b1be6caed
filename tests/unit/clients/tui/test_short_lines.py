"""Recalled moves in short lines say what they said when they happened."""

from crossroom_clients.tui.short_lines import recalled_lines, short_line
from crossroom_engine.core.events import Adjourned, Drew, Started, TurnBegan
from crossroom_protocol.events.room import Moved, RoomEvent, Said
from crossroom_protocol.notices import Note, ReplayedEntry
from tests.support.game_driver import GameDriver


def entries(*events: RoomEvent) -> list[ReplayedEntry]:
    return [
        ReplayedEntry(seq=seq, at=0, event=event, plain=(f"* #{seq} long",))
        for seq, event in enumerate(events, 1)
    ]


def began(of: GameDriver) -> Moved:
    started = Started(of.rules, ("ann", "bob"), "tiny", "", of.now)
    draws = (Drew(0, tuple("CATXIII")), Drew(1, ("_",) * 7))
    return Moved(1, None, (started, *draws, TurnBegan(0, 1, 0)))


def test_a_recalled_move_has_its_score_the_bag_and_whose_turn_it_is() -> None:
    driver = GameDriver("official", ["CATXIII", "DOGSOOO"], "E" * 20)
    play = next(event for event in driver.play(0, "8H", "CAT") if event.kind == "played")
    move = Moved(1, 0, (play, Drew(0, ("_",) * 3), TurnBegan(1, 2, 0)))
    lines = recalled_lines(entries(began(driver), Said("ann", "hi"), move))
    assert list(lines) == [1, 3]
    assert lines[1].endswith("ann to move (turn 1), bag 86")
    assert lines[3] == "#3 ann 8H CAT +10 → 10; bag 83; bob to move"


def test_what_does_not_follow_from_the_moves_keeps_its_line() -> None:
    driver = GameDriver("official", ["CATXIII", "DOGSOOO"], "E" * 20)
    stopped = Moved(1, None, (Adjourned(0), TurnBegan(0, 1, 0)))
    assert list(recalled_lines(entries(began(driver), stopped))) == [1]
    assert recalled_lines(entries(stopped)) == {}, "the beginning was not heard"
    assert short_line(Note(lines=("hello",))) is None
