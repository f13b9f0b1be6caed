"""The card of a room: a picture of its board now, for the first page and for previews of links."""

import asyncio
from collections import OrderedDict
from typing import Final

from crossroom_engine.core.board import Board
from crossroom_engine.core.rules import PRESETS
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.web.board_image import card_png

_MAX_CACHED: Final = 64


class RoomCards:
    """Draws cards, one at a time, and keeps the latest.

    Args:
        lobby: Has the rooms. One that is locked, or not open here, shows an empty board.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._cards: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def find(self, name: str) -> bytes:
        """Return the card of the room called *name*, as PNG."""
        room = self._lobby.find(name)
        table = room.table if room is not None else None
        game = table.game if table is not None and table.permissions.lock is None else None
        key = name, table.games if table and game else 0, game.version if game else 0
        async with self._drawing:  # it keeps a processor busy
            if key not in self._cards:
                rules = game.rules if game else PRESETS["official"]
                board = game.board if game else Board.empty(rules.layout)
                players = game.players if game else ()
                drawn = await asyncio.to_thread(card_png, rules, board, players, name)
                self._cards[key] = drawn
                if len(self._cards) > _MAX_CACHED:
                    self._cards.popitem(last=False)
            return self._cards[key]
