"""The legal play that a backend finds."""

from typing import NamedTuple

from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.moves import Place
from crossroom_engine.core.tiles import Tiles


class Play(NamedTuple):
    """A legal play, in the terms of :class:`~crossroom_engine.core.placement.Placement`.

    ``spot`` and ``text`` are the main word's, from its first square, with ``.`` for tiles on the
    board. ``tiles`` come from the rack, ``points`` are everything earned, ``swaps`` the squares of
    the blanks that are taken back.
    """

    spot: Spot
    text: str
    tiles: Tiles
    points: int
    swaps: tuple[Square, ...] = ()

    @property
    def move(self) -> Place:
        """The move that makes this play."""
        return Place(self.spot, self.text, self.swaps)
