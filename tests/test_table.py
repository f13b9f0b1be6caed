"""A table as pure functions: what people may do there, and what follows."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import WORDS, word_list

from crossroom_engine import data
from crossroom_engine.events import Challenged, Ended, Event, Played, Started
from crossroom_engine.game import replay
from crossroom_engine.lexicon import Lexicon
from crossroom_engine.moves import CallTime
from crossroom_engine.rules import PRESETS
from crossroom_protocol.lines import read_line
from crossroom_protocol.refusals import Refusal
from crossroom_protocol.room_events import (
    Agreed,
    Entry,
    Moved,
    Renamed,
    RoomEvent,
    RulesChanged,
    Said,
    SeatLeft,
    SeatTaken,
)
from crossroom_server import table
from crossroom_server.table import Chair, Person, Sources, Table

ENGLISH = PRESETS["official"].tiles
TINY = word_list(WORDS, ENGLISH)
OLD = word_list("AT IT", ENGLISH)
GERMAN = word_list("AB DA", data.tileset("german"))
NOW = 1_700_000_000_000


class Lists:
    """Word lists by name, and by digest whatever their name is now."""

    def __init__(self, **lists: Lexicon) -> None:
        self.by_name = lists
        self.kept = {lexicon.digest: lexicon for lexicon in lists.values()}

    def get(self, name: str, digest: str | None = None) -> Lexicon:
        found = self.kept.get(digest) if digest else self.by_name.get(name)
        if found is None:
            raise Refusal("NO_LEXICON", f"there is no {name}")
        return found


class Desk:
    """A table, people who type, and everything that has happened."""

    def __init__(self, *seated: str, **rules: object) -> None:
        self.lists = Lists(tiny=TINY, old=OLD, german=GERMAN)
        self.now = NOW
        self.sources = Sources(self.lists, Random(3), lambda: self.now)
        self.table = Table(rules=replace(PRESETS["official"], lexicon="tiny", **rules))  # type: ignore[arg-type]
        self.log: list[Entry] = []
        for name in seated:
            self.type(name, "/sit")

    def happen(self, *happenings: RoomEvent) -> tuple[RoomEvent, ...]:
        for what in happenings:
            entry = Entry(self.table.seq + 1, self.now, what)
            self.log.append(entry)
            self.table = table.apply(self.table, entry)
        return happenings

    def type(self, name: str, line: str) -> tuple[RoomEvent, ...]:
        request = read_line(line, in_room=True)
        assert request is not None
        person = Person(f"id-{name}", name)
        return self.happen(*table.decide(self.table, person, request.command, self.sources))

    def add_bot(self, name: str = "bot") -> tuple[RoomEvent, ...]:
        bot = Person(f"id-{name}", name)
        return self.happen(*table.seat_bot(self.table, bot, "greedy", self.sources))

    @contextmanager
    def refuses(self, code: str, prose: str | None = None) -> Iterator[None]:
        """What is tried inside is refused, and nothing has changed."""
        before = self.table
        with pytest.raises(Refusal, match=prose) as caught:
            yield
        assert caught.value.code == code
        assert self.table is before

    @property
    def names(self) -> list[str]:
        return [chair.name for chair in self.table.chairs]

    @property
    def ready(self) -> list[bool]:
        return [chair.ready for chair in self.table.chairs]


def playing(**rules: object) -> Desk:
    """Ann and Bob in a game; Ann is to move."""
    desk = Desk("ann", "bob", first_player="seat", **rules)
    desk.type("ann", "/ready")
    desk.type("bob", "/ready")
    return desk


def finished() -> Desk:
    desk = playing()
    desk.type("ann", "/pass")
    desk.type("bob", "/resign")
    return desk


# Seats.


def test_seats_are_taken_in_order_until_all_are() -> None:
    desk = Desk("ann", "bob", players=3)
    assert desk.type("cat", "/sit") == (SeatTaken(2, "id-cat", "cat"),)
    with desk.refuses("ROOM_FULL", "all 3 seats"):
        desk.type("dan", "/sit")
    with desk.refuses("ROOM_FULL"):
        desk.add_bot()


def test_nobody_sits_twice() -> None:
    desk = Desk("ann")
    with desk.refuses("BAD_ARGS", "you have a seat"):
        desk.type("ann", "/sit")


def test_who_leaves_a_seat_lets_the_others_move_up() -> None:
    desk = Desk("ann", "bob", "cat")
    assert desk.type("ann", "/watch") == (SeatLeft(0, "ann"),)
    assert desk.names == ["bob", "cat"]
    assert desk.table.chair_of("id-cat") == 1
    assert desk.table.chair_of("id-ann") is None
    assert desk.type("ann", "/sit") == (SeatTaken(2, "id-ann", "ann"),)


def test_the_seats_of_those_who_are_gone_are_freed_at_once() -> None:
    desk = Desk("ann", "bob", "cat")
    desk.add_bot()
    left = desk.happen(*table.vacate(desk.table, {"id-bob"}))
    assert left == (SeatLeft(2, "cat"), SeatLeft(0, "ann"))
    assert desk.names == ["bob", "bot"]
    assert table.vacate(desk.table, {"id-bob"}) == ()


def test_in_a_game_no_seat_is_freed() -> None:
    assert table.vacate(playing().table, set()) == ()


def test_a_new_name_stays_on_the_chair() -> None:
    desk = Desk("ann", "bob")
    desk.type("bob", "/ready")
    assert desk.happen(*table.rename(desk.table, 1, "bea")) == (Renamed(1, "bob", "bea"),)
    assert desk.table.chairs[1] == Chair("id-bob", "bea", agreed=True)


@pytest.mark.parametrize(
    "line", ["/watch", "/ready", "/play 8H AT", "/pass", "/exchange A", "/challenge", "/resign"]
)
def test_who_watches_is_told_how_to_get_a_seat(line: str) -> None:
    for desk in (Desk("ann"), playing(), finished()):
        with desk.refuses("NEED_SEAT", "/sit"):
            desk.type("eve", line)


def test_everybody_may_talk() -> None:
    desk = playing()
    assert desk.type("eve", "good luck") == (Said("eve", "good luck"),)
    assert desk.type("bob", "/me yawns") == (Said("bob", "yawns", me=True),)


# Settings.


def test_a_change_of_the_rules_takes_every_agreement_back() -> None:
    desk = Desk("ann", "bob", "cat")
    desk.type("ann", "/ready")
    desk.type("bob", "/ready")
    (changed,) = desk.type("bob", "/set bingo 40")
    assert isinstance(changed, RulesChanged)
    assert (changed.name, changed.setting, changed.value) == ("bob", "bingo", "40")
    assert desk.table.rules.bingo == 40
    assert desk.ready == [False, False, False]


def test_settings_may_be_written_with_dashes_and_capitals() -> None:
    desk = Desk("ann")
    desk.type("ann", "/set Exchange-Bag 7")
    assert desk.table.rules.exchange_bag == 7


def test_those_who_sit_set_the_rules_and_at_an_empty_table_anybody() -> None:
    desk = Desk()
    desk.type("eve", "/set bingo 40")
    desk.type("ann", "/sit")
    with desk.refuses("NEED_SEAT", "those who sit"):
        desk.type("eve", "/set bingo 50")


@pytest.mark.parametrize(
    ("line", "code", "prose"),
    [
        ("/set colour red", "BAD_SETTING", "there are: .*challenge"),
        ("/set challenge maybe", "BAD_SETTING", "void or free"),
        ("/set challenge", "BAD_SETTING", "void or free"),
        ("/set players 5", "BAD_SETTING", "2 to 4"),
        ("/set players 2", "BAD_SETTING", "3 people sit"),
        ("/set rack 9999999999", "BAD_SETTING", "2 to 9"),
        ("/set preset blitz", "BAD_SETTING", "official, classic, race, tournament"),
        ("/set preset tournament", "BAD_SETTING", "3 people sit"),
        ("/set lexicon ../secret", "NO_LEXICON", "there is no"),
    ],
)
def test_settings_that_cannot_be(line: str, code: str, prose: str) -> None:
    desk = Desk("ann", "bob", "cat")
    with desk.refuses(code, prose):
        desk.type("ann", line)


def test_a_preset_replaces_every_setting_but_the_list() -> None:
    desk = Desk("ann", "bob")
    desk.type("ann", "/set lexicon old")
    desk.type("ann", "/set clock 60")
    desk.type("ann", "/set preset classic")
    assert desk.table.rules == replace(PRESETS["classic"], lexicon="old")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_can_be_had_and_played(preset: str) -> None:
    desk = Desk("ann", "bob")
    desk.type("ann", f"/set preset {preset}")
    desk.type("ann", "/ready")
    desk.type("bob", "/ready")
    assert desk.table.playing is not None
    assert desk.table.playing.rules.preset == preset


def test_a_list_for_other_tiles_is_refused_when_the_game_would_begin() -> None:
    desk = Desk("ann", "bob")
    desk.type("ann", "/set lexicon german")
    desk.type("ann", "/ready")
    with desk.refuses("BAD_SETTING", "not for the tile set english"):
        desk.type("bob", "/ready")
    desk.type("bob", "/set tiles german")
    desk.type("ann", "/ready")
    desk.type("bob", "/ready")
    assert desk.table.playing is not None


# Agreement, and the beginning.


def test_the_game_begins_when_all_agree() -> None:
    desk = Desk("ann", "bob", "cat")
    assert desk.type("cat", "/ready") == (Agreed(2, "cat", ready=True),)
    assert desk.type("ann", "/ready") == (Agreed(0, "ann", ready=True),)
    agreed, begun = desk.type("bob", "/ready")
    assert agreed == Agreed(1, "bob", ready=True)
    assert isinstance(begun, Moved)
    assert (begun.game, begun.seat) == (1, None)
    opening = begun.events[0]
    assert isinstance(opening, Started)
    assert opening.players == ("ann", "bob", "cat")
    assert desk.table.members == ("id-ann", "id-bob", "id-cat")


def test_one_cannot_play_alone() -> None:
    desk = Desk("ann")
    assert desk.type("ann", "/ready") == (Agreed(0, "ann", ready=True),)
    with desk.refuses("BAD_ARGS", "waiting for the others"):
        desk.type("ann", "/ready")


def test_an_agreement_can_be_taken_back() -> None:
    desk = Desk("ann", "bob")
    with desk.refuses("BAD_ARGS", "you are not ready"):
        desk.type("ann", "/ready no")
    desk.type("ann", "/ready")
    assert desk.type("ann", "/ready no") == (Agreed(0, "ann", ready=False),)
    desk.type("bob", "/ready")
    assert desk.table.playing is None


def test_when_the_one_they_waited_for_has_left_the_others_can_begin() -> None:
    desk = Desk("ann", "bob", "cat")
    desk.type("ann", "/ready")
    desk.type("bob", "/ready")
    desk.type("cat", "/watch")
    (begun,) = desk.type("ann", "/ready")
    assert isinstance(begun, Moved)
    assert desk.names == ["ann", "bob"]


def test_a_bot_comes_to_somebody_who_waits() -> None:
    desk = Desk("ann")
    desk.type("ann", "/ready")
    seated, begun = desk.add_bot()
    assert seated == SeatTaken(1, "id-bot", "bot", "greedy")
    assert isinstance(begun, Moved)


def test_a_bot_waits_for_somebody_who_is_not_ready() -> None:
    desk = Desk("ann")
    assert desk.add_bot() == (SeatTaken(1, "id-bot", "bot", "greedy"),)
    assert desk.ready == [False, True]
    assert [type(what) for what in desk.type("ann", "/ready")] == [Agreed, Moved]


def test_bots_stay_ready_whatever_changes() -> None:
    desk = Desk("ann")
    desk.add_bot()
    desk.type("ann", "/set bingo 40")
    assert desk.ready == [False, True]


def test_two_bots_play_by_themselves() -> None:
    desk = Desk()
    assert len(desk.add_bot("one")) == 1
    assert isinstance(desk.add_bot("two")[-1], Moved)


# Moves.


def with_rack(desk: Desk, rack: str) -> Desk:
    """The same game, with other tiles on the first rack; the bag does not know."""
    game = desk.table.game
    assert game is not None
    ann = replace(game.players[0], rack=ENGLISH.parse_tiles(rack))
    desk.table = replace(desk.table, game=replace(game, players=(ann, *game.players[1:])))
    return desk


def game_events(happenings: tuple[RoomEvent, ...]) -> tuple[Event, ...]:
    (moved,) = happenings
    assert isinstance(moved, Moved)
    return moved.events


def test_a_move_is_one_entry_with_all_that_follows() -> None:
    desk = with_rack(playing(), "HORNSTU")
    (moved,) = desk.type("ann", "/play 8F HORN")
    assert isinstance(moved, Moved)
    assert (moved.game, moved.seat) == (1, 0)
    assert [event.kind for event in moved.events] == ["played", "drew", "turn_began"]


def test_a_game_keeps_the_words_it_began_with() -> None:
    desk = with_rack(playing(), "HORNSTU")
    desk.lists.by_name["tiny"] = OLD
    desk.type("ann", "/play 8F HORN")
    (challenged, *_) = game_events(desk.type("bob", "/challenge"))
    assert isinstance(challenged, Challenged)
    assert challenged.bad == ()


def test_without_its_words_a_game_waits() -> None:
    desk = playing()
    desk.lists.by_name["tiny"], desk.lists.kept = OLD, {}
    with desk.refuses("NO_LEXICON"):
        desk.type("ann", "/pass")


@pytest.mark.parametrize("line", ["/play 8H AT", "/pass", "/exchange", "/challenge", "/accept"])
def test_before_the_first_game_there_is_nothing_to_move(line: str) -> None:
    desk = Desk("ann", "bob")
    with desk.refuses("NO_GAME", "/ready"):
        desk.type("ann", line)


@pytest.mark.parametrize("line", ["/pass", "/exchange", "/play 8H AT"])
def test_a_move_may_name_its_turn(line: str) -> None:
    desk = with_rack(playing(), "AT?????")
    desk.type("ann", f"{line} turn=1")
    with desk.refuses("STALE_TURN", "was for turn 1; it is turn 2 now"):
        desk.type("ann", f"{line} turn=1")
    with desk.refuses("STALE_TURN", "was for turn 1"):
        desk.type("bob", f"{line} turn=1")
    desk.type("bob", "/pass turn=2")


def test_a_challenge_of_the_turn_before_is_stale() -> None:
    desk = with_rack(playing(), "AT?????")
    desk.type("ann", "/play 8H AT")
    with desk.refuses("STALE_TURN"):
        desk.type("bob", "/challenge turn=1")
    desk.type("bob", "/challenge turn=2")


def test_a_refused_move_says_whose_turn_it_still_is() -> None:
    desk = with_rack(playing(), "AT?????")
    with desk.refuses("BAD_PLAY", "still your turn 1$"):
        desk.type("ann", "/play 1A AT")
    with desk.refuses("NOT_IN_RACK", "still your turn 1$"):
        desk.type("ann", "/play 8H BIT")
    with desk.refuses("NOT_YOUR_TURN", "it is ann's turn; wait, or talk meanwhile$"):
        desk.type("bob", "/pass")


@pytest.mark.parametrize("name", ["bob", "CAT", "A[TT", "8H"])
def test_a_challenge_is_of_words_and_not_of_people(name: str) -> None:
    desk = with_rack(playing(), "AT?????")
    with desk.refuses("BAD_ARGS", "/invite is for people"):
        desk.type("bob", f"/challenge {name}")
    desk.type("ann", "/play 8H AT")
    with desk.refuses("BAD_ARGS", f"{re.escape(name)} is no word of the latest play"):
        desk.type("bob", f"/challenge {name}")


@pytest.mark.parametrize("line", ["/challenge", "/challenge AT", "/challenge at"])
def test_a_challenge_may_name_a_word_of_the_play(line: str) -> None:
    desk = with_rack(playing(), "AT?????")
    desk.type("ann", "/play 8H AT")
    assert game_events(desk.type("bob", line))[0].kind == "challenged"


def test_blanks_are_taken_back_by_their_squares() -> None:
    desk = with_rack(playing(reclaim="any"), "AT?????")
    desk.type("ann", "/play 8H at")
    desk.type("bob", "/pass")
    desk = with_rack(desk, "ATIBCDE")
    (played, *_) = game_events(desk.type("ann", "/play 9I is swap=8H,i8"))
    assert isinstance(played, Played)
    assert [str(swap.square) for swap in played.swapped] == ["8H", "8I"]


@pytest.mark.parametrize("swap", ["99Z", "8H,", ",", "8H,,9H", "H"])
def test_a_swap_that_is_no_square(swap: str) -> None:
    desk = playing(reclaim="any")
    with desk.refuses("BAD_ARGS", "is not a place"):
        desk.type("ann", f"/play 8H AT swap={swap}")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("/exchange A1", "NOT_IN_RACK"),
        ("/exchange [", "BAD_ARGS"),
        ("/exchange ZZZZZZZ", "NOT_IN_RACK"),
        ("/play 8H A[T", "BAD_ARGS"),
        ("/play 8H ....", "BAD_PLAY"),
    ],
)
def test_notation_that_cannot_be_read(line: str, code: str) -> None:
    desk = with_rack(playing(), "ABCDEFG")
    with desk.refuses(code):
        desk.type("ann", line)


# While a game is on, and after it.


@pytest.mark.parametrize("line", ["/watch", "/ready", "/ready no", "/set bingo 40"])
def test_what_waits_until_the_game_is_over(line: str) -> None:
    desk = playing()
    with desk.refuses("GAME_ON"):
        desk.type("bob", line)


def test_nobody_comes_or_goes_or_is_renamed_while_a_game_is_on() -> None:
    desk = playing()
    with desk.refuses("GAME_ON", "when it is over"):
        desk.type("eve", "/sit")
    with desk.refuses("GAME_ON"):
        desk.add_bot()
    with desk.refuses("GAME_ON", "seats are kept"):
        table.stand_up(desk.table, 0)
    with desk.refuses("GAME_ON", "names stay"):
        table.rename(desk.table, 0, "zoe")


@pytest.mark.parametrize("line", ["/play 8H AT", "/pass", "/exchange", "/challenge", "/resign"])
def test_after_the_game_no_move_is_made(line: str) -> None:
    desk = finished()
    with desk.refuses("GAME_OVER", "/ready begins another"):
        desk.type("ann", line)


def test_after_the_game_the_table_keeps_it_until_the_next() -> None:
    desk = finished()
    assert desk.ready == [False, False]
    desk.type("ann", "/watch")
    desk.type("eve", "/sit")
    game = desk.table
    assert game.members == ("id-ann", "id-bob")
    assert [game.game_seat_of(f"id-{name}") for name in ("ann", "bob", "eve")] == [0, 1, None]
    assert [game.chair_of(f"id-{name}") for name in ("ann", "bob", "eve")] == [None, 0, 1]
    assert isinstance(game.record[-1], Ended)


def test_a_rematch_is_a_game_of_its_own_with_those_who_sit_there_now() -> None:
    desk = finished()
    desk.type("ann", "/watch")
    desk.type("ann", "/sit")
    desk.type("ann", "/ready")
    (*_, begun) = desk.type("bob", "/ready")
    assert isinstance(begun, Moved)
    assert begun.game == desk.table.games == 2
    assert desk.table.members == ("id-bob", "id-ann")
    assert desk.table.record == begun.events
    assert desk.table.playing is not None
    assert [player.name for player in desk.table.playing.players] == ["bob", "ann"]
    (moved,) = desk.type("bob", "/pass")
    assert isinstance(moved, Moved)
    assert (moved.game, moved.seat) == (2, 0)


def test_the_server_looks_at_the_clock_for_no_seat() -> None:
    desk = playing(clock=60, overtime=0)
    assert table.attend(desk.table, CallTime(), desk.sources) == ()
    desk.type("ann", "/pass")
    desk.now += 61_000
    (moved,) = desk.happen(*table.attend(desk.table, CallTime(), desk.sources))
    assert isinstance(moved, Moved)
    assert moved.seat is None
    assert table.attend(desk.table, CallTime(), desk.sources) == ()


# Whatever people do.

LINES = [
    "/sit", "/watch", "/ready", "/ready", "/ready no", "/pass", "/pass", "/challenge", "/resign",
    "/exchange", "/accept", "/set players 2", "/set bingo 40", "/set preset race", "hello", "bot",
]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["ann", "bob", "cat"]), st.sampled_from(LINES))))
def test_what_is_not_refused_can_be_applied_and_replayed(acts: list[tuple[str, str]]) -> None:
    desk = Desk("ann", "bob")
    begun = replace(desk.table, seq=0, chairs=())
    for name, line in acts:
        before = desk.table
        try:
            desk.add_bot(f"bot-{len(desk.log)}") if line == "bot" else desk.type(name, line)
        except Refusal:
            assert desk.table is before
        check(desk.table)
    assert reduce(table.apply, desk.log, begun) == desk.table


def check(now: Table) -> None:
    members = [chair.member for chair in now.chairs]
    assert len(set(members)) == len(members) <= now.rules.players
    if now.playing is not None:
        assert tuple(members) == now.members
        assert now.playing.rules == now.rules
        assert replay(now.record) == now.playing
