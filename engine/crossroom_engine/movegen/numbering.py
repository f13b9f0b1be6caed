"""Numbers of tiles for the backends: for the bits of masks, and for the order of plays."""

from typing import Final

from crossroom_engine.core.errors import BadRules
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import BLANK, Letter, Tile
from crossroom_engine.words.lexicon import Lexicon

TILE_NUMBERS: Final = 64
"""Exclusive limit of the numbers of tiles."""

BLANK_NUMBER: Final = TILE_NUMBERS - 1

BLANK_FLAG: Final = 128
"""Added to the number of a letter that a blank stands for."""

MAX_TILE_POINTS: Final = 1_000_000
"""Points of a tile, so that no score is too large for the kernel."""


def number_tiles(rules: Ruleset, lexicon: Lexicon) -> dict[Tile, int]:
    """Number the letters of the word list, then those that only the tile set has, and the blank.

    Raises:
        BadRules: so many tiles, or so many points of one, are beyond the word engine.
    """
    strangers = [tile for tile in rules.tiles.letters if tile not in lexicon.letters]
    numbers = {tile: number for number, tile in enumerate((*lexicon.letters, *strangers))}
    if len(numbers) > BLANK_NUMBER:
        raise BadRules(f"{len(numbers)} different letters are more than {BLANK_NUMBER}")
    for kind in rules.tiles.kinds:
        if kind.points > MAX_TILE_POINTS:
            raise BadRules(f"{kind.points} points for {kind.tile} are more than {MAX_TILE_POINTS}")
    return {**numbers, BLANK: BLANK_NUMBER}


def number_letters(numbers: dict[Tile, int], rules: Ruleset) -> dict[Letter, int]:
    """Number the letters that a square can have, each as a tile and as a blank."""
    return {
        Letter(tile, blank): numbers[tile] | (BLANK_FLAG if blank else 0)
        for tile in rules.tiles.letters
        for blank in (False, True)
    }
