from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from crossroom_engine.analysis.position import Position, candidates
from crossroom_engine.bots import LEVELS
from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.events import Challenged, Event, Played, Seat
from crossroom_engine.core.moves import Accept, Challenge, Exchange, Move, Pass, Place
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import TileKind, TileSet, multiset
from crossroom_engine.game.game import Game, apply, replay
from crossroom_engine.game.referee import DecisionContext, decide, start_game
from crossroom_engine.game.views import View, view
from crossroom_engine.movegen import plays
from crossroom_engine.movegen.leaves import find_leaves
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from tests.support.game_driver import GameDriver

TILES = PRESETS["official"].tiles


def word_list(name: str, text: str) -> Lexicon:
    return Lexicon.from_words(name, text.split(), TILES)


ROOM = word_list(
    "english",
    """
    AA AE AI AT BE DO EAR EARN EEL EON GO HAT ID IT LO NEAR NO OE OR OUR QI RAN REIN SEA SO TEA
    TEN TI TO TOE US ZA
    """,
)
COMMON = word_list(
    "english-common",
    """
    AT BE DO EAR EARN GO HAT ID IT LO NEAR NO OR OUR RAN REIN SEA SEAT SO TEA TEN TO TOE US
    """,
)
BLUFFS = word_list(
    "bluffs", " ".join(one + other for one in TILES.letters for other in TILES.letters)
)
SMALL = {"english": ROOM, "english-common": COMMON}

Brain = Callable[[View, Ruleset, Random], Move | None]


def over_after(asked: int) -> Callable[[], bool]:
    """Time that is told by how often it was asked for: the same for everybody, on any machine."""
    left = iter(range(asked))
    return lambda: next(left, None) is None


def brain(name: str, lists: Mapping[str, Lexicon] = SMALL) -> Brain:
    return lambda seen, rules, dice: LEVELS[name].choose(
        seen, rules, lists.__getitem__, dice, over_after(20)
    )


def bluffer(seen: View, rules: Ruleset, dice: Random) -> Move | None:
    """Plays anything, mostly no words."""
    if "place" in seen.options:
        board = Board.from_rows(seen.board, rules.tiles)
        found = plays(rules, board, seen.rack, BLUFFS)
        return dice.choice(found).move if found else Pass()
    return Accept() if "accept" in seen.options else None


def play_out(
    rules: Ruleset, brains: list[Brain], seed: int, lexicon: Lexicon = ROOM
) -> list[Event]:
    """A whole game, in which those who are not on turn speak first."""
    context = DecisionContext(lexicon, Random(seed), now=0)
    log = list(start_game(rules, tuple("abcd"[: len(brains)]), context))
    game = replay(log)
    while game.phase != "over":
        seat, move = next(choices(game, brains, context.random))
        for event in decide(game, seat, move, context):
            log.append(event)
            game = apply(game, event)
        assert len(log) < 3000
    return log


def choices(game: Game, brains: list[Brain], dice: Random) -> Iterator[tuple[Seat, Move]]:
    seats = sorted(range(len(brains)), key=lambda seat: seat == game.on_turn)
    for seat in seats:
        if move := brains[seat](view(game, seat), game.rules, dice):
            yield seat, move


SIZES = [(name, count) for name, rules in PRESETS.items() for count in range(2, rules.players + 1)]


