"""The finished games of the room: choose one, fetch it, open it in front of the table."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from rich.text import Text

from crossroom_clients.connection.message import Message
from crossroom_clients.connection.reconnecting import NotSent
from crossroom_clients.tui.dialogs import MenuDialog
from crossroom_clients.tui.people_dialogs import PeopleActions
from crossroom_clients.tui.replay import Replay
from crossroom_clients.tui.replay_screen import ReplayScreen
from crossroom_engine.core.errors import BadText
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.encoding.game_json import read_events
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.notices import AnyNotice, GameList, Picture
from crossroom_protocol.text.profile_text import final_scores, format_date, outcome_text

RECORD_FORM: Final = "json"
EXPORT_COMMAND: Final = "/export json"
"""The command that fetches a game, before its number."""


class GameActions(PeopleActions):
    """The half of the table that opens games that are over."""

    _is_fetching = False
    _fetched: Sequence[str] = ()

    def takes_game(self, heard: Message, notice: AnyNotice | None) -> bool:
        """Is this the list of games that was asked for, or one that is being fetched?"""
        match notice:
            case GameList(games=games) if games and heard.label is not None:
                self._choose_game(games)
                return True
            case Picture(about=about, lines=lines) if self._is_fetching and about == RECORD_FORM:
                self._fetched = lines
                return True
        return False

    def show_room(self, told: Text) -> None:
        """Say what goes on in the room below the game that is open."""
        for screen in self.screen_stack:
            if isinstance(screen, ReplayScreen):
                screen.show_room(told)

    def _choose_game(self, games: Sequence[FinishedGame]) -> None:
        self.action_back_to_now()
        by_page = {game.page: game for game in games}

        def chosen(page: str | None) -> None:
            if page:
                self.run_worker(self._open_game(by_page[page]), group="games", exclusive=True)

        offered = [(page, _listed(game)) for page, game in by_page.items()]
        self.push_screen(MenuDialog(gettext("games"), offered), chosen)

    async def _open_game(self, game: FinishedGame) -> None:
        self._is_fetching, self._fetched = True, ()
        try:
            line = f"{EXPORT_COMMAND} {game.game}"
            with suppress(NotSent):  # the table says that it is not connected
                await (await self.connection.send(line, typed=False))
        finally:
            self._is_fetching = False
        if not self._fetched:  # it was refused, which is said
            return
        try:
            replay = Replay.from_record(game, read_events("\n".join(self._fetched)))
        except BadText as error:
            self.refuse(str(error))
            return
        self.push_screen(ReplayScreen(replay, self.palette))


def _listed(game: FinishedGame) -> str:
    told = f"{format_date(game.ended)}  {final_scores(game.players)}; {outcome_text(game)}"
    return f"{game.game:>3}  {told}"
