"""Offers between players, decided at a table without a room."""

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.encoding import tags
from crossroom_protocol.events.offers import Answered, Lapsed, Offered
from crossroom_protocol.events.room import Agreed, Moved, RoomEvent
from crossroom_protocol.notices import Style
from crossroom_server.table import offer_rules
from crossroom_server.table.offers import INTERVAL, LIFETIME
from crossroom_server.table.state import Person
from tests.support.fake_room_context import Desk, playing
from tests.support.room_driver import playing as playing_room


def say(desk: Desk, name: str, line: str, *gone: str) -> tuple[RoomEvent, ...]:
    request = read_line(line, in_room=True)
    assert request is not None
    assert offer_rules.concerns(request.command, desk.table)
    person, away = Person(f"id-{name}", name), {f"id-{one}" for one in gone}
    decided = offer_rules.decide(desk.table, person, request.command, away, desk.sources)
    return desk.happen(*decided)


def three(**rules: object) -> Desk:
    desk = Desk("ann", "bob", "cat", first_player="seat", **rules)
    for name in ("ann", "bob", "cat"):
        desk.type(name, "/ready")
    return desk


@pytest.mark.parametrize(("what", "kind"), [("abort", "ended"), ("adjourn", "adjourned")])
def test_it_is_done_when_the_last_one_agrees(what: str, kind: str) -> None:
    desk = three()
    (offered,) = say(desk, "bob", f"/{what}")
    assert isinstance(offered, Offered)
    assert offered.asked == (0, 2)
    assert say(desk, "cat", "/agree") == (Answered(2, "cat", offered.what, True),)
    _, moved = say(desk, "ann", "/agree")
    assert isinstance(moved, Moved)
    assert [event.kind for event in moved.events] == [kind]
    assert desk.table.offer is None


def test_one_who_declines_ends_it() -> None:
    desk = three()
    say(desk, "bob", "/abort")
    say(desk, "cat", "/decline")
    with desk.refuses("NO_OFFER"):
        say(desk, "ann", "/agree")
    assert desk.table.playing is not None


def test_nobody_answers_twice_nor_what_is_their_own() -> None:
    desk = three()
    say(desk, "bob", "/abort")
    say(desk, "cat", "/agree")
    for line in ("/agree", "/decline"):
        with desk.refuses("NO_OFFER", "you have answered"):
            say(desk, "cat", line)
    with desk.refuses("NO_OFFER", "your own"):
        say(desk, "bob", "/agree")
    assert say(desk, "bob", "/decline") == (Lapsed("bob", "abort", early=True),)


def test_two_who_ask_for_the_same_agree() -> None:
    desk = playing()
    say(desk, "ann", "/adjourn")
    assert isinstance(say(desk, "bob", "/adjourn")[0], Answered)
    assert desk.table.playing is not None
    assert desk.table.playing.adjourned


def test_one_offer_at_a_time() -> None:
    desk = playing()
    say(desk, "ann", "/adjourn")
    with desk.refuses("OFFER_OPEN", "ann asks"):
        say(desk, "bob", "/abort")
    with desk.refuses("OFFER_OPEN", "you have asked"):
        say(desk, "ann", "/abort")


def test_an_offer_lasts_a_minute() -> None:
    desk = playing()
    say(desk, "ann", "/abort")
    desk.now += LIFETIME - 1
    assert offer_rules.lapse(desk.table, desk.now) == ()
    desk.now += 1
    with desk.refuses("NO_OFFER"):
        say(desk, "bob", "/agree")
    desk.happen(*offer_rules.lapse(desk.table, desk.now))
    assert desk.table.offer is None


def test_one_offer_a_minute_from_each() -> None:
    desk = playing()
    say(desk, "ann", "/abort")
    say(desk, "bob", "/decline")
    desk.now += INTERVAL - 1500
    with desk.refuses("SLOW_DOWN", "wait 2 s"):
        say(desk, "ann", "/adjourn")
    say(desk, "bob", "/adjourn")
    say(desk, "bob", "/decline")
    desk.now += 1500
    say(desk, "ann", "/adjourn")


