"""Draw what stands beside and below the board: rack, players, log and talk."""

from collections.abc import Sequence
from itertools import chain
from typing import ClassVar, NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment, Segments
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widgets import RichLog, Static

from crossroom_clients.connection.clocks import clocks, is_short
from crossroom_clients.connection.game_status import Fragments
from crossroom_clients.lineui.printing import fold
from crossroom_clients.lineui.styles import style_line
from crossroom_clients.tui.board_render import rack
from crossroom_clients.tui.palette import Palette
from crossroom_clients.tui.state import TableState
from crossroom_engine.core.tiles import Tile, TileSet
from crossroom_engine.game.views import PlayerView
from crossroom_protocol.base.translate import gettext, ngettext
from crossroom_protocol.base.wording import format_tiles
from crossroom_protocol.notices import RoomView, SeatView
from crossroom_protocol.text.rules_text import rules_summary

MAX_LINES: int = 2000
"""Lines that a panel keeps."""
SETTLED_S: float = 0.05
"""Seconds after which the size of a panel counts as settled."""
MAX_PLAYER_COLUMNS: int = 44
"""Columns of a line about a player, so that name and score are seen together."""


def clip(text: str, width: int) -> str:
    """*text* in exactly *width* columns; what is cut off shows."""
    if cell_len(text) > width:
        return set_cell_size(text, width - 1) + "…" if width > 0 else ""
    return set_cell_size(text, width)


def rack_text(hand: Sequence[tuple[Tile, bool]], tiles: TileSet, palette: Palette) -> Text:
    """A rack: letters above their points."""
    drawn, text = rack(hand, tiles), Text(no_wrap=True)
    for line in (0, 1):
        text.append("\n" if line else "")
        for tile in drawn:
            shown, look = tile[line]
            faint = "-points" if line and look == "tile" else ""
            text.append(shown[:-1], palette.style(look + faint))
            text.append(" ")
    return text


