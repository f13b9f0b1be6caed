"""Handle the function keys: ask the person first, then send a line."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from textual.app import App

from crossroom_clients.connection.reconnecting import Closed, Connection, NotSent
from crossroom_clients.tui.dialogs import ChoiceDialog, TextDialog, TilePicker
from crossroom_clients.tui.help import help_lines
from crossroom_clients.tui.palette import Palette
from crossroom_clients.tui.placement import TentativePlay
from crossroom_clients.tui.prompts import risks
from crossroom_clients.tui.state import TableState
from crossroom_clients.tui.theme_store import ThemeStore
from crossroom_engine.core.tiles import BLANK, unspell
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import join_and, strip_brackets


class TableActions(App[Closed]):
    """The half of the table that asks: dialogs, and the answers to them."""

    connection: Connection
    tentative: TentativePlay
    state: TableState
    palettes: Mapping[str, Palette]
    _theme_store: ThemeStore

    @property
    @abstractmethod
    def palette(self) -> Palette:
        """The colours of now."""

    @abstractmethod
    async def send(self, line: str) -> bool:
        """Send a line; was it sent?"""

    @abstractmethod
    def refuse(self, text: str) -> None:
        """Say why something is not done."""

    @abstractmethod
    def say(self, text: str) -> None:
        """Say something below the board, until the next key or for a few seconds."""

    @abstractmethod
    def changed(self) -> None:
        """The tiles, the colours, or what is looked at are others now: draw them."""

    @abstractmethod
    def _draw_lines(self) -> None:
        """Draw what changes with every key or second."""

    def move(self, line: str) -> None:
        """Send a move, meant for this turn alone; one at a time, however slow the line is."""
        game = self.state.game
        if game is not None and not self.state.is_sending:
            self.state.is_sending = True
            self._draw_lines()
            self.run_worker(self._move(f"{line} turn={game.turn}"))

    async def _move(self, line: str) -> None:
        try:
            await (await self.connection.send(line))
        except NotSent as why:
            self.refuse(str(why))
        finally:
            self.state.is_sending = False
            self._draw_lines()

    # The board asks.

    def on_board_view_submitted(self) -> None:
        """Play the tiles that are laid."""
        attempt = self.tentative.attempt()
        if attempt is None:
            self.refuse(gettext("the tiles do not lie in one line without a gap"))
        elif not self.state.is_yours:
            self.refuse(gettext("it is not your turn; the tiles can stay where they are"))
        else:
            self.move(attempt.line("play"))

    def on_board_view_blank_wanted(self) -> None:
        """Ask what a blank stands for, and lay it."""
        rules = self.state.rules
        if rules is None:
            return

        def lay(answer: str | None) -> None:
            if answer:
                self.tentative.lay(BLANK, unspell(answer)[0])
                self.changed()

        hint = gettext("Type the letter, or choose it with the arrows and Enter.")
        letters = rules.tiles.letters
        self.push_screen(
            TilePicker(gettext("The blank stands for"), hint, letters, self.palette, many=False),
            lay,
        )

    # Function keys.

    def action_help(self) -> None:
        """Show what the keys do."""
        self.push_screen(TextDialog(gettext("keys"), help_lines()))

    def action_shuffle(self) -> None:
        """Show the rack in another order."""
        self.tentative.shuffle()
        self.changed()

    def action_exchange(self) -> None:
        """Ask which tiles to exchange."""
        game = self.state.game
        if game is None or "exchange" not in game.options:
            self.refuse(gettext("there is nothing to exchange now"))
            return
        self.tentative.recall()
        self.changed()

        def exchange(tiles: str | None) -> None:
            if tiles:
                self.move(f"/exchange {tiles}")

        hint = gettext("Letters or Space pick tiles; Enter exchanges them and ends your turn.")
        rack = self.tentative.rack
        self.push_screen(
            TilePicker(gettext("Exchange"), hint, rack, self.palette, many=True), exchange
        )

    def action_pass_turn(self) -> None:
        """Ask whether to pass."""
        if not self.state.is_yours:
            self.refuse(gettext("it is not your turn"))
            return
        told = gettext("Your turn ends, and nothing happens.")
        self._choose(gettext("Pass?"), (told,), (("/pass", gettext("pass")),))

    def action_challenge(self) -> None:
        """Ask whether to challenge, and say what that risks."""
        game = self.state.game
        play = game.open_play if game is not None else None
        if game is None or play is None or "challenge" not in game.options:
            self.refuse(gettext("there is no play that you could challenge now"))
            return
        words = join_and(strip_brackets(play.words))
        who = game.players[play.seat].name
        told = gettext(
            "{who} played {words} for {points}.", who=who, words=words, points=play.points
        )
        lines = (told, "", *risks(self.state))
        choices = [("/challenge", gettext("challenge it"))]
        if "accept" in game.options:
            choices.append(("/accept", gettext("accept it: the game ends")))
        self._choose(
            gettext("Challenge {words}?", words=strip_brackets(play.words)[0]), lines, choices
        )

    def _choose(self, title: str, lines: Sequence[str], choices: Sequence[tuple[str, str]]) -> None:
        def act(line: str | None) -> None:
            if line:
                self.move(line)

        self.push_screen(ChoiceDialog(title, lines, [("", gettext("no, go back")), *choices]), act)

    def action_unseen(self) -> None:
        """Show the bag."""
        self.run_worker(self.send("/bag"))

    def action_yes(self) -> None:
        """Agree to what is asked."""
        self._answer_with(self.state.yes(), gettext("there is nothing for you to answer"))

    def action_no(self) -> None:
        """Decline it."""
        self._answer_with(self.state.no(), gettext("there is no offer to decline"))

    def _answer_with(self, line: str, otherwise: str) -> None:
        if line:
            self.run_worker(self.send(line))
        else:
            self.refuse(otherwise)

    def action_browse(self, steps: int) -> None:
        """Look back, or forth."""
        if self.state.history.moments:
            self.state.browse(steps)
            self.changed()
        else:
            self.refuse(gettext("no game of which the beginning is known"))

    def action_back_to_now(self) -> None:
        """Look at the board of now."""
        self.state.moment = None
        self.changed()

    def action_next_theme(self) -> None:
        """Take the next colours."""
        names = list(self.palettes)
        self.theme = names[(names.index(self.theme) + 1) % len(names)]
        self._theme_store.save(self.console.color_system, self.theme)
        self.changed()
        self.say(gettext("colours: {theme}", theme=self.theme))
