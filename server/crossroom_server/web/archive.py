"""The public archive of finished games: pages of games, of players and of rooms.

Nothing of a game that is being played is here, as only finished games are looked up at all. The
page of a game has an address that cannot be guessed; games that ended in a locked room are named
nowhere else.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from crossroom_engine.core.events import Event, Started
from crossroom_engine.game.game import replay
from crossroom_engine.game.views import view
from crossroom_engine.records.gcg_write import write_gcg
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.text import sheets
from crossroom_server.identity import names
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.room.log_replay import read_game
from crossroom_server.store.contract import Store
from crossroom_server.store.refusals import refusing_outages
from crossroom_server.table.page_ids import PAGE_ID_LENGTH
from crossroom_server.table.replay_steps import last_board
from crossroom_server.web.board_image import board_png, card_png
from crossroom_server.web.game_page import game_page
from crossroom_server.web.image_cache import ImageCache
from crossroom_server.web.profile_pages import player_page, room_games_page

ARCHIVE_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of these pages: scripts and styles of ours, and nothing else."""

_GAME: Final = re.compile(
    rf"/g/([a-z2-7]{{{PAGE_ID_LENGTH}}})(?:\.(gcg|txt|json|png)|/(card)\.png)?"
)
_MAX_ROOM_GAMES: Final = 100


@dataclass(frozen=True)
class Document:
    """A document at an address: its media type, and its bytes."""

    media_type: str
    body: bytes


class Archive:
    """Finds and renders the documents.

    Args:
        lobby: Knows who has registered, and what they have done.
        store: Has the games.
        root: The path of scripts and styles from the server's own.
    """

    def __init__(self, lobby: Lobby, store: Store, root: str) -> None:
        self._lobby, self._store, self._root = lobby, store, root
        self._images = ImageCache()

    async def find(self, path: str, url: str) -> Document | None:
        """Return the document at *path*, if any; *url* is the address of the server's root.

        Raises:
            Refusal: there is no such game, player or room, or the store is out of order.
        """
        if (match := _GAME.fullmatch(path)) is not None:
            return await self._game(match[1], match[2] or match[3] or "", url)
        if path.startswith("/p/"):
            name = names.check_name(path.removeprefix("/p/"))
            claim = await self._lobby.accounts.owner_of(name)
            if claim is None:
                raise Refusal("NOBODY", "nobody has registered {name}", name=name)
            return _html(player_page(await self._lobby.leaderboard.profile(claim.name), self._root))
        if path.startswith("/r/"):
            room = names.check_room_name(path.removeprefix("/r/"))
            games = await self._lobby.leaderboard.played_in(room, _MAX_ROOM_GAMES)
            return _html(room_games_page(room, [game for game in games if game.listed], self._root))
        return None

    async def _game(self, page: str, form: str, url: str) -> Document | None:
        with refusing_outages():
            game = await self._store.find_finished(page)
            if game is None:
                return None
            record = await read_game(self._store, game)
        if form in ("png", "card"):
            draw = partial(_draw, game, record, form)
            # with the names, which change if somebody is forgotten
            key = page, form, *(player.name for player in game.players)
            return Document("image/png", await self._images.get(key, draw))
        return await asyncio.to_thread(_render, game, record, form, self._root, url)


def _render(
    game: FinishedGame, record: Sequence[Event], form: str, root: str, url: str
) -> Document:
    match form:
        case "gcg":
            return _text(write_gcg(record))
        case "txt":
            return _text("\n".join(_text_lines(game, record)) + "\n")
        case "json":
            return Document("application/json; charset=utf-8", sheets.export_json(record).encode())
        case _:
            return _html(game_page(game, record, root, url))


def _text_lines(game: FinishedGame, record: Sequence[Event]) -> list[str]:
    last = replay(record)
    told = sheets.text_record([player.name for player in game.players], record)
    return [*told.lines, "", *sheets.board_picture(last.rules, view(last, None)).lines]


def _draw(game: FinishedGame, record: Sequence[Event], form: str) -> bytes:
    started = record[0]
    assert isinstance(started, Started), "a record begins with that"
    draw = card_png if form == "card" else board_png
    return draw(started.rules, last_board(record), game.players)


def _html(page: str) -> Document:
    return Document("text/html; charset=utf-8", page.encode())


def _text(text: str) -> Document:
    return Document("text/plain; charset=utf-8", text.encode())
