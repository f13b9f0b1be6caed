"""RULES 1: the presets, field by field, and what each field does."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from crossroom_engine.core.errors import BadRules
from crossroom_engine.core.events import Drew, DrewForFirst, Event, Started, TurnBegan
from crossroom_engine.core.rules import PRESETS, Ruleset, describe_values, format_setting, settings
from crossroom_engine.core.tiles import TileKind, TileSet
from crossroom_engine.game.game import replay
from crossroom_engine.game.referee import DecisionContext, start_game
from tests.support.game_driver import NAMES, WORDS, GameDriver, all_tiles, kinds, word_list

OFFICIAL = PRESETS["official"]
COLUMNS = ("classic", "official", "race", "tournament")


def begin(rules: Ruleset, players: int, dice: Random) -> tuple[Event, ...]:
    context = DecisionContext(word_list(WORDS, rules.tiles), dice, 1_000)
    return start_game(rules, NAMES[:players], context)


def first_seat(events: Sequence[Event]) -> int:
    return next(event.seat for event in events if isinstance(event, TurnBegan))


class LoadedDice(Random):
    """Draws the tiles it is told to, then as chance will have it."""

    def __init__(self, *draws: str) -> None:
        super().__init__(7)
        self._draws = list(draws)

    def sample(self, population: Sequence[Any], k: int, **_: Any) -> list[Any]:
        if not self._draws:
            return super().sample(population, k)
        drawn = list(self._draws.pop(0))
        assert len(drawn) == k
        return drawn


@pytest.mark.parametrize(
    ("field", "classic", "official", "race", "tournament"),
    [
        ("players", 4, 4, 4, 2),
        ("first_player", "seat", "draw", "seat", "draw"),
        ("rack", 7, 7, 7, 7),
        ("bingo", 50, 50, 15, 50),
        ("challenge", "free", "double", "void", "double"),
        ("exchange_least", 1, 0, 1, 1),
        ("exchange_bag", 0, 0, 0, 7),
        ("reclaim", "off", "off", "next", "off"),
        ("target", None, None, 200, None),
        ("end_adjustment", "sum", "sum", "none", "double"),
        ("target_winner", "highest", "highest", "highest", "highest"),
        ("tie_break", "shared", "before_adjustment", "first_to_target", "shared"),
        ("clock", None, None, None, 25 * 60),
        ("overtime", 600, 600, 600, 600),
        ("overtime_points", 10, 10, 10, 10),
        ("scoreless_limit", None, None, None, 6),
        ("acceptance", 60, 60, 60, 60),
        ("hints", "off", "off", "off", "off"),
        ("increment", 0, 0, 0, 0),
        ("turn_limit", None, None, None, None),
        ("absence", "wait", "wait", "wait", "wait"),
        ("absence_after", 180, 180, 180, 180),
        ("early_exit", "auto", "auto", "auto", "auto"),
        ("no_plays", "ends", "ends", "ends", "goes_on"),
        ("look_ups", "off", "off", "off", "off"),
    ],
)
def test_1_the_presets(
    field: str, classic: object, official: object, race: object, tournament: object
) -> None:
    row = [getattr(PRESETS[name], field) for name in COLUMNS]
    assert row == [classic, official, race, tournament]
    assert set(PRESETS) == {*COLUMNS, "super"}


def test_1_the_large_board_is_the_default_with_twice_the_tiles() -> None:
    large = PRESETS["super"]
    assert replace(large, preset="official", layout=OFFICIAL.layout, tiles=OFFICIAL.tiles) == (
        OFFICIAL
    )
    assert (large.layout.height, large.layout.width, str(large.layout.start)) == (21, 21, "11K")
    assert len(large.tiles.distribution) == 2 * len(OFFICIAL.tiles.distribution)


def test_1_a_preset_is_data_and_its_name_means_nothing() -> None:
    renamed = replace(PRESETS["race"], preset="official")
    events, same = (begin(rules, 3, Random(5)) for rules in (PRESETS["race"], renamed))
    assert isinstance(same[0], Started)
    assert (replace(same[0], rules=PRESETS["race"]), *same[1:]) == events


# 1.1


@pytest.mark.parametrize("preset", PRESETS)
def test_1_1_as_many_players_as_the_rules_say(preset: str) -> None:
    most = PRESETS[preset].players
    for players in range(2, most + 1):
        events = begin(PRESETS[preset], players, Random(7))
        assert len(replay(events).players) == players


@pytest.mark.parametrize(("preset", "players"), [("official", 1), ("tournament", 3)])
def test_1_1_neither_fewer_nor_more(preset: str, players: int) -> None:
    with pytest.raises(BadRules, match="2 to"):
        begin(PRESETS[preset], players, Random(7))


# 1.2


def test_1_2_seat_the_first_seat_begins() -> None:
    assert {first_seat(begin(PRESETS["classic"], 3, Random(seed))) for seed in range(9)} == {0}


def test_1_2_random_anybody_begins() -> None:
    rules = replace(OFFICIAL, first_player="random")
    assert {first_seat(begin(rules, 3, Random(seed))) for seed in range(20)} == {0, 1, 2}


@pytest.mark.parametrize(("drawn", "first"), [("BAC", 1), ("CB?", 2), ("A?Z", 1), ("ZYX", 2)])
def test_1_2_draw_the_nearest_to_a_begins_and_a_blank_beats_it(drawn: str, first: int) -> None:
    events = begin(OFFICIAL, 3, LoadedDice(drawn))
    assert events[1] == DrewForFirst(tuple(enumerate(drawn)))
    assert first_seat(events) == first


def test_1_2_draw_those_who_tie_draw_again_alone() -> None:
    events = begin(OFFICIAL, 4, LoadedDice("ADAA", "CBB", "?E"))
    assert [event.drawn for event in events if isinstance(event, DrewForFirst)] == [
        ((0, "A"), (1, "D"), (2, "A"), (3, "A")),
        ((0, "C"), (2, "B"), (3, "B")),
        ((2, "?"), (3, "E")),
    ]
    assert first_seat(events) == 2


def test_1_2_draw_ends_also_where_all_tiles_are_alike() -> None:
    alike = TileSet("alike", (TileKind("A", 40, 1),))
    rules = replace(PRESETS["official"], tiles=alike)
    context = DecisionContext(word_list("AA", alike), Random(1), now=0)
    assert kinds(start_game(rules, ("ann", "bob"), context))[-1] == "turn_began"


@pytest.mark.parametrize("value", ["rotate", "loser"])
def test_1_2_rotate_and_loser_draw_unless_a_game_before_tells(value: str) -> None:
    rules = OFFICIAL.override("first_player", value)
    events = begin(rules, 3, Random(1))
    assert isinstance(events[1], DrewForFirst)
    context = DecisionContext(word_list(WORDS, rules.tiles), Random(1), 1_000)
    follows = start_game(rules, NAMES[:3], context, due=2)
    assert first_seat(follows) == 2
    assert not any(isinstance(event, DrewForFirst) for event in follows)


def test_1_2_draw_the_tiles_go_back() -> None:
    events = begin(OFFICIAL, 2, LoadedDice("AB"))
    assert len(replay(events[:2]).bag) == 100
    assert all_tiles(replay(events)) == OFFICIAL.tiles.distribution


def test_1_2_the_first_turn_is_turn_1() -> None:
    game = replay(begin(OFFICIAL, 3, LoadedDice("CAB")))
    assert (game.on_turn, game.first, game.turn, game.since) == (1, 1, 1, 1_000)


# 1.3


def test_1_3_everybody_is_dealt_a_full_rack() -> None:
    events = begin(OFFICIAL, 4, Random(7))
    assert [event.seat for event in events if isinstance(event, Drew)] == [0, 1, 2, 3]
    game = replay(events)
    assert [len(player.rack) for player in game.players] == [7] * 4
    assert len(game.bag) == 100 - 4 * 7


def test_1_3_a_rack_is_filled_up_again_after_a_play_while_the_bag_lasts() -> None:
    table = GameDriver(racks=["CATSEEE", "DOG"], bag="AAAAA")
    table.play(0, "8H", "CATS")
    assert (table.racks[0], table.bag) == ("AAAAEEE", "A")
    table.play(1, "9G", "DOG")
    assert (table.racks[1], table.bag) == ("A", "")


# 1.4: 3.6. 1.5: 4.3 and 2.7. 1.6: 5.1 and 5.2. 1.7: 2.4 and 5.3. 1.8: 6.3.


# 1.9


def out(preset: str, *others: str, **changes: Any) -> list[int]:
    """Seat 0 goes out with AT for 4 points; scores after that."""
    table = GameDriver(preset, racks=["AT", *others], bag="", **changes)
    table.play(0, "8H", "AT")
    for seat in table.game.awaited:
        table.accept(seat)
    assert table.game.phase == "over"
    return table.scores


@pytest.mark.parametrize(
    ("rule", "scores"),
    [("sum", [4 + 14, -12, -2]), ("double", [4 + 28, 0, 0]), ("none", [4, 0, 0])],
)
def test_1_9_the_end_adjustment_when_somebody_goes_out(rule: str, scores: list[int]) -> None:
    assert out("classic", "QD", "IE", end_adjustment=rule) == scores


@pytest.mark.parametrize(
    ("rule", "scores"), [("sum", [-4, -11]), ("double", [-4, -11]), ("none", [0, 0])]
)
def test_1_9_the_end_adjustment_when_nobody_goes_out(rule: str, scores: list[int]) -> None:
    table = GameDriver("classic", racks=["F", "QE"], scoreless_limit=2, end_adjustment=rule)
    table.pass_(0)
    table.pass_(1)
    assert (table.game.phase, table.scores) == ("over", scores)


def test_1_9_a_blank_left_over_costs_nothing() -> None:
    assert out("classic", "?", "?E") == [5, 0, -1]


def test_1_9_who_went_out_gains_even_if_somebody_resigned_since() -> None:
    table = GameDriver("classic", racks=["AT", "QD", "IE"], bag="")
    table.play(0, "8H", "AT")
    table.resign(1)
    table.accept(2)
    assert (table.scores, table.game.bag) == ([4 + 12 + 2, -12, -2], ())


# 1.10


@pytest.mark.parametrize(
    ("rule", "target", "winners"),
    [
        ("shared", None, (0, 1)),
        ("before_adjustment", None, (1,)),
        ("first_to_target", 4, (0,)),
        ("first_to_target", None, (0, 1)),
    ],
)
def test_1_10_equal_scores(rule: str, target: int | None, winners: tuple[int, ...]) -> None:
    table = GameDriver(
        "official",
        racks=["AT?", "SOE"],
        bag="",
        words="AT ATS SO",
        challenge="void",
        scoreless_limit=2,
        tie_break=rule,
        target=target,
    )
    table.play(0, "8H", "AT")
    table.play(1, "J8", "SO")
    assert table.last_play.points == 5
    if target is None:
        table.pass_(0)
        table.pass_(1)
    assert table.scores == [4, 4]
    assert table.game.ended is not None
    assert table.game.ended.winners == winners


def test_1_10_equal_before_and_after_is_shared() -> None:
    table = GameDriver(racks=["E", "E"], bag="EE", scoreless_limit=2)
    table.pass_(0)
    table.pass_(1)
    assert table.game.ended is not None
    assert table.game.ended.winners == (0, 1)


# 1.11: 6.5


# 1.12


@pytest.mark.parametrize(
    ("preset", "players", "limit"),
    [
        ("classic", 2, 6),
        ("official", 3, 9),
        ("race", 4, 12),
        ("tournament", 2, 6),
    ],
)
def test_1_12_a_table_that_only_passes_ends(preset: str, players: int, limit: int) -> None:
    table = GameDriver(preset, racks=["CAT"] * players, bag="E" * 9)
    for turn in range(limit):
        assert table.game.phase == "playing"
        events = table.pass_(turn % players)
    assert kinds(events)[-1] == "ended"
    assert table.game.ended is not None
    assert table.game.ended.why == "scoreless"


# 1.13


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", [spec.name for spec in settings()])
def test_1_13_what_is_printed_can_be_typed_and_gives_the_same_rules(name: str, preset: str) -> None:
    rules = PRESETS[preset]
    assert rules.override(name, format_setting(getattr(rules, name))) == rules


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("players", "2", 2),
        ("challenge", "triple", "triple"),
        ("target", "150", 150),
        ("target", "off", None),
        ("clock", "600", 600),
        ("lexicon", "common", "common"),
        ("layout", "standard", OFFICIAL.layout),
        ("tiles", "english", OFFICIAL.tiles),
    ],
)
def test_1_13_a_host_may_change_every_field(name: str, text: str, value: object) -> None:
    rules = PRESETS["race"].override(name, text)
    assert getattr(rules, name) == value
    assert replace(rules, **{name: getattr(PRESETS["race"], name)}) == PRESETS["race"]


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("player", "2", "did you mean players?"),
        ("colour", "2", "there are: layout, tiles"),
        ("preset", "race", "there is no setting"),
        ("players", "5", "2 to 4"),
        ("players", "two", "2 to 4"),
        ("players", "off", "2 to 4"),
        ("rack", "-1", "2 to 9"),
        ("rack", "٣", "2 to 9"),
        ("challenge", "maybe", "void or free or double or five or ten or triple"),
        ("target", "0", "1 to 9999, or off"),
        ("clock", "9" * 12, "or off"),
        ("layout", "../english", "standard"),
        ("tiles", "klingon", "english"),
    ],
)
def test_1_13_a_wrong_value_is_refused_with_what_would_do(name: str, text: str, hint: str) -> None:
    with pytest.raises(BadRules, match=hint):
        OFFICIAL.override(name, text)


def test_1_13_values_say_what_may_be_typed() -> None:
    specs = {spec.name: describe_values(spec) for spec in settings()}
    assert specs["players"] == "2 to 4"
    assert specs["target"] == "1 to 9999, or off"
    assert specs["reclaim"] == "off or next or any"
    assert specs["lexicon"] == "a name"
    assert "standard" in specs["layout"]


def test_1_13_rules_that_contradict_each_other_are_refused() -> None:
    few = type(OFFICIAL.tiles)("few", OFFICIAL.tiles.kinds[:2])
    with pytest.raises(BadRules, match="more than the bag holds"):
        replace(OFFICIAL, tiles=few)
