"""The boards and tile sets that come with the engine, as drawn text and tables."""

from functools import cache
from importlib.resources import files

from crossroom_engine.board import Layout
from crossroom_engine.errors import BadText
from crossroom_engine.tiles import TileSet


def names(kind: str, suffix: str) -> tuple[str, ...]:
    """The names of the files of one *kind* (a folder here) that end in *suffix*, sorted."""
    folder = files(__name__) / kind
    return tuple(
        sorted(f.name.removesuffix(suffix) for f in folder.iterdir() if f.name.endswith(suffix))
    )


@cache
def layout(name: str) -> Layout:
    """A board by name.

    Raises:
        BadText: there is none of that name; the message lists those there are.
    """
    return Layout.read(name, _text("layouts", name, ".txt"))


@cache
def tileset(name: str) -> TileSet:
    """A tile set by name.

    Raises:
        BadText: there is none of that name; the message lists those there are.
    """
    return TileSet.read(name, _text("tiles", name, ".csv"))


def _text(kind: str, name: str, suffix: str) -> str:
    if name not in (known := names(kind, suffix)):
        raise BadText(f"there is no {name!r} among the {kind}: {', '.join(known)}")
    return (files(__name__) / kind / f"{name}{suffix}").read_text(encoding="utf-8")
