"""Load the boards and tile sets that come with the engine, from drawn text and tables."""

from functools import cache
from pathlib import Path
from typing import Final

from crossroom_engine.core.board import Layout
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.tiles import TileSet

LAYOUT_ALIASES: Final = {
    "crosswordgame": "standard",
    "standard15": "standard",
    "supercrosswordgame": "super",
}
"""Other programs' names of our boards."""

TILE_SET_ALIASES: Final = {"english_super": "english-super"}
"""Other programs' names of our tile sets."""

LEXICON_TILE_SETS: Final = {
    "osps": "polish",
    "fra": "french",
    "ods": "french",
    "rd": "german",
    "file": "spanish",
    "fise": "spanish",
    "nsf": "norwegian",
    "disc": "catalan",
}
"""The tile set of word lists that are not English, by how their names begin."""

_FOLDER: Final = Path(__file__).parents[1] / "data"


def list_names(kind: str, suffix: str) -> tuple[str, ...]:
    """Return the names of the files of one *kind* (a folder) that end in *suffix*, sorted."""
    return tuple(sorted(path.stem for path in (_FOLDER / kind).glob(f"*{suffix}")))


@cache
def layout(name: str) -> Layout:
    """Load a board by name.

    Raises:
        BadText: there is none of that name; lists those there are.
    """
    return Layout.from_text(name, _text("layouts", name, ".txt"))


@cache
def tileset(name: str) -> TileSet:
    """Load a tile set by name.

    Raises:
        BadText: there is none of that name; lists those there are.
    """
    return TileSet.from_csv(name, _text("tiles", name, ".csv"))


def languages_text() -> str:
    """Return the table of languages, TOML for :mod:`crossroom_engine.words.languages`."""
    return (_FOLDER / "languages.toml").read_text(encoding="utf-8")


def _text(kind: str, name: str, suffix: str) -> str:
    if name not in (known := list_names(kind, suffix)):
        raise BadText(f"there is no {name!r} among the {kind}: {', '.join(known)}")
    return (_FOLDER / kind / f"{name}{suffix}").read_text(encoding="utf-8")