@pytest.mark.parametrize(("preset", "count"), SIZES)
def test_bots_play_to_the_end_and_are_never_refused(preset: str, count: int) -> None:
    """Bots of all levels, each in some game of each size."""
    levels = deque(LEVELS)
    for seed in range(-(-len(LEVELS) // count)):
        log = play_out(PRESETS[preset], [brain(name) for name in islice(levels, count)], seed)
        assert any(isinstance(event, Played) for event in log)
        assert log[-1].kind == "ended"
        levels.rotate(-count)


@pytest.mark.parametrize("challenge", ["free", "double", "five", "ten", "triple"])
def test_bots_play_to_the_end_with_people_who_bluff(challenge: str) -> None:
    rules = PRESETS["official"].override("challenge", challenge)
    for seed in range(3):
        log = play_out(rules, [bluffer, brain("greedy"), brain("novice")], seed)
        challenged = [event for event in log if isinstance(event, Challenged)]
        assert challenged
        assert all(event.bad for event in challenged)
        assert log[-1].kind == "ended"


def test_a_bot_knows_nothing_that_its_seat_may_not_see() -> None:
    """Whatever the others hold, and whatever the bag holds: the view and the move are the same."""
    log = play_out(PRESETS["official"], [brain("greedy"), brain("novice"), brain("greedy")], seed=5)
    for length in range(5, len(log), 7):
        game = replay(log[:length])
        if game.phase == "over":
            break
        for seat in range(3):
            seen = view(game, seat)
            assert [player.rack is None for player in seen.players] == [
                other != seat for other in range(3)
            ]
            other_game = redealt(game, seat, Random(length))
            assert view(other_game, seat) == seen
            for level in LEVELS.values():
                once, again = (
                    level.choose(
                        view(one, seat), game.rules, SMALL.__getitem__, Random(1), over_after(20)
                    )
                    for one in (game, other_game)
                )
                assert once == again


def redealt(game: Game, seat: Seat, random: Random) -> Game:
    """The same game but for the tiles that *seat* cannot see."""
    hidden = [tile for other, p in enumerate(game.players) if other != seat for tile in p.rack]
    pool = random.sample([*game.bag, *hidden], len(game.bag) + len(hidden))
    players = []
    for other, player in enumerate(game.players):
        if other != seat:
            size = len(player.rack)
            player, pool = replace(player, rack=multiset(pool[:size])), pool[size:]
        players.append(player)
    return replace(game, players=tuple(players), bag=multiset(pool))


def answer(
    table: GameDriver, seat: Seat, name: str, lists: Mapping[str, Lexicon] = SMALL
) -> Move | None:
    return brain(name, lists)(view(table.game, seat), table.rules, Random(1))


def open_table(text: str, **changes: Any) -> GameDriver:
    """Seat 0 has just played *text*; seat 1 is on turn, seat 2 is not."""
    table = GameDriver(racks=(text, "AEINRST", "AEINRST"), words=" ".join(ROOM), **changes)
    table.play(0, "8H", text)
    return table


def test_greedy_challenges_a_phony_on_turn_and_off() -> None:
    table = open_table("XE")
    assert [answer(table, seat, "greedy") for seat in (0, 1, 2)] == [
        None,
        Challenge(),
        Challenge(),
    ]
    table.challenge(2)
    assert isinstance(answer(table, 1, "greedy"), Place)


def test_greedy_challenges_a_word_spelt_with_the_wrong_tiles() -> None:
    tiles = TileSet("digraph", tuple(TileKind(tile, 30, 1) for tile in ("A", "C", "CH", "H")))
    lists = {"english": Lexicon.from_words("english", ["[CH]A"], tiles)}
    for text, expected in (("CHA", Challenge()), ("[CH]A", None)):
        table = GameDriver(racks=(text, "A", "A"), words="CHA", tiles=tiles)
        table.play(0, "8H", text)
        assert answer(table, 2, "greedy", lists) == expected


def test_greedy_lets_a_word_stand() -> None:
    table = open_table("ZA")
    assert isinstance(answer(table, 1, "greedy"), Place)
    assert answer(table, 2, "greedy") is None


def test_novice_never_challenges() -> None:
    table = open_table("XE")
    assert isinstance(answer(table, 1, "novice"), Place)
    assert answer(table, 2, "novice") is None


PHONIES = [f"{one}Q{other}" for one in TILES.letters for other in TILES.letters]


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_spots_its_share_of_phonies_always_the_same(name: str) -> None:
    level = LEVELS[name]
    table = open_table("XE")
    seen = view(table.game, 2)
    assert seen.open_play

    def spotted(word: str) -> bool:
        played = replace(seen, open_play=replace(seen.open_play, words=(word,)))  # type: ignore[type-var]
        return level.choose(played, table.rules, SMALL.__getitem__, Random(1)) == Challenge()

    found = [word for word in PHONIES if spotted(word)]
    assert abs(len(found) / len(PHONIES) - level.phony_recognition) < 0.06
    assert found == [word for word in PHONIES if spotted(word)]


@pytest.mark.parametrize("name", LEVELS)
def test_no_level_challenges_a_word(name: str) -> None:
    table = open_table("ZA")
    assert answer(table, 2, name) is None


def test_the_better_know_at_least_as_many_phonies() -> None:
    shares = [level.phony_recognition for level in LEVELS.values()]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] == 1


def test_bots_answer_the_last_play() -> None:
    for text, greedy in (("XE", Challenge()), ("ZA", Accept())):
        table = open_table(text, bag="")
        assert table.game.phase == "last_word"
        assert [answer(table, seat, "greedy") for seat in (0, 1, 2)] == [None, greedy, greedy]
        assert answer(table, 1, "novice") == Accept()


def test_a_bot_has_nothing_to_say_when_the_game_is_over() -> None:
    table = open_table("ZA")
    table.resign(1)
    table.resign(2)
    assert table.game.phase == "over"
    assert [answer(table, seat, "greedy") for seat in (0, 1, 2)] == [None, None, None]


def test_without_a_play_all_but_blanks_are_exchanged() -> None:
    lists = {"english": word_list("english", "QQ")}
    table = GameDriver(racks=("AAUUVV?", "AAUUQ"), words="QQ")
    assert answer(table, 0, "greedy", lists) == Exchange(multiset("AAUUVV"))


def test_without_a_play_no_more_is_exchanged_than_the_bag_holds_the_dearest_first() -> None:
    lists = {"english": word_list("english", "QQ")}
    table = GameDriver(racks=("AAUUVVK", "AAUU"), bag="EEE", words="QQ")
    assert answer(table, 0, "greedy", lists) == Exchange(multiset("KVV"))
    table = GameDriver("tournament", racks=("AAUUVVK", "AAUU"), bag="EEE", words="QQ")
    assert answer(table, 0, "greedy", lists) == Pass()


def test_greedy_takes_the_most_points() -> None:
    table = GameDriver(racks=("AEINRST", "AEINRST"))
    move = answer(table, 0, "greedy")
    found = plays(table.rules, table.game.board, multiset("AEINRST"), ROOM)
    assert isinstance(move, Place)
    assert [play.points for play in found if play.move == move] == [
        max(play.points for play in found)
    ]


def test_solid_weighs_points_against_what_it_keeps() -> None:
    lists = {"english": catalog.open_lexicon("english")}
    table = GameDriver(racks=("AEINRS?", "AEINRST"))
    leaves = find_leaves(lists["english"], TILES)
    seen = Position.from_view(view(table.game, 0), table.rules, lists["english"])
    assert answer(table, 0, "solid", lists) == candidates(seen, leaves, 1)[0].move
    hopeless = GameDriver(racks=("UUVVWIT", "AEINRST"))
    assert isinstance(answer(hopeless, 0, "solid", lists), Exchange)
    assert isinstance(answer(hopeless, 0, "greedy", lists), Place)


def test_a_bot_that_has_no_time_still_moves() -> None:
    lists = {
        "english": catalog.open_lexicon("english"),
        "english-common": catalog.open_lexicon("english-common"),
    }
    for bag in (None, "E", ""):
        table = GameDriver(racks=("AEINRST", "AEINRST"), bag=bag)
        for level in LEVELS.values():
            seen = view(table.game, 0)
            move = level.choose(seen, table.rules, lists.__getitem__, Random(1), lambda: True)
            assert isinstance(move, Place)


def test_novice_plays_only_common_words_that_the_room_accepts() -> None:
    log = play_out(PRESETS["official"], [brain("novice"), brain("novice")], seed=3)
    words = {word for event in log if isinstance(event, Played) for word in event.words}
    assert len(words) > 5
    assert words <= set(ROOM) & set(COMMON)


def test_novice_knows_the_whole_list_where_no_common_words_are_known() -> None:
    tiles = replace(TILES, name="elsewhere")
    rules = replace(PRESETS["official"], tiles=tiles)
    game = replay(start_game(rules, ("a", "b"), DecisionContext(ROOM, Random(1), now=0)))
    lists = {"english": ROOM}
    assert brain("novice", lists)(view(game, game.on_turn), rules, Random(1))


def test_bots_take_blanks_back_in_a_race() -> None:
    table = GameDriver("race", racks=("ZVV", "EEE"), board={"8G": "zA"}, words="ZAX", reclaim="any")
    lists = {"english": word_list("english", "ZAX")}
    move = answer(table, 0, "greedy", lists)
    assert move == Place(Spot.parse("8G"), "..x", (Spot.parse("8G").square,))
    table.attempt(0, move)


def test_a_novice_and_a_greedy_bot_play_with_the_lists_that_come_with_the_engine() -> None:
    lists = {name: catalog.open_lexicon(name) for name in ("english", "english-common")}
    brains = [brain("novice", lists), brain("greedy", lists)]
    log = play_out(PRESETS["official"], brains, seed=1, lexicon=lists["english"])
    scores = [
        sum(event.points for event in log if isinstance(event, Played) and event.seat == seat)
        for seat in (0, 1)
    ]
    assert 0 < scores[0] < scores[1]
