"""Converts rows of the tables, which all stores share, to objects and back."""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from pydantic import TypeAdapter, ValidationError

from crossroom_engine.core.errors import CorruptLog
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LOG_ENTRY, LogEntry
from crossroom_server.store.contract import CodeOwner, Damaged, check_sequence
from crossroom_server.table.player_totals import PlayerTotals
from crossroom_server.table.results import ended_games
from crossroom_server.table.state import Table

log = logging.getLogger(__name__)

FINISHED_VERSION: Final = 1
"""Increase it when more is to be stored of finished games: the table is filled anew then."""
FINISHED_JSON: Final = TypeAdapter(FinishedGame)

OWNER_COLUMNS: Final = "room, member, name, registered, since, reader"


def code_owner(
    room: str, member: str, name: str, registered: int, since: int, reader: int
) -> CodeOwner:
    """Return the owner of a resume code from :data:`OWNER_COLUMNS`."""
    return CodeOwner(room, member, name, bool(registered), since, bool(reader))


def owner_row(owner: CodeOwner) -> tuple[str, str, str, int, int, int]:
    """Return the :data:`OWNER_COLUMNS` of the owner of a resume code."""
    known = int(owner.registered), owner.since, int(owner.reader)
    return owner.room, owner.member, owner.name, *known


def encode_entries(after: int, entries: Sequence[LogEntry]) -> list[str]:
    """Write entries as JSON.

    Raises:
        ValueError: they are not numbered ``after + 1`` and on.
    """
    check_sequence(after, entries)
    return [LOG_ENTRY.dump_json(entry).decode() for entry in entries]


def decode_log(room: str, after: int, texts: Iterable[str | bytes]) -> list[LogEntry]:
    """Read the entries of a room behind number *after* from JSON.

    Raises:
        Damaged: one is missing, or cannot be understood.
    """
    return [_decode_entry(room, seq, text) for seq, text in enumerate(texts, after + 1)]


def _decode_entry(room: str, seq: int, text: str | bytes) -> LogEntry:
    try:
        entry = LOG_ENTRY.validate_json(text)
    except ValidationError as error:
        # What is wrong, and where, but not what stands there: causes are logged, racks may not be.
        where = [f"{one['type']} at {'.'.join(map(str, one['loc']))}" for one in error.errors()]
        cause = ValueError("; ".join(where))
        raise Damaged(f"entry {seq} in the log of room {room} cannot be understood") from cause
    if entry.seq != seq:
        raise Damaged(f"entry {seq} is missing in the log of room {room}")
    return entry


def decode_finished(rows: Iterable[Sequence[Any]]) -> list[FinishedGame]:
    """Read finished games from the last column of each row."""
    return [FINISHED_JSON.validate_json(row[-1]) for row in rows]


def finished_row(game: FinishedGame) -> tuple[str, int, str, str]:
    """Return the room of a finished game, the number of its last entry, its page, and its JSON."""
    return game.room, game.last, game.page, FINISHED_JSON.dump_json(game).decode()


def finished_games(room: str, texts: Iterable[str | bytes]) -> Iterator[FinishedGame]:
    """Find the finished games in the log of a room, as JSON; up to the damage if it is damaged."""
    entries = (LOG_ENTRY.validate_json(text) for text in texts)
    try:
        yield from ended_games(room, Table(), entries)
    except (ValidationError, CorruptLog, LookupError, ValueError, TypeError, AttributeError):
        log.warning("room %(room)s: its log is damaged; games may be missing", {"room": room})


RatingRow: TypeAlias = tuple[str, str, str, int, int, int]


def rating_rows(totals: Mapping[str, PlayerTotals]) -> Iterator[RatingRow]:
    """Yield preset, key, name, rating, games and games won for each rating that players have."""
    for key, one in totals.items():
        for preset, skill in one.skills.items():
            yield preset, key, one.profile.name, skill.rating, skill.games, skill.won
