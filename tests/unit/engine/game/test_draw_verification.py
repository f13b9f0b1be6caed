"""What a server that cheats would be caught at, and that honest dice are even."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

import pytest

from crossroom_engine.core.dice import Dice
from crossroom_engine.core.errors import BadText, CorruptLog
from crossroom_engine.core.events import (
    Accepted,
    Adjourned,
    Continued,
    Drew,
    DrewForFirst,
    Ended,
    Event,
    Exchanged,
    Played,
    Started,
    TurnBegan,
)
from crossroom_engine.core.moves import Exchange, Pass
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import BLANK, TileSet, multiset
from crossroom_engine.game.draw_verification import verify_draws
from crossroom_engine.game.game import replay
from crossroom_engine.game.referee import DecisionContext, decide, start_game
from crossroom_protocol.encoding.game_json import read_events
from tests.support.game_driver import WORDS, word_list
from tests.support.paths import ROOT
from tests.support.sealed_games import SEED, sealed_games

RULES = PRESETS["official"]
TWO = ("ann", "bob")


def context() -> DecisionContext:
    return DecisionContext(word_list(WORDS, RULES.tiles), Random(1), 5)


def honest(seed: str = SEED, due: int | None = None, **changes: object) -> list[Event]:
    """A sealed game of exchanges and passes to its end: events 0 to 4 are the beginning."""
    rules = replace(RULES, **changes)  # type: ignore[arg-type]
    log = list(start_game(rules, TWO, context(), seed, due=due))
    while (game := replay(log)).phase != "over":
        rack = game.players[game.on_turn].rack
        move = Exchange(rack[:2]) if game.turn % 2 else Pass()
        log += decide(game, game.on_turn, move, context())
    return log


def told(log: Sequence[Event]) -> list[str]:
    return [finding.prose for finding in verify_draws(log).findings]


def at(kind: type[Event], log: Sequence[Event], number: int = 0) -> int:
    return [place for place, event in enumerate(log) if isinstance(event, kind)][number]


def test_an_honest_game_has_no_findings() -> None:
    verdict = verify_draws(honest())
    assert verdict.findings == ()
    assert (verdict.draws, verdict.seed) == (1 + 2 + 3, SEED)


@pytest.mark.parametrize("due", [None, 0, 1])
def test_who_begins_by_a_former_game_is_no_finding(due: int | None) -> None:
    assert told(honest(due=due, first_player="rotate")) == []
    assert told(honest(due=due)) == []  # other rules draw all the same


def test_a_game_that_was_written_down_long_ago_can_be_checked_for_ever() -> None:
    """The bytes of section 9 never change: this record is from the day they were chosen."""
    record = ROOT / "tests" / "system" / "fuzz" / "sealed.json"
    verdict = verify_draws(read_events(record.read_text(encoding="utf-8")))
    assert verdict.findings == ()
    assert verdict.seal == "cfbe3ca0a31718113ea203387bf81fd1355f011402e23d0915139f7dcb7ac2fb"


def test_the_draw_that_disagrees_is_named() -> None:
    log = honest()
    place = at(Exchanged, log, -1)
    exchanged = log[place]
    assert isinstance(exchanged, Exchanged)
    better = multiset([BLANK, *exchanged.drew[1:]])
    log[place] = replace(exchanged, drew=better)
    (finding,) = verify_draws(log).findings
    assert finding.event == place + 1
    assert finding.prose.startswith("draw 4: ")
    assert "drew ?" in finding.prose


def better_deal(log: list[Event]) -> list[Event]:
    drew = log[2]
    assert isinstance(drew, Drew)
    return [*log[:2], replace(drew, tiles=multiset("??EEIRS")), *log[3:]]


def other_seed(log: list[Event]) -> list[Event]:
    """One that was looked for afterwards: the draws fit it, the seal does not."""
    other, begun = honest("f" * 64), log[0]
    assert isinstance(begun, Started)
    assert isinstance(other[0], Started)
    return [replace(other[0], seal=begun.seal), *other[1:]]


def other_names(log: list[Event]) -> list[Event]:
    begun = log[0]
    assert isinstance(begun, Started)
    return [replace(begun, players=("eve", "bob")), *log[1:]]


def swapped_deal(log: list[Event]) -> list[Event]:
    one, other = log[2], log[3]
    assert isinstance(one, Drew)
    assert isinstance(other, Drew)
    return [*log[:2], replace(one, seat=1), replace(other, seat=0), *log[4:]]


def second_draw_for_first(log: list[Event]) -> list[Event]:
    return [*log[:2], DrewForFirst(((0, "A"), (1, "B"))), *log[2:]]


def no_draw_for_first(log: list[Event]) -> list[Event]:
    return [log[0], *log[2:]]


def other_draw_for_first(log: list[Event]) -> list[Event]:
    return [log[0], DrewForFirst(((0, "?"), (1, "Z"))), *log[2:]]


def other_first(log: list[Event]) -> list[Event]:
    began = log[4]
    assert isinstance(began, TurnBegan)
    return [*log[:4], replace(began, seat=1 - began.seat), *log[5:]]


def one_tile_less(log: list[Event]) -> list[Event]:
    drew = log[2]
    assert isinstance(drew, Drew)
    return [*log[:2], replace(drew, tiles=drew.tiles[1:]), *log[3:]]


def one_more_hand(log: list[Event]) -> list[Event]:
    return [*log[:5], Drew(0, ("E",)), *log[5:]]


def an_empty_hand(log: list[Event]) -> list[Event]:
    """Nothing but a way to come to other dice."""
    return [*log[:5], Drew(0, ()), *log[5:]]


@pytest.mark.parametrize(
    ("cheat", "found"),
    [
        (better_deal, "draw 0: ann drew ??EEIRS; the seed gives AAAGLPY"),
        (other_seed, "the seed is not the one that was sealed"),
        (other_names, "the seed is not the one that was sealed"),
        (swapped_deal, "bob drew out of turn"),
        (second_draw_for_first, "for the first turn was drawn AB; the seed gives no such draw"),
        (no_draw_for_first, "a draw for the first turn is missing"),
        (other_draw_for_first, "for the first turn was drawn ?Z; the seed gives "),
        (other_first, "the seed lets "),
        (one_tile_less, "draw 0: ann drew "),
        (one_more_hand, "ann drew out of turn"),
        (an_empty_hand, "ann drew out of turn"),
    ],
)
def test_what_a_cheat_is_caught_at(cheat: Callable[[list[Event]], list[Event]], found: str) -> None:
    log = honest()
    assert told(log) == []
    assert any(prose.startswith(found) for prose in told(cheat(log))), told(cheat(log))


def test_an_empty_hand_does_not_lead_to_other_dice() -> None:
    log = honest()
    assert replay(an_empty_hand(log)).draws == replay(log).draws


def is_caught(log: Sequence[Event]) -> bool:
    """Nothing but a finding, or the word that this is no game, may come of it."""
    try:
        return verify_draws(log).findings != ()
    except CorruptLog:
        return True


def test_no_draw_can_be_changed_left_out_repeated_or_moved() -> None:
    changed, dice = 0, Random(4)
    for log in sealed_games():
        for place, event in enumerate(log):
            if not isinstance(event, Drew | DrewForFirst | Exchanged):
                continue
            before, after = log[:place], log[place + 1 :]
            other = dice.choice([other for other in range(1, len(log) - 1) if other != place])
            moved = [*before, *after]
            moved.insert(other, event)
            assert is_caught([*before, other_tiles(event), *after])
            changed += 1
            if isinstance(event, Exchanged):
                continue  # who exchanges when is a matter of turns, which everybody sees
            assert is_caught([*before, event, event, *after])
            assert is_caught([*before, *after])
            assert moved == list(log) or is_caught(moved)
    assert changed > 500


def other_tiles(event: Drew | DrewForFirst | Exchanged) -> Event:
    """The same with one other tile."""
    match event:
        case DrewForFirst(drawn):
            (seat, tile), *others = drawn
            return DrewForFirst(((seat, "A" if tile != "A" else "B"), *others))
        case Drew(seat, tiles):
            return Drew(seat, multiset(["A" if tiles[0] != "A" else "B", *tiles[1:]]))
        case Exchanged(seat, tiles, drew):
            other = "A" if drew[0] != "A" else "B"
            return Exchanged(seat, tiles, multiset([other, *drew[1:]]))


def test_events_in_any_order_are_findings_or_no_game() -> None:
    dice = Random(5)
    for log in sealed_games():
        begun, *rest, ended = log
        dice.shuffle(rest)
        assert is_caught([begun, *rest, ended])


def test_a_hand_that_was_not_drawn_is_missed() -> None:
    log = next(log for log in sealed_games() if at_play(log) is not None)
    place = at_play(log)
    assert place is not None
    drew = log[place + 1]
    assert isinstance(drew, Drew)
    # The rest of the game does not fit any more, so it ends here.
    ended = log[-1]
    cut = [*log[: place + 1], TurnBegan(0, 99, 5_000), ended]
    assert any(" did not draw " in prose for prose in told(cut))


def at_play(log: Sequence[Event]) -> int | None:
    """Where somebody draws after a play."""
    places = (place for place, event in enumerate(log) if isinstance(event, Played))
    return next((place for place in places if isinstance(log[place + 1], Drew)), None)


def test_stopping_the_clock_does_not_lead_to_other_dice() -> None:
    log = list(start_game(RULES, TWO, context(), SEED))
    game = replay(log)
    move = Exchange(game.players[game.on_turn].rack)
    stopped = replay([*log, Adjourned(5), Continued(5), Adjourned(5), Continued(5)])
    assert decide(stopped, game.on_turn, move, context()) == decide(
        game, game.on_turn, move, context()
    )


@pytest.mark.parametrize(
    ("log", "why"),
    [
        ([], "there is no game"),
        ([Accepted(0)], "there is no game"),
        (honest(""), "was not sealed"),
        (honest()[:-1], "not over"),
        ([*honest()[:-1], Ended("out", (), 5)], "not revealed"),
        ([*honest()[:-1], Ended("out", (), 5, "12")], "not revealed"),
        ([*honest()[:-1], Ended("out", (), 5, "é" * 64)], "not revealed"),
    ],
)
def test_what_cannot_be_checked_says_why(log: list[Event], why: str) -> None:
    with pytest.raises(BadText, match=why):
        verify_draws(log)


@pytest.mark.parametrize("players", [(), ("ann",), ("x",) * 101])
def test_a_game_of_nobody_is_no_game(players: tuple[str, ...]) -> None:
    begun, *_, ended = honest()
    assert isinstance(begun, Started)
    with pytest.raises(CorruptLog):
        verify_draws([replace(begun, players=players), ended])


def test_a_game_that_is_not_sealed_is_drawn_by_other_dice() -> None:
    one, other = (
        start_game(RULES, TWO, DecisionContext(context().lexicon, Random(n), 5)) for n in (1, 2)
    )
    assert one != other
    assert isinstance(one[0], Started)
    assert (one[0].seal, one[0].seed) == ("", "")


# Even dice. A chi-square of so many degrees of freedom is above the bound once in a million times;
# the seeds are fixed, so these are the same every time.

SEEDS = [f"{number:064x}" for number in range(20_000)]
T = TypeVar("T")
ONCE_IN_A_MILLION = {6: 40.5, 9: 47.5, 26: 82.2, 99: 182.1}


def chi_square(counts: Counter[T], expected: dict[T, float]) -> float:
    return sum((counts[face] - often) ** 2 / often for face, often in expected.items())


@pytest.mark.parametrize("limit", [7, 10, 100])
def test_throws_are_even(limit: int) -> None:
    thrown = Counter(Dice(seed, "draw 0").below(limit) for seed in SEEDS)
    even = dict.fromkeys(range(limit), len(SEEDS) / limit)
    assert chi_square(thrown, even) < ONCE_IN_A_MILLION[limit - 1]


def test_every_tile_comes_as_often_as_there_are_such_tiles() -> None:
    bag = RULES.tiles.distribution
    for place in (0, 6):
        drawn = Counter(Dice(seed, "draw 1").sample(bag, 7)[place] for seed in SEEDS)
        often = {tile: len(SEEDS) * bag.count(tile) / len(bag) for tile in set(bag)}
        assert chi_square(drawn, often) < ONCE_IN_A_MILLION[26]


def test_one_draw_tells_nothing_about_the_next() -> None:
    """Of ten tiles, every pair of first tiles of two hands of one seed is equally likely."""
    pairs = Counter(
        (Dice(seed, "draw 0").below(10), Dice(seed, "draw 1").below(10)) for seed in SEEDS
    )
    even = {(one, other): len(SEEDS) / 100 for one in range(10) for other in range(10)}
    assert chi_square(pairs, even) < ONCE_IN_A_MILLION[99]


def test_nobody_is_favoured_by_the_seat() -> None:
    rules = replace(
        RULES, first_player="random", tiles=TileSet.from_csv("ten", "A,5,1\nB,5,1"), rack=2
    )
    firsts: Counter[int] = Counter()
    for seed in SEEDS[:2000]:
        firsts[replay(start_game(rules, TWO, context(), seed)).on_turn] += 1
    assert 860 < firsts[0] < 1140  # more than six standard deviations
