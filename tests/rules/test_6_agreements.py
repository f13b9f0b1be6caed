"""RULES 6.8 to 6.13: more about time, and what players agree on."""

from dataclasses import replace

import pytest

from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.core.events import Adjourned, Ended, Retired, Undone
from crossroom_engine.core.tiles import HIDDEN
from crossroom_engine.game.game import Game, apply
from crossroom_engine.game.timing import due_at
from crossroom_engine.game.undo import without_undone
from crossroom_engine.game.views import redact, view
from tests.support.game_driver import GameDriver, kinds

BAG = "E" * 20


# 6.8


def test_6_8_each_turn_adds_to_its_players_time() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], BAG, clock=60, overtime=0, increment=10)
    assert due_at(table.game) == table.now + 60_001
    for waits in (50, 0, 15):
        table.now += waits * 1000
        table.pass_(table.game.on_turn)
    assert [table.game.allowed(seat) for seat in (0, 1)] == [80_000, 70_000]
    table.pass_(1)
    assert due_at(table.game) == table.now + 80_000 - 65_000 + 1
    assert table.wait(15) == []
    assert kinds(table.wait(0.001)) == ["retired", "ended"]


def test_6_8_overtime_is_counted_from_the_time_so_extended() -> None:
    table = GameDriver("tournament", ["?", "?"], BAG, clock=60, increment=10, scoreless_limit=2)
    table.now += 70_000
    table.pass_(0)
    table.pass_(1)
    assert table.scores == [0, 0]


def test_6_8_a_lost_turn_adds_nothing() -> None:
    table = GameDriver("official", ["HORNITS", "FARMCAT"], clock=60, increment=10)
    table.play(0, "8F", "HORN")
    table.challenge(1)
    assert [player.turns for player in table.game.players] == [1, 0]


# 6.9


@pytest.mark.parametrize("clock", [None, 10_000])
def test_6_9_a_turn_may_be_limited_with_or_without_a_clock(clock: int | None) -> None:
    table = GameDriver("official", ["CAT", "DOG"], BAG, clock=clock, turn_limit=86_400)
    table.wait(9_000)
    table.pass_(0)
    if clock is None:
        assert due_at(table.game) == table.now + 86_400_001
        assert table.wait(86_400) == []
        assert kinds(table.wait(0.001)) == ["retired", "ended"]
        assert table.game.ended == Ended("time", (0,), table.now)
    else:
        assert due_at(table.game) == table.now + 10_600_001


def test_6_9_every_turn_has_the_whole_time() -> None:
    table = GameDriver("official", ["CAT", "DOG"], BAG, turn_limit=60)
    for seat in (0, 1, 0):
        assert table.wait(60) == []
        table.pass_(seat)
    assert view(table.game, 1).due == table.now + 60_001


def test_6_9_the_last_word_is_no_turn() -> None:
    table = GameDriver("official", ["CAT", "DOG"], "", turn_limit=5, acceptance=20)
    table.play(0, "8H", "CAT")
    assert due_at(table.game) == table.now + 20_000


# 6.10


def test_6_10_after_an_agreed_adjournment_nobody_moves() -> None:
    table = GameDriver("tournament", ["CAT", "DOG", "HORN"], BAG, players=3)
    table.now += 5_000
    assert table.adjourn("agreed") == [Adjourned(table.now, "agreed")]
    for seat in (0, 1):
        for attempt in (GameDriver.pass_, GameDriver.resign):
            with table.refuses("ADJOURNED"):
                attempt(table, seat)
    assert (table.adjourn("agreed"), table.adjourn()) == ([], [])
    assert view(table.game, 0).options == ()
    table.wait(10**6)
    assert kinds(table.continue_()) == ["continued"]
    table.now += 3_000
    table.pass_(0)
    assert table.game.players[0].used == 8_000


def test_6_10_of_two_players_one_may_resign_meanwhile() -> None:
    table = GameDriver("official", ["CAT", "DOG"], BAG)
    table.pass_(0)
    table.adjourn("absent")
    assert view(table.game, 1).options == ("resign",)
    table.resign(1)
    assert table.game.ended == Ended("resigned", (0,), table.now)
    assert not table.game.adjourned


def test_6_10_who_is_put_out_meanwhile_starts_nobodys_clock() -> None:
    """The turn passes on; it begins when all are back."""
    table = GameDriver("tournament", ["CAT", "DOG", "HORN"], BAG, players=3, clock=60)
    table.adjourn("agreed")
    table.forfeit(0)
    assert (table.game.on_turn, table.game.since, due_at(table.game)) == (1, None, None)
    table.wait(10**6)
    assert kinds(table.continue_()) == ["continued"]
    table.now += 3_000
    table.pass_(1)
    assert table.game.players[1].used == 3_000


def test_6_10_a_clock_stopped_by_the_server_may_become_an_agreement() -> None:
    table = GameDriver("official", ["CAT", "DOG"], BAG)
    table.adjourn()
    assert not table.game.adjourned
    table.adjourn("agreed")
    assert table.game.adjourned


# 6.11


def test_6_11_a_game_ends_by_agreement_without_a_result() -> None:
    table = GameDriver("tournament", ["CAT", "DOG"], BAG, clock=60)
    table.play(0, "8H", "CAT")
    table.now += 100_000
    assert table.abort() == [Ended("aborted", (), table.now)]
    assert table.scores == [10, 0]
    assert table.abort() == []


# 6.12


def timeless(game: Game) -> Game:
    players = tuple(replace(player, used=0) for player in game.players)
    return replace(game, players=players, since=0, version=0, draws=0, before=None)


