"""Logs that form no game, and what a reader is shown of one that does."""

from dataclasses import replace
from itertools import pairwise

import pytest

from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.core.events import (
    Drew,
    Ended,
    Event,
    Exchanged,
    Passed,
    RackReturned,
    Retired,
    Started,
    TurnBegan,
    TurnSkipped,
    Withdrawn,
)
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.game.game import replay
from crossroom_engine.game.views import View, redact, view
from tests.support.game_driver import GameDriver

BAG = "E" * 20
STARTED = Started(PRESETS["official"], ("ann", "bob"), "tiny", "0" * 64, 1_000)


@pytest.mark.parametrize(
    ("events", "why"),
    [
        ([], "an empty log"),
        ([Passed(0)], "passed before started"),
        ([STARTED, STARTED], "started twice"),
        ([STARTED, Drew(0, ("A",) * 10)], "drew: you do not have A"),
        ([STARTED, Drew(7, ("A",))], "drew: .*out of range"),
        ([STARTED, TurnSkipped(-1)], "there is no seat -1"),
        ([STARTED, TurnBegan(99, 1, 2_000)], "there is no seat 99"),
        ([STARTED, Exchanged(0, ("A",), ("B",))], "exchanged: you do not have A"),
        ([STARTED, Withdrawn(0, 5, ())], "no play"),
        ([STARTED, Retired(0, "time", ("Q",))], "retired: you do not have Q"),
        ([STARTED, Ended("cancelled", (), 2_000), TurnBegan(0, 1, 2_000)], "after the end"),
    ],
)
def test_events_that_do_not_fit(events: list[Event], why: str) -> None:
    with pytest.raises(CorruptLog, match=why):
        replay(events)


def seen_by(reader: int | None) -> View:
    table = GameDriver("official", ["CAT?III", "DOGOOOO", "HORNAAA"], "EEEE", board={"1A": "aT"})
    table.pass_(0)
    table.now += 5_000
    table.exchange(1, "D")
    return view(table.game, reader)


def test_a_view_has_the_own_rack_only() -> None:
    assert [player.rack for player in seen_by(1).players] == [None, tuple("EGOOOOO"), None]
    assert [player.rack for player in seen_by(None).players] == [None, None, None]
    assert [player.tiles for player in seen_by(None).players] == [7, 7, 7]
    assert (seen_by(1).rack, seen_by(None).rack) == (tuple("EGOOOOO"), ())


def test_a_view_counts_what_is_unseen_without_saying_where() -> None:
    assert "".join(seen_by(1).unseen) == "?AAAACDEEEHIIINORT"
    assert len(seen_by(None).unseen) == 7 * 3 + 4


def test_a_view_draws_the_board() -> None:
    assert seen_by(0).board == ("aT" + "." * 13, *["." * 15] * 14)


def test_a_view_tells_whose_turn_it_is_and_what_may_be_done() -> None:
    shown = seen_by(2)
    assert (shown.on_turn, shown.turn, shown.phase, shown.scoreless) == (2, 3, "playing", 2)
    assert shown.options == ("place", "pass", "exchange", "resign")
    assert seen_by(0).options == ("resign",)
    assert seen_by(None).options == ()
    assert [player.used for player in shown.players] == [0, 5_000, 0]


def test_a_view_of_an_open_play() -> None:
    table = GameDriver("official", ["CAT", "DOG", "HORN"], "")
    table.play(0, "8H", "CAT")
    shown = view(table.game, 1)
    assert (shown.phase, shown.awaited, shown.open_play) == ("last_word", (1, 2), table.last_play)
    assert shown.options == ("challenge", "accept", "resign")
    assert view(table.game, 0).options == ("resign",)
    table.resign(2)
    assert view(table.game, 2).options == ()


def test_a_view_of_a_blank_that_may_be_taken_back() -> None:
    table = GameDriver("race", ["CT?IIII", "ADIIIII"], BAG)
    table.play(0, "8H", "CaT")
    assert [str(square) for square in view(table.game, 1).reclaimable] == ["8I"]
    assert view(table.game, None).reclaimable == ()


def test_a_view_of_the_end_shows_the_racks() -> None:
    table = GameDriver("official", ["CATIIII", "DOGIIII"], BAG)
    table.pass_(0)
    table.resign(1)
    shown = view(table.game, None)
    assert (shown.ended, shown.winners, shown.options) == ("resigned", (0,), ())
    assert [player.rack for player in shown.players] == [tuple("ACIIIIT"), tuple("DGIIIIO")]
    assert shown.unseen == tuple(BAG)


@pytest.mark.parametrize(
    ("event", "hidden"),
    [
        (Drew(0, ("A", "B")), Drew(0, ("_", "_"))),
        (Exchanged(0, ("A",), ("B",)), Exchanged(0, ("_",), ("_",))),
        (Withdrawn(0, 5, ("A",)), Withdrawn(0, 5, ("_",))),
        (Retired(0, "time", ("A",)), Retired(0, "time", ("_",))),
        (RackReturned(0, ("A",)), RackReturned(0, ("_",))),
    ],
)
def test_secrets_are_told_to_their_owner_only(event: Event, hidden: Event) -> None:
    assert redact(event, 0) == event
    assert (redact(event, 1), redact(event, None)) == (hidden, hidden)


def test_a_game_is_a_value() -> None:
    """Equal logs give equal games, and no event changes the game before it."""
    one, other = (replace(STARTED), replace(STARTED))
    log: list[Event] = [one, Drew(0, ("A", "B")), TurnBegan(0, 1, 1_000), Passed(0)]
    games = [replay(log[:length]) for length in range(1, 5)]
    again = [replay([other, *log[1:length]]) for length in range(1, 5)]
    assert games == again
    assert [hash(game) for game in games] == [hash(game) for game in again]
    assert all(before != after for before, after in pairwise(games))
