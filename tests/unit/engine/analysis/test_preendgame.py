"""One tile in the bag: against a search that goes by the rules alone, and against the clock."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from random import Random

import pytest
from hypothesis import given

from crossroom_engine import movegen
from crossroom_engine.analysis import preendgame
from crossroom_engine.analysis.position import Candidate, Position, candidates
from crossroom_engine.analysis.preendgame import PreendgameEstimate
from crossroom_engine.core.moves import Exchange, Pass, Place
from crossroom_engine.core.tiles import BLANK, Tiles, multiset, take_tiles
from crossroom_engine.movegen.leaves import Leaves
from tests.support.engines import needs_kernel
from tests.support.examples import examples
from tests.unit.engine.analysis.test_endgame import (
    DICE,
    any_endgame,
    at_once,
    by_the_rules,
    final,
    never,
    real_endgames,
)

LEAVES = Leaves("some", {"A": 500, "B": -700, BLANK: 9000})
FEW = 4
"""Candidates that are all followed up to the end, if there is time."""


def any_preendgame(random: Random) -> Position:
    """Small: few squares, few tiles, few words."""
    position = any_endgame(random)
    rules = replace(
        position.rules,
        exchange_bag=random.choice([0, 1, 7]),
        rack=max(position.others[0], len(position.rack), 2),
    )
    unseen = multiset((*position.unseen, random.choice("ABC")))
    return replace(position, rules=rules, unseen=unseen, bag=1)


def ending(
    position: Position, latest: Candidate, rack: Tiles, unseen: Tiles, scoreless: int = 0
) -> Position:
    return replace(
        position,
        board=latest.board,
        rack=rack,
        unseen=unseen,
        bag=0,
        others=(len(unseen),),
        scoreless=scoreless,
    )


def after_play(position: Position, candidate: Candidate, tile: str, other: Tiles) -> int | None:
    """What is gained by then: the endgame is the other's to begin."""
    mine = multiset((*candidate.kept, tile))
    spread = by_the_rules(ending(position, candidate, other, mine), 3000)
    return None if spread is None else candidate.points - spread


def after_wait(position: Position, candidate: Candidate, tile: str, other: Tiles) -> int | None:
    """What is gained by then, if the other takes what looks best."""
    mine, bag = candidate.kept, tile
    if isinstance(candidate.move, Exchange):
        mine, (bag,) = multiset((*mine, tile)), candidate.move.tiles
    over = final(position.rules, mine, other)
    there = replace(
        position,
        rack=other,
        unseen=multiset((*mine, bag)),
        others=(len(mine),),
        scoreless=position.scoreless + 1,
    )
    if there.scoreless == position.rules.scoreless_turns(2):
        return over
    reply = candidates(there, LEAVES, 1)[0]
    if not isinstance(reply.move, Place):
        return over
    spread = by_the_rules(ending(there, reply, mine, multiset((*reply.kept, bag))), 3000)
    return None if spread is None else spread - reply.points


def by_trying_everything(position: Position, candidate: Candidate) -> tuple[float, float] | None:
    """The share of the games won, and the mean spread, over the tiles that may be in the bag."""
    wins = spreads = 0.0
    ahead = position.scores[0] - position.scores[1]
    go_on = after_play if isinstance(candidate.move, Place) else after_wait
    for tile, weight in Counter(position.unseen).items():
        gained = go_on(position, candidate, tile, take_tiles((tile,), position.unseen))
        if gained is None:
            return None
        spread = ahead + gained
        wins += weight * (0.5 if not spread else spread > 0)
        spreads += weight * spread
    return wins / len(position.unseen), spreads / len(position.unseen)


@examples(80)
@given(DICE)
def test_few_candidates_are_compared_as_by_trying_everything(dice: Random) -> None:
    position = any_preendgame(dice)
    options = preendgame.solve(position, LEAVES, never, most=FEW)
    known = [by_trying_everything(position, option.candidate) for option in options]
    for option, values in zip(options, known, strict=True):
        if values is None:
            return
        assert option.win == pytest.approx(values[0])
        assert not (option.exact and isinstance(option.candidate.move, Pass | Exchange))
    best = max(values for values in known if values)
    assert (options[0].win, options[0].spread) == pytest.approx(best)
    assert options[0].exact == isinstance(options[0].candidate.move, Place)


