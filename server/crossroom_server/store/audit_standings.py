"""Adds up the finished games of a store again, and compares the sums."""

from collections.abc import Iterator
from typing import Final

from pydantic import ValidationError

from crossroom_server.store.derived_contract import STANDINGS_VERSION
from crossroom_server.store.rows import FINISHED_JSON, rating_rows
from crossroom_server.store.table_dump import DumpTable, TableDump, UnreadableTable
from crossroom_server.table.player_totals import PlayerTotals, decode_totals
from crossroom_server.table.standings import add_games

_FINISHED: Final = DumpTable("finished", ("id", "game"), "id")
_COUNTED: Final = DumpTable("counted", ("version", "number"), "number")
_TOTALS: Final = DumpTable("totals", ("key", "totals"), "key")
_RATINGS: Final = DumpTable(
    "ratings", ("preset", "key", "name", "rating", "games", "won"), "preset, key"
)


def standings_faults(db: TableDump) -> Iterator[str]:
    """Yield a sentence for each player whose sums are not those of their games.

    Nothing is compared in a store of a version that keeps no sums, or makes others.
    """
    try:
        ((version, counted),) = db.rows(_COUNTED)
    except UnreadableTable:  # named already, or the version is an older one
        return
    if version != STANDINGS_VERSION:
        return
    try:
        right: dict[str, PlayerTotals] = {}
        for number, text in db.rows(_FINISHED):
            if number <= counted:
                add_games(right, [(number, FINISHED_JSON.validate_json(text))])
        kept = {key: decode_totals(text) for key, text in db.rows(_TOTALS)}
        for key in sorted(right.keys() | kept.keys()):
            if right.get(key) != kept.get(key):
                yield f"the sums of the player {key} are not those of their games"
        if sorted(rating_rows(right)) != sorted(db.rows(_RATINGS)):
            yield "the list of ratings is not that of the games"
    except UnreadableTable as error:
        yield f"the sums cannot be read: {error}"
    except ValidationError:
        yield "a finished game, or the sums of a player, cannot be understood"