def test_6_12_a_play_taken_back_is_as_if_it_had_never_been() -> None:
    table = GameDriver("official", ["HORNITS", "FARMCAT"], clock=600, increment=5)
    before = table.game
    table.now += 20_000
    drawn = table.play(0, "8F", "HORN")[1].tiles  # type: ignore[union-attr]
    table.now += 7_000
    lifted = tuple(Spot.parse(text).square for text in ("8F", "8G", "8H", "8I"))
    assert table.undo(0) == [Undone(0, drawn, (), table.now, lifted)]
    assert timeless(table.game) == timeless(before)
    assert [player.used for player in table.game.players] == [20_000, 7_000]
    assert table.game.since == table.now
    with table.refuses("NOTHING_TO_UNDO"):
        table.undo(0)


def test_6_12_so_is_an_exchange_and_a_pass() -> None:
    table = GameDriver("official", ["HORNITS", "FARMCAT"], "ABCDE" * 3)
    before = table.game
    table.exchange(0, "HOR")
    assert table.game.bag != before.bag
    event = table.undo(0)[0]
    assert isinstance(event, Undone)
    assert (len(event.returned), len(event.regained)) == (3, 3)
    hidden = (HIDDEN,) * 3
    assert redact(event, 1) == replace(event, returned=hidden, regained=hidden)
    table.pass_(0)
    table.undo(0)
    assert timeless(table.game) == timeless(before)


def test_6_12_only_its_own_player_and_only_until_the_next_has_moved() -> None:
    table = GameDriver("official", ["HORNITS", "FARMCAT", "PASTEIO"])
    with table.refuses("NOTHING_TO_UNDO", "there is none"):
        table.undo(0)
    table.play(0, "8F", "HORN")
    with table.refuses("NOTHING_TO_UNDO", "that of ann, not yours"):
        table.undo(1)
    table.pass_(1)
    with table.refuses("NOTHING_TO_UNDO", "that of bob"):
        table.undo(0)
    assert table.game.undoable == 1


def test_6_12_the_play_before_it_is_open_to_a_challenge_again() -> None:
    table = GameDriver("official", ["HORNITS", "FARMCAT"])
    table.play(0, "8F", "HORN")
    table.pass_(1)
    table.undo(1)
    assert table.game.may_challenge(1)
    assert table.game.undoable is None


def test_6_12_a_challenged_play_and_a_turn_before_somebody_left_stand() -> None:
    table = GameDriver("official", ["HORNITS", "FARMCAT", "PASTEIO"], challenge="free")
    table.play(0, "8F", "HORN")
    table.challenge(1)
    with table.refuses("NOTHING_TO_UNDO", "settled"):
        table.undo(0)
    table.pass_(1)
    table.resign(0)
    with table.refuses("NOTHING_TO_UNDO"):
        table.undo(1)


def test_6_12_lost_turns_come_back_too() -> None:
    table = GameDriver("official", ["HORNITS", "FARMCAT", "PASTEIO"])
    table.play(0, "8F", "HORN")
    table.challenge(2)
    before = table.game
    assert "turn_skipped" in kinds(table.pass_(1))
    table.undo(1)
    assert timeless(table.game) == timeless(before)
    assert table.game.players[2].forfeits == 1


def test_6_12_the_end_that_a_play_would_bring_is_undone() -> None:
    table = GameDriver("official", ["CAT", "DOG", "IT"], "")
    table.play(0, "8H", "CAT")
    table.accept(1)
    table.undo(0)
    assert (table.game.phase, table.game.awaited, table.game.on_turn) == ("playing", (), 0)
    assert table.racks[0] == "ACT"


def test_6_12_a_game_that_is_over_stays_over() -> None:
    table = GameDriver("official", ["CAT", "DOG"], "", challenge="void")
    table.play(0, "8H", "CAT")
    assert table.game.phase == "over"
    assert table.undo(0) == []


def test_6_12_others_learn_how_many_tiles_and_not_which() -> None:
    table = GameDriver("official", ["HORNITS", "FARMCAT"])
    table.play(0, "8F", "HORN")
    event = table.undo(0)[0]
    assert redact(event, 0) == event
    for reader in (1, None):
        hidden = redact(event, reader)
        assert isinstance(hidden, Undone)
        assert hidden.returned == (HIDDEN,) * 4


def test_6_12_sheets_and_records_do_not_tell_of_it() -> None:
    table = GameDriver("official", ["HORNITS", "FARMCAT"])
    table.play(0, "8F", "HORN")
    table.undo(0)
    table.pass_(0)
    assert kinds(without_undone(table.log)) == ["turn_began", "passed", "turn_began"]
    assert kinds(table.log).count("undone") == 1


def test_6_12_what_does_not_fit_is_a_damaged_log() -> None:
    table = GameDriver("official", ["HORNITS", "FARMCAT"])
    with pytest.raises(CorruptLog):
        apply(table.game, Undone(0, (), (), table.now))


# 6.13


def test_6_13_who_is_away_for_too_long_may_lose_as_by_resigning() -> None:
    table = GameDriver("official", ["CAT", "DOG", "HORN"], BAG)
    table.pass_(0)
    assert table.forfeit(1)[0] == Retired(1, "absent", ("D", "G", "O"))
    assert (table.game.active, table.game.on_turn) == ((0, 2), 2)
    assert table.forfeit(1) == []
    table.forfeit(2)
    assert table.game.ended == Ended("absent", (0,), table.now)
