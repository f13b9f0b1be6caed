"""The card of a room: a picture of its board now, for the first page and for previews of links."""

from functools import partial

from crossroom_engine.core.board import Board
from crossroom_engine.core.rules import PRESETS
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.web.board_image import card_png
from crossroom_server.web.image_cache import ImageCache


class RoomCards:
    """Draws cards, and keeps the latest.

    Args:
        lobby: Has the rooms. All that are locked, not open here or without a game have one card,
            of an empty board: whoever asks for any names makes us draw nothing.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._cards = ImageCache()

    async def find(self, name: str) -> bytes:
        """Return the card of the room called *name*, as PNG."""
        room = self._lobby.find(name)
        table = room.table if room is not None else None
        if table is None or table.game is None or table.permissions.lock is not None:
            rules = PRESETS["official"]
            draw = partial(card_png, rules, Board.empty(rules.layout), (), "crossroom")
            return await self._cards.get("", draw)
        game = table.game
        draw = partial(card_png, game.rules, game.board, game.players, name)
        players = (player.name for player in game.players)
        return await self._cards.get((name, table.games, game.version, *players), draw)