def test_bots_and_those_gone_for_long_are_not_asked() -> None:
    desk = Desk("ann", "bob")
    desk.add_bot()
    for name in ("ann", "bob"):
        desk.type(name, "/ready")
    offered, moved = say(desk, "ann", "/adjourn", "bob")
    assert isinstance(offered, Offered)
    assert offered.asked == ()
    assert isinstance(moved, Moved)


def test_who_is_out_is_not_asked_and_offers_nothing() -> None:
    desk = three()
    desk.type("cat", "/resign")
    with desk.refuses("WRONG_PHASE"):
        say(desk, "cat", "/abort")
    (offered,) = say(desk, "ann", "/abort")
    assert isinstance(offered, Offered)
    assert offered.asked == (1,)


def test_watchers_and_tables_without_a_game_have_nothing_to_settle() -> None:
    desk = playing()
    with desk.refuses("NEED_SEAT"):
        say(desk, "eve", "/abort")
    with Desk("ann", "bob").refuses("NO_GAME"):
        say(Desk("ann", "bob"), "ann", "/abort")


def test_the_next_turn_ends_an_offer_to_undo_but_no_other() -> None:
    desk = three()
    desk.type("ann", "/pass")
    say(desk, "ann", "/undo")
    desk.type("bob", "/pass")
    assert desk.table.offer is None
    say(desk, "bob", "/adjourn")
    desk.type("cat", "/pass")
    assert desk.table.offer is not None


def test_the_end_of_the_game_ends_every_offer() -> None:
    desk = playing()
    desk.type("ann", "/pass")
    say(desk, "ann", "/adjourn")
    desk.type("bob", "/resign")
    assert desk.table.offer is None


def test_a_turn_is_taken_back() -> None:
    desk = playing()
    with desk.refuses("NOTHING_TO_UNDO"):
        say(desk, "ann", "/undo")
    desk.type("ann", "/pass")
    say(desk, "ann", "/undo")
    say(desk, "bob", "/agree")
    game = desk.table.playing
    assert game is not None
    assert (game.on_turn, game.turn, game.scoreless) == (0, 1, 0)
    assert [event.kind for event in desk.table.record[-3:]] == ["passed", "turn_began", "undone"]


def test_an_adjourned_game_goes_on_when_all_are_ready() -> None:
    desk = three()
    desk.type("cat", "/resign")
    say(desk, "ann", "/adjourn")
    say(desk, "bob", "/agree")
    assert desk.ready == [False, False, True]
    with desk.refuses("ADJOURNED"):
        desk.type("ann", "/pass")
    assert say(desk, "ann", "/ready") == (Agreed(0, "ann", True),)
    with desk.refuses("BAD_ARGS", "waiting for the others"):
        say(desk, "ann", "/ready")
    say(desk, "ann", "/ready no")
    say(desk, "bob", "/ready")
    assert offer_rules.unready(desk.table, {"id-ann"}) == (Agreed(1, "bob", False),)
    _, moved = say(desk, "ann", "/ready")
    assert isinstance(moved, Moved)
    assert desk.table.playing is not None
    assert not desk.table.playing.adjourned
    assert offer_rules.unready(desk.table, set()) == ()


def test_1_15_a_preset_leaves_the_rules_of_absence_alone() -> None:
    desk = Desk("ann", absence="bot", absence_after=77)
    desk.type("ann", "/set preset race")
    assert (desk.table.rules.absence, desk.table.rules.absence_after) == ("bot", 77)


def test_a_refusal_leaves_no_trace() -> None:
    desk = playing()
    with pytest.raises(Refusal):
        say(desk, "ann", "/agree")
    assert desk.table.chairs[0].offered is None


async def test_programs_read_an_offer_from_its_tags() -> None:
    stage = await playing_room("ann", "bob")
    dan = await stage.come("dan", Style("tags"))
    dan.take()
    await stage.type("ann", "/adjourn")
    await stage.type("bob", "/decline")
    offered, declined = (tags.read(line)[0] for line in dan.take())
    assert (offered["event"], offered["offer"], offered["asked"]) == ("offered", "adjourn", "1")
    assert (declined["event"], declined["offer"], declined["agrees"]) == (
        "answered",
        "adjourn",
        "0",
    )
    await stage.lobby.close()
