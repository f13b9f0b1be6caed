"""Finds the games that wait for somebody, in open rooms and others."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.game.timing import turn_ends_at
from crossroom_protocol.base.refusals import Refusal
from crossroom_server.lobby.cold_tables import ColdTables
from crossroom_server.room.room import Room
from crossroom_server.store.contract import Store, Unavailable

MAX_OWN_ROOMS: Final = 100
"""Rooms that are looked into for the games of whoever asks."""


@dataclass(frozen=True)
class UnfinishedGame:
    """A game that is not over, and the name of the player ``on_turn``.

    ``due`` is when that player's time is up, in ms since 1970; None: never, or the clock stands.
    """

    room: str
    adjourned: bool
    on_turn: str
    due: int | None = None


class UnfinishedGames:
    """The games on this server that are not over.

    Args:
        store: Knows in which rooms people have seats.
        find: Returns a room that is open here.
        cold_tables: The tables of those that are not.
    """

    def __init__(
        self, store: Store, find: Callable[[str], Room | None], cold_tables: ColdTables
    ) -> None:
        self._store, self._find, self._cold_tables = store, find, cold_tables

    async def of(self, name: str, *, is_own: bool = False) -> list[UnfinishedGame]:
        """Return the unfinished games in which somebody called *name* plays, of a few rooms.

        Locked rooms are left out, unless it is that person who asks: who plays there is not for
        everybody to know.

        Raises:
            Refusal: the store is out of order.
        """
        games: list[UnfinishedGame] = []
        try:
            for room in await self._store.rooms_of_name(name, MAX_OWN_ROOMS if is_own else 10):
                found = self._find(room)
                table = found.table if found is not None else await self._cold_tables.table(room)
                game = table.playing
                if game is None or (table.permissions.lock is not None and not is_own):
                    continue
                seats = [table.seats[seat] for seat in game.active]
                if any(at.name == name and (at.registered or not is_own) for at in seats):
                    on_turn = game.players[game.on_turn].name
                    games.append(UnfinishedGame(room, game.adjourned, on_turn, turn_ends_at(game)))
        except (Unavailable, CorruptLog) as error:
            raise Refusal("INTERNAL", str(error)) from None
        return games