def test_games_are_won_that_the_best_play_at_sight_does_not_win() -> None:
    gains = []
    for seed in range(100):
        position = any_preendgame(Random(seed))
        first = candidates(position, LEAVES, 1)[0]
        best = preendgame.solve(position, LEAVES, never, most=FEW)[0]
        sight = by_trying_everything(position, first)
        if best.exact and sight:
            gains.append(best.win - sight[0])
    assert min(gains) > -1e-9
    assert sum(gain > 0.3 for gain in gains) > 2


def after(asks: int) -> Callable[[], bool]:
    """Time that is over when it was asked for so often; nobody goes on for long then."""
    asked = count()

    def is_over() -> bool:
        number = next(asked)
        assert number < asks + 5, "the time is over"
        return number >= asks

    return is_over


@pytest.mark.parametrize("asks", [0, 1, 2, 7, 20, 100])
def test_every_candidate_is_told_of_whenever_time_is_over(asks: int) -> None:
    for seed in range(5):
        position = any_preendgame(Random(seed))
        found = candidates(position, LEAVES, 24)
        options = preendgame.solve(position, LEAVES, after(asks))
        assert sorted(map(told, options)) == sorted(str(one.move) for one in found)
        assert all(0 <= option.win <= 1 for option in options)


def told(option: PreendgameEstimate) -> str:
    return str(option.candidate.move)


def test_candidates_without_a_look_come_behind_those_that_had_one() -> None:
    for seed in range(60):
        position = any_preendgame(Random(seed))
        found = [str(one.move) for one in candidates(position, LEAVES, 24)]
        asks = 2 * len(set(position.unseen))
        options = preendgame.solve(position, LEAVES, after(asks))
        if len(found) > 2:
            assert sorted(map(told, options[:2])) == sorted(found[:2])
            assert list(map(told, options[2:])) == found[2:]


@needs_kernel
def test_the_time_may_be_over_in_the_middle_of_an_endgame() -> None:
    (position,) = real_endgames(1, seed=2, left=1)
    options = preendgame.solve(position, LEAVES, after(350))
    assert not options[0].exact


def test_the_best_at_sight_comes_first_when_time_is_over_at_once() -> None:
    for seed in range(5):
        position = any_preendgame(Random(seed))
        options = preendgame.solve(position, LEAVES, at_once)
        first = options[0].candidate
        assert first == candidates(position, LEAVES, 1)[0]
        assert not options[0].exact
        legal = movegen.plays(position.rules, position.board, position.rack, position.lexicon)
        assert not isinstance(first.move, Place) or first.move in [play.move for play in legal]


def test_a_win_is_worth_more_than_points() -> None:
    chosen = []
    for seed in range(60):
        position = any_preendgame(Random(seed))
        options = [one for one in preendgame.solve(position, LEAVES, never, most=FEW) if one.exact]
        assert [one.win for one in options] == sorted((one.win for one in options), reverse=True)
        chosen += [one.spread > options[0].spread for one in options]
    assert any(chosen), "no candidate that would have won by more, but less often"


def test_it_does_not_apply_with_more_tiles_or_players_or_other_ends() -> None:
    position = any_preendgame(Random(1))
    rules = position.rules
    assert preendgame.applies(position)
    for other in (
        replace(position, bag=0, others=(len(position.unseen),)),
        replace(position, bag=2, others=(len(position.unseen) - 2,)),
        replace(position, others=(1, 1), unseen=("A", "A", "A"), scores=(0, 0, 0)),
        replace(position, others=(0,), unseen=("A",)),
        replace(position, rules=replace(rules, target=100)),
        replace(position, rules=replace(rules, reclaim="next")),
    ):
        assert not preendgame.applies(other)
        with pytest.raises(ValueError, match="one tile in the bag"):
            preendgame.solve(other, LEAVES, never)
    with pytest.raises(ValueError, match="at least one"):
        preendgame.solve(position, LEAVES, never, most=0)
