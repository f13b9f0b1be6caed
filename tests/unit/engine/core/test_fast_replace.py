"""The quick way to the next value of a frozen dataclass."""

import dataclasses

import pytest

from crossroom_engine.core.fast_replace import replace
from crossroom_engine.game.game import Player


def test_it_does_what_the_slow_way_does() -> None:
    player = Player("ann", rack=("A", "B"))
    changed = replace(player, score=7, rack=())
    assert changed == dataclasses.replace(player, score=7, rack=())
    assert hash(changed) == hash(dataclasses.replace(player, score=7, rack=()))
    assert player == Player("ann", rack=("A", "B"))
    with pytest.raises(dataclasses.FrozenInstanceError):
        changed.score = 8  # type: ignore[misc]


def test_a_field_that_is_none_is_refused() -> None:
    with pytest.raises(TypeError, match="Player has no"):
        replace(Player("ann"), points=7)  # type: ignore[call-arg]
