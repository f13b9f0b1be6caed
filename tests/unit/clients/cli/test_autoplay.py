"""`crossroom autoplay`: games of bots by the rules, and what is told of them."""

import json
import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from crossroom_clients.cli import bot_match, main
from crossroom_clients.cli.bot_games import TwoEndedBag, play_game
from crossroom_clients.cli.match_score import MatchScore
from crossroom_clients.support.parallel import map_in_processes
from crossroom_engine.analysis.position import TurnMove
from crossroom_engine.bots import Level
from crossroom_engine.bots.brain import BotKnowledge
from crossroom_engine.core.moves import Exchange, Pass
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.movegen import plays
from tests.unit.engine.bots.test_bots import BLUFFS, SMALL

OFFICIAL = PRESETS["official"].override("first_player", "seat")


def level(name: str, strategy: Callable[[BotKnowledge], TurnMove], spots: float = 0) -> Level:
    return Level(
        name, "for tests", strategy=strategy, vocabulary={}, phony_recognition=spots, budget_s=0.05
    )


def run(*args: str) -> int:
    return main.main(["autoplay", *args])


def without_time(told: dict[str, Any]) -> dict[str, Any]:
    del told["games_a_second"]
    for bot in told["levels"]:
        del bot["mean_seconds"], bot["most_seconds"]
    return told


