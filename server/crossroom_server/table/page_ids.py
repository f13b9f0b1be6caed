"""The ids of the pages of finished games, the last part of their addresses."""

import base64
import hashlib
from collections.abc import Sequence
from typing import Final

from crossroom_engine.core.events import Drew, Ended, Event, Started
from crossroom_server.table.state import Table

PAGE_ID_LENGTH: Final = 20
"""Characters of a page id, 5 bits each."""


def page_id(room: str, game: int, record: Sequence[Event]) -> str:
    """Return the id of a finished game's page: stable, and hard to guess.

    It is a hash of the seed of the bag or, where that was not sealed, of every draw; so only those
    who know the whole record can derive it.
    """
    made = hashlib.sha256(f"page of game {game} in {room}".encode())
    for event in record:
        match event:
            case Started(at=at, seed=seed) | Ended(at=at, seed=seed):
                made.update(f" {at} {seed}".encode())
            case Drew(tiles=tiles):
                made.update(" ".join(tiles).encode())
    return base64.b32encode(made.digest()).decode().lower()[:PAGE_ID_LENGTH]


def finished_page(room: str, table: Table) -> str:
    """Return the page of the game on the *table*, once it is over; "" if there is none."""
    if table.game is None or table.game.ended is None or table.game.ended.why == "cancelled":
        return ""
    return page_id(room, table.games, table.record)