class RackView(Static):
    """The rack: letters above their points; a click lays a tile."""

    class Picked(Message):
        """A tile was clicked; ``place`` counts from 1."""

        def __init__(self, place: int) -> None:
            self.place = place
            super().__init__()

    _shown: Text | None = None

    def show(
        self, hand: Sequence[tuple[Tile, bool]], tiles: TileSet | None, palette: Palette
    ) -> None:
        """Draw these tiles."""
        text = rack_text(hand, tiles, palette) if tiles is not None else Text()
        if text != self._shown:
            self._shown = text
            self.update(text, layout=False)

    def on_click(self, event: events.Click) -> None:
        """Tell which tile it was."""
        self.post_message(self.Picked(event.x // 4 + 1))


def bar(state: TableState, width: int) -> Text:
    """Return the top line: room, name and rules."""
    room, rules = state.room, state.rules
    if room is None:
        who = gettext("at the door")
    elif room.name is None:
        who = gettext("{room} · watching", room=room.room)
    else:
        who = f"{room.room} · {room.name}{', watching' if room.seat is None else ''}"
    text = f" {who} · {rules_summary(rules)}" if rules is not None else f" {who}"
    return Text(clip(text, width), no_wrap=True)


def players(state: TableState, now: int, width: int, palette: Palette) -> Text:
    """A line for each player: whose turn, name, score, clock; then the bag."""
    room, game, width = state.room, state.game, min(width, MAX_PLAYER_COLUMNS)
    text = Text(no_wrap=True, overflow="ellipsis")
    if room is None:
        return text
    if game is None:
        for number, chair in enumerate(room.seats, 1):
            readiness = gettext("ready") if chair.ready else gettext("not ready")
            away = "" if chair.here else gettext(", away")
            text.append(f"{clip(f'{number} {chair.name}', width - 18)} {readiness}{away}\n")
        free = (state.rules.players if state.rules else 0) - len(room.seats)
        text.append(
            gettext("{free} free", free=free) if free > 0 else gettext("all seats taken"),
            palette.style("label"),
        )
        return text.append(_watching(room), palette.style("label"))
    times = clocks(game, state.rules, now)
    wide = max(map(len, times))
    then = state.then
    over = game.phase == "over" and then is None
    seated = {chair.name: chair for chair in room.seats}
    for seat, player in enumerate(game.players):
        runs = not over and seat in (game.awaited or (game.on_turn,))
        if then is not None:
            runs = seat == then.seat
        who = room.seats[seat] if seat < len(room.seats) else None
        note = _note(player, who)
        if over:
            note = _afterwards(seat in game.winners, seated.get(player.name))
        name = clip(f"{player.name}{note}", width - (9 + wide if wide else 7))
        style = "turn" if runs else ("name" if seat == game.seat else "")
        text.append("> " if runs else "  ", palette.style(style))
        text.append(name, palette.style(style))
        score = then.scores[seat] if then else player.score
        text.append(f"{score:>5}{'  ' if wide else ''}", palette.style(style))
        short = "refusal" if is_short(game, seat, now) else style
        text.append(f"{times[seat]:>{wide}}\n", palette.style(short))
        if over and player.rack:
            text.append(
                gettext("    left: {rack}\n", rack=format_tiles(player.rack)),
                palette.style("label"),
            )
    if then is not None:
        return text.append(
            gettext("  scores and rack of then; End: back to now"), palette.style("label")
        )
    text.append(
        gettext("  bag {bag}   turn {turn}", bag=game.bag, turn=game.turn), palette.style("label")
    )
    return text.append(_watching(room), palette.style("label"))


def _watching(room: RoomView) -> str:
    if not room.watchers:
        return ""
    return "   " + ngettext("{count} watching", "{count} watching", len(room.watchers))


def _afterwards(won: bool, seated: SeatView | None) -> str:
    """Describe a player after the game: did they win, do they stay for another?"""
    notes = [gettext("won")] if won else []
    if seated is None:
        notes.append(gettext("has left"))
    elif seated.ready:
        notes.append(gettext("ready"))
    return f" {', '.join(notes)}" if notes else ""


def _note(player: PlayerView, seated: SeatView | None) -> str:
    """Describe a player in brackets."""
    if player.retired:
        return f" ({gettext('out')})"
    notes = []
    if seated is not None and not seated.here:
        notes.append(gettext("a bot plays") if seated.stand_in else gettext("away"))
    if seated is not None and seated.program:
        notes.append(gettext("a program"))
    if player.forfeits:
        notes.append(gettext("loses a turn"))
    return "".join(f" ({note})" for note in notes)


class LogLine(NamedTuple):
    """A line of a panel; ``short`` is shown instead where a terminal is narrow, if there is one."""

    text: Fragments
    short: Fragments | None = None


class LinesPanel(RichLog, can_focus=False):
    """Lines that scroll, folded anew when the panel changes its width."""

    DEFAULT_CSS: ClassVar[str] = "LinesPanel { scrollbar-size-vertical: 1; }"

    def __init__(self, title: str, palette: Palette, *, id: str) -> None:  # noqa: A002
        super().__init__(wrap=True, min_width=1, max_lines=MAX_LINES, id=id)
        self._title, self.palette = title, palette
        self._unseen = 0
        self._told: list[LogLine] = []
        self._is_short = False
        self._width = 0

    def shorten(self, is_short: bool) -> None:
        """Show the short lines, or the whole ones."""
        if is_short != self._is_short:
            self._is_short = is_short
            self.fold()

    def tell(self, line: LogLine) -> None:
        """Add a line."""
        self._told = [*self._told[-MAX_LINES:], line]
        if self._width:
            at_end = self.is_vertical_scroll_end
            self._count(0 if at_end else self._unseen + 1)
            self.write(Segments(self._folded(line)), scroll_end=at_end)

    def rename(self, title: str) -> None:
        """Change the title."""
        self._title = title
        self._count(self._unseen)

    def _count(self, unseen: int) -> None:
        """Say in the title how many lines came below those that are shown."""
        self._unseen = unseen
        new = ngettext("{count} new line below", "{count} new lines below", unseen)
        self.border_title = f"{self._title}: {new}" if unseen else self._title

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """At the end, nothing is new any more."""
        super().watch_scroll_y(old_value, new_value)
        if self._unseen and self.is_vertical_scroll_end:
            self._count(0)

    def tell_anew(self, lines: Sequence[LogLine]) -> None:
        """Show these lines and no others."""
        self._told = list(lines)
        self._count(0)
        self.clear()
        if self._width and self._told:
            folded = [[*self._folded(line), Segment.line()] for line in self._told]
            self.write(Segments(chain.from_iterable(folded)))  # as one, which is much faster

    def on_resize(self, event: events.Resize) -> None:
        """Fold again, when the size has settled: the layout passes through some on its way."""
        if self._width:
            self.set_timer(SETTLED_S, self._follow)
        else:
            self._follow()

    def _follow(self) -> None:
        width = self.scrollable_content_region.width
        if width != self._width:
            self._width = width
            self.fold()

    def fold(self) -> None:
        """Draw all lines again."""
        self.tell_anew(self._told)

    def _folded(self, line: LogLine) -> list[Segment]:
        """A line as segments, with line ends where it is folded."""
        style = self.palette.style
        shown = line.short if self._is_short and line.short is not None else line.text
        pieces = [
            (piece, style(name.removeprefix("class:"))) for name, piece in fold(shown, self._width)
        ]
        rows = "".join(piece for piece, _ in pieces).split("\n")
        if max(map(cell_len, rows)) <= self._width:
            return [Segment(*piece) for piece in pieces]
        text, console = Text.assemble(*pieces, overflow="fold", end=""), self.app.console
        return list(console.render(text, console.options.update_width(self._width)))


def styled_line(mark: str, text: str, tags: dict[str, str]) -> Fragments:
    """One plain line in colours; without its number, which nobody types here."""
    line = style_line(mark, text, tags)
    return [piece for piece in line if piece[0] != "class:number"]