def test_who_plays_better_wins(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--a", "greedy", "--b", "novice", "--games", "3", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["won"], told["drawn"], told["lost"]) == (4, 4, 0, 0)
    assert told["win_percent"] == [100, 0]
    spread, doubt = told["spread"]
    greedy, novice = told["levels"]
    assert (greedy["level"], novice["level"]) == ("greedy", "novice")
    assert spread == pytest.approx(greedy["mean_score"] - novice["mean_score"])
    assert 0 < doubt < spread
    assert 0 < greedy["mean_seconds"] <= greedy["most_seconds"]


def test_people_read_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--a", "novice", "--b", "greedy", "--games", "2") == 0
    told = capsys.readouterr().out
    assert told.startswith("novice against greedy: 0 won, 0 drawn, 2 lost\nwin rate  0.00 % ± ?")
    assert "B: greedy" in told
    assert "2 games, " in told


def test_the_same_seed_plays_the_same_games_in_more_processes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = []
    for more in (["--jobs", "1"], ["--jobs", "2"], ["--seed", "2"]):
        assert run("--a", "sharp", "--b", "keen", "--games", "4", "--json", *more) == 0
        told.append(without_time(json.loads(capsys.readouterr().out)))
    assert told[0] == told[1] != told[2]


def test_an_interrupt_tells_what_is_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = map_in_processes

    def stopping(*given: Any) -> Iterator[Any]:
        yield from islice(real(*given), 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(bot_match, "map_in_processes", stopping)
    assert run("--a", "greedy", "--b", "novice", "--games", "1000") == 130
    assert "2 won, 0 drawn, 0 lost" in capsys.readouterr().out


def test_the_same_bots_play_mirrored_games_alike() -> None:
    """Whoever sits where: two of a kind play the same game twice, as the tiles are the same."""
    first = level("first", best)
    second = level("second", best)
    for seed in range(3):
        there = play_game(OFFICIAL, SMALL.__getitem__, (first, second), seed)
        back = play_game(OFFICIAL, SMALL.__getitem__, (second, first), seed)
        assert there.scores == back.scores
    assert there.scores != play_game(OFFICIAL, SMALL.__getitem__, (first, second), 99).scores


def best(known: BotKnowledge) -> TurnMove:
    seen = known.position
    found = plays(known.rules, seen.board, seen.rack, known.vocabulary)
    return max(found, key=lambda play: (play.points, play)).move if found else Pass()


def test_phonies_are_challenged() -> None:
    def bluff(known: BotKnowledge) -> TurnMove:
        seen = known.position
        found = plays(known.rules, seen.board, seen.rack, BLUFFS)
        return known.random.choice(found).move if found else Pass()

    bluffer, judge = level("bluffer", bluff), level("judge", best, spots=1)
    credulous = level("credulous", best)
    judged, believed = (
        sum(
            play_game(OFFICIAL, SMALL.__getitem__, (bluffer, other), seed).scores[0]
            for seed in range(3)
        )
        for other in (judge, credulous)
    )
    assert judged < believed


def test_a_level_is_told_when_its_time_is_up() -> None:
    went_on = []

    def ponder(known: BotKnowledge) -> TurnMove:
        entered, latest = time.monotonic(), 0.0
        while True:
            asked = time.monotonic()
            if known.is_over():
                went_on.append(latest - entered)
                return Pass()
            latest = asked
            time.sleep(0.001)

    played = play_game(OFFICIAL, SMALL.__getitem__, (level("a", ponder), level("b", best)), 1)
    assert all(taken > 0.05 for taken in played.seconds[0])
    assert max(went_on) < 0.05
    assert played.seconds[1]


def test_the_budget_is_for_levels_that_think() -> None:
    thinker = Level("deep", "", strategy=best, vocabulary={}, phony_recognition=0, budget_s=5)
    assert bot_match.with_budget(thinker, 2.5).budget_s == 2.5
    assert bot_match.with_budget(thinker, None) == thinker
    assert bot_match.with_budget(level("quick", best), 2.5) == level("quick", best)


def test_a_game_in_which_nobody_can_move_is_no_endless_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Level, "choose", lambda *_: None)
    with pytest.raises(RuntimeError, match="no bot has anything to do"):
        play_game(OFFICIAL, SMALL.__getitem__, (level("a", best), level("b", best)), 1)


def test_a_bag_is_drawn_from_both_ends() -> None:
    everything = OFFICIAL.tiles.distribution
    order = TwoEndedBag(5).sample(everything, len(everything))
    assert sorted(order) == sorted(everything)
    bag = TwoEndedBag(5)
    left = list(everything)
    for seat, count, expected in ((0, 7, order[:7]), (1, 7, order[-7:][::-1]), (0, 3, order[7:10])):
        bag.seat = seat
        assert bag.sample(left, count) == expected
        for tile in expected:
            left.remove(tile)


def test_what_is_exchanged_is_in_the_bag_again() -> None:
    def swap(known: BotKnowledge) -> TurnMove:
        rack = known.view.rack
        return Exchange(rack[:1]) if "exchange" in known.view.options else Pass()

    played = play_game(OFFICIAL, SMALL.__getitem__, (level("a", swap), level("b", best)), 2)
    assert played.scores[1] > played.scores[0]
    bag = TwoEndedBag(1)
    (left,) = {*"ABC"} - {*bag.sample("ABC", 2)}
    assert sorted(bag.sample((left, "Q", "Q"), 3)) == [left, "Q", "Q"]


def test_a_tally_reckons_errors_from_pairs() -> None:
    tally = MatchScore()
    assert tally.win_percent == (0, None)
    tally.add(30, 10)
    assert (tally.win_percent, tally.win_percent.doubt) == ((100, None), "?")
    tally = MatchScore()
    for pair in ((30, -10), (5, 5), (0, -20), (40, 0)):
        tally.add(*pair)
    assert (tally.games, tally.results) == (8, (4, 2, 2))
    percent, doubt = tally.win_percent  # of pairs: 50, 100, 25, 75
    assert percent == 62.5
    assert doubt == pytest.approx((3125 / 4 / 3) ** 0.5)
    assert tally.spread[0] == 6.25


@pytest.mark.parametrize(
    "wrong", [["--games", "0"], ["--budget", "0"], ["--budget", "nan"], ["--a", "nobody"]]
)
def test_wrong_flags_are_refused(wrong: list[str]) -> None:
    with pytest.raises(SystemExit):
        run("--a", "greedy", "--b", "greedy", *wrong)


def test_an_unknown_list_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--a", "greedy", "--b", "greedy", "--lexicon", "nothing") == 1
    assert "'nothing'" in capsys.readouterr().err
