"""Writes a table as JSON and reads it back, so that nobody replays the whole log of a room.

A snapshot is derived: what cannot be read is not missed. The game is not in it, but its record is,
from which the game follows as always.
"""

import hashlib
import json
from dataclasses import dataclass, fields
from functools import cache, reduce
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError

from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.core.events import Event, Started
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.game.game import Game, apply, initial_game
from crossroom_server.table.permissions import Permissions
from crossroom_server.table.state import Offer, SeatState, Table

SNAPSHOT_VERSION: Final = 1
"""Increase it when entries are applied in another way; a new field is found out without that."""


@dataclass(frozen=True)
class _Snapshot:
    """A table without its game."""

    rules: Ruleset
    seats: tuple[SeatState, ...]
    games: int
    members: tuple[str, ...]
    began: int
    starting_seats: tuple[SeatState, ...]
    record: tuple[Annotated[Event, Field(discriminator="kind")], ...]
    offer: Offer | None
    seq: int
    permissions: Permissions


_JSON: Final = TypeAdapter(_Snapshot)
_NAMES: Final = tuple(field.name for field in fields(_Snapshot))


def encode_table(table: Table) -> str:
    """Write a table as JSON, in a line behind the form that this program gives it."""
    kept = _Snapshot(**{name: getattr(table, name) for name in _NAMES})
    return f"{_form()}\n{_JSON.dump_json(kept).decode()}"


def decode_table(text: str) -> Table | None:
    """Return the table of a snapshot; None if it has another form, or cannot be understood."""
    form, _, body = text.partition("\n")
    if form != _form():
        return None
    try:
        kept = _JSON.validate_json(body)
        game = _replay(kept.record)
    except (ValidationError, CorruptLog, LookupError, ValueError, TypeError, AttributeError):
        return None
    return Table(game=game, **{name: getattr(kept, name) for name in _NAMES})


def _replay(record: tuple[Event, ...]) -> Game | None:
    if not record:
        return None
    started, *rest = record
    if not isinstance(started, Started):
        raise CorruptLog("the record does not begin with the start of a game")
    return reduce(apply, rest, initial_game(started))


@cache
def _form() -> str:
    """Return a name for the form of snapshots, another one whenever a field is."""
    schema = json.dumps(_JSON.json_schema(), sort_keys=True)
    return f"{SNAPSHOT_VERSION}.{hashlib.sha256(schema.encode()).hexdigest()[:16]}"
