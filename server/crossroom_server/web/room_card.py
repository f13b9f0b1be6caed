"""The card of a room: a picture of its board now, for the first page and for previews of links."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from crossroom_engine.core.board import Board
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.web.board_image import ScoredPlayer, card_png

_MAX_CACHED: Final = 64


class RoomCards:
    """Draws cards, one at a time, and keeps the latest.

    Args:
        lobby: Has the rooms. All that are locked, not open here or without a game have one card,
            of an empty board: whoever asks for any names makes us draw nothing.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._cards: OrderedDict[tuple[str, int, int], bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def find(self, name: str) -> bytes:
        """Return the card of the room called *name*, as PNG."""
        room = self._lobby.find(name)
        table = room.table if room is not None else None
        if table is None or table.game is None or table.permissions.lock is not None:
            rules = PRESETS["official"]
            return await self._card(("", 0, 0), rules, Board.empty(rules.layout), (), "crossroom")
        game = table.game
        key = name, table.games, game.version
        return await self._card(key, game.rules, game.board, game.players, name)

    async def _card(
        self,
        key: tuple[str, int, int],
        rules: Ruleset,
        board: Board,
        players: Sequence[ScoredPlayer],
        title: str,
    ) -> bytes:
        async with self._drawing:  # it keeps a processor busy
            if key not in self._cards:
                self._cards[key] = await asyncio.to_thread(card_png, rules, board, players, title)
            self._cards.move_to_end(key)
            if len(self._cards) > _MAX_CACHED:
                self._cards.popitem(last=False)
            return self._cards[key]
