"""Rollouts and the simulation on top of them."""

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine.analysis.position import Position, candidates
from crossroom_engine.analysis.rollouts import roll_out, roll_out_in_python
from crossroom_engine.core.board import Board
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import BLANK, TileKind, TileSet, multiset
from crossroom_engine.words.lexicon import Lexicon
from tests.support.examples import examples
from tests.support.positions import any_layout, any_leaves, any_word, spelt

OFFICIAL = PRESETS["official"]
DICE = st.randoms(use_true_random=True)


def any_situation(random: Random) -> Position:
    """Of 2 to 4 players at any point of a small game, where words are many."""
    kinds = tuple(
        TileKind(tile, 9, random.randint(0, 9)) for tile in "ABCDE"[: random.randint(2, 5)]
    )
    tiles = TileSet("few", (*kinds, TileKind(BLANK, 2, 0)))
    words = [any_word(random, tiles.letters) for _ in range(random.choice([3, 100]))]
    players, rack = random.randint(2, 4), random.choice([2, 4, 5])
    rules = replace(
        OFFICIAL,
        layout=any_layout(random),
        tiles=tiles,
        rack=rack,
        exchange_bag=random.choice([0, 3]),
        target=random.choice([None, 60]),
        scoreless_limit=random.choice([None, 2, 5]),
        end_adjustment=random.choice(["none", "sum", "double"]),
    )
    bag = list(tiles.distribution)
    random.shuffle(bag)
    held = [rack] * players
    left = random.choice([0, 0, 1, 2, 5, len(bag) - sum(held)])
    if not left:
        held = [random.randint(1, rack) for _ in held]
    left = min(left, len(bag) - sum(held))
    return Position(
        rules=rules,
        lexicon=Lexicon.from_words("any", map(spelt, words), tiles),
        board=Board.empty(rules.layout),
        rack=multiset(bag[: held[0]]),
        unseen=multiset(bag[held[0] : sum(held) + left]),
        bag=left,
        others=tuple(held[1:]),
        scores=tuple(random.randint(0, 59) for _ in held),
        scoreless=random.randrange(rules.scoreless_turns(players)),
        begins=random.randrange(players),
    )


@examples(60)
@given(DICE)
def test_rollouts_are_the_same_by_kernel_and_twin(dice: Random) -> None:
    position = any_situation(dice)
    leaves = dice.choice([None, any_leaves(dice, position.rules.tiles)])
    found = candidates(position, any_leaves(dice, position.rules.tiles), 1000)
    chosen = dice.sample(found, min(3, len(found)))
    seed, turns = dice.choice([0, 7, 2**64 - 1]), dice.choice([0, 1, 2, 5, 400])
    by_twin = [
        [roll_out_in_python(position, one, leaves, (seed + more) % 2**64, turns) for one in chosen]
        for more in range(2)
    ]
    assert roll_out(position, chosen, leaves, seed, 2, turns) == by_twin
