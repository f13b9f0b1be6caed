"""Answers queries from the view of the reader, changing nothing."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from crossroom_engine.bots import LEVELS
from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.events import Event
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.game.views import View, redact
from crossroom_engine.records.gcg_write import write_gcg
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.commands.analysis import CheckCommand, ExportCommand
from crossroom_protocol.commands.moderation import BansCommand
from crossroom_protocol.commands.queries import (
    BagCommand,
    BoardCommand,
    ClockCommand,
    HistoryCommand,
    RackCommand,
    RulesCommand,
    ScoreCommand,
    ShuffleCommand,
    SquareCommand,
    StateCommand,
)
from crossroom_protocol.commands.table import BotCommand, SeatsCommand, SetCommand, WhoCommand
from crossroom_protocol.notices import AnyNotice, Invitation, Note, Picture, RoomView, YourState
from crossroom_protocol.text import sheets
from crossroom_protocol.text.rules_text import rules_lines
from crossroom_protocol.text.spoken_board import line_text, square_text
from crossroom_server.identity.urls import http_url
from crossroom_server.table.moderation import ban_lines
from crossroom_server.table.state import Sources, Table


@dataclass(frozen=True)
class QueryContext:
    """All that answering a query may consult.

    ``room`` and ``seat`` are those of the asker, or a watcher's if the answer is for everybody;
    ``table`` is unredacted, and only ``record`` may read its events.
    """

    room: RoomView
    table: Table
    seat: int | None
    sources: Sources

    @property
    def game(self) -> View:
        """The game as the reader sees it.

        Raises:
            Refusal: ``NO_GAME``.
        """
        if self.room.game is None:
            raise Refusal("NO_GAME", "no game has begun; /ready when you agree to the rules (/r)")
        return self.room.game

    @property
    def rules(self) -> Ruleset:
        """The rules of the game or, before the first, of the next."""
        return self.table.game.rules if self.table.game else self.table.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The players, by seat."""
        return tuple(player.name for player in self.game.players)

    @property
    def record(self) -> tuple[Event, ...]:
        """The events of the game as they may be heard; all of it once the game is over."""
        if self.table.playing is None:
            return self.table.record
        return tuple(redact(event, self.seat) for event in self.table.record)


Notices: TypeAlias = Iterable[AnyNotice]


def rules(at: QueryContext, command: RulesCommand) -> Notices:
    """Answer /rules."""
    return [Note(about="rules", lines=rules_lines(at.table.rules, command.section))]


def settings(at: QueryContext, command: SetCommand) -> Notices:
    """Answer /set without a value."""
    lines, name = sheets.settings_lines(at.table.rules, at.table.permissions.slow), command.setting
    wanted = tuple(line for line in lines if line.startswith(f"{name.lower()} ")) if name else lines
    if not wanted:
        raise Refusal("BAD_SETTING", "there is no setting {name!r}; /set lists them", name=name)
    return [Note(about="settings", lines=wanted)]


def seats(at: QueryContext, _: SeatsCommand) -> Notices:
    """Answer /seats."""
    return [Note(about="seats", lines=sheets.seat_lines(at.room))]


def who(at: QueryContext, _: WhoCommand) -> Notices:
    """Answer /who."""
    return [Note(about="who", lines=sheets.who_lines(at.room))]


def banned(at: QueryContext, _: BansCommand) -> Notices:
    """Answer /bans."""
    if at.room.role not in ("owner", "moderator"):
        raise Refusal("NEED_ROLE", "this is for the owner of the room and the moderators")
    return [Note(about="bans", lines=ban_lines(at.table.permissions, at.sources.now()))]


def levels(_: QueryContext, __: BotCommand) -> Notices:
    """Answer /bot levels."""
    lines = (f"{level.name}: {gettext(level.description)}" for level in LEVELS.values())
    return [Note(about="levels", lines=(*lines, gettext("/bot add LEVEL seats one")))]


def check(at: QueryContext, command: CheckCommand) -> Notices:
    """Answer /check. RULES 8.3: while plays may be challenged, as ``look_ups`` says."""
    game = at.table.playing
    if game is not None and game.rules.may_challenge:
        if game.rules.look_ups == "off":
            raise Refusal("GAME_ON", "no look-ups during this game; /check after it")
        if game.rules.look_ups == "own" and at.seat is None:
            raise Refusal("GAME_ON", "during this game, look-ups are for players and them alone")
    digest, of = (game.digest, game.rules) if game is not None else (None, at.table.rules)
    lexicon = at.sources.lexica.get(of.lexicon, digest)
    lines = tuple(
        gettext("{word} is in the word list", word=word)
        if word in lexicon
        else gettext("{word} is not in the word list", word=word)
        for word in command.words.upper().split()
    )
    return [Note(about="check", lines=lines)]


def state(at: QueryContext, _: StateCommand) -> Notices:
    """Answer /state."""
    return [YourState(room=at.room)]


def rack(at: QueryContext, __: RackCommand) -> Notices:
    """Answer /rack."""
    _ = at.game  # there must be one
    return [YourState(room=at.room)]


def shuffle(at: QueryContext, _: ShuffleCommand) -> Notices:
    """Answer /shuffle."""
    tiles = list(at.game.rack)
    at.sources.random.shuffle(tiles)
    return [Note(about="rack", lines=(" ".join(tiles) or gettext("no tiles"),))]


def board(at: QueryContext, command: BoardCommand) -> Notices:
    """Answer /board.

    Raises:
        Refusal: ``BAD_ARGS``, the board has no such line.
    """
    if command.line is None:
        return [sheets.board_picture(at.rules, at.game)]
    with _on_the_board(at.rules):
        return [Note(about="line", lines=tuple(line_text(at.rules, at.game, command.line)))]


def square(at: QueryContext, command: SquareCommand) -> Notices:
    """Answer /square.

    Raises:
        Refusal: ``BAD_ARGS``, the board has no such square.
    """
    with _on_the_board(at.rules):
        lines = square_text(at.rules, at.game, Spot.parse(command.at).square)
    return [Note(about="square", lines=tuple(lines))]


@contextmanager
def _on_the_board(rules: Ruleset) -> Iterator[None]:
    try:
        yield
    except IndexError:
        last = Square(rules.layout.height - 1, rules.layout.width - 1)
        raise Refusal("BAD_ARGS", "the squares of this board are 1A to {last}", last=last) from None


def score(at: QueryContext, _: ScoreCommand) -> Notices:
    """Answer /score."""
    return [sheets.score_sheet(at.names, at.record)]


def history(at: QueryContext, command: HistoryCommand) -> Notices:
    """Answer /history."""
    return [sheets.history(at.names, at.record, command.last)]


def bag(at: QueryContext, _: BagCommand) -> Notices:
    """Answer /bag."""
    return [sheets.bag_note(at.game, at.rules.tiles)]


def clock(at: QueryContext, _: ClockCommand) -> Notices:
    """Answer /clock."""
    return [sheets.clock_note(at.game, at.rules, at.sources.now())]


def export(at: QueryContext, command: ExportCommand) -> Notices:
    """Answer /export, but for the form with an analysis."""
    if at.table.playing is not None and command.form != "text":
        raise Refusal("GAME_ON", "the racks are part of the record; wait until the game is over")
    return [export_record(at.names, at.record, command.form)]


def export_record(names: Sequence[str], record: Sequence[Event], form: str) -> Picture:
    """Write a game down: as gcg, text or json."""
    if form == "text":
        return sheets.text_record(names, record)
    text = write_gcg(record) if form == "gcg" else sheets.export_json(record)
    return Picture(about=form, lines=tuple(text.splitlines()))


def invitation(base_url: str, room: str, token: str = "") -> Invitation:
    """Return the commands and the page that lead to a room, with the *token* if it is locked.

    The token goes behind ``#``, which clients do not send in a request, so that no server logs it.
    """
    address, secret = f"{base_url}/t/{room}", f"#{token}" if token else ""
    page = f"{http_url(address)}{secret}"
    lines = [
        f"crossroom join {address}{secret}",
        f"wscat -c {address}",
        f"python3 -m websockets {address}",
        gettext("in a browser: {page}", page=page),
    ]
    if token:
        then = Phrase("once, and within a day, with nc, wscat or websockets: /join {room} {token}")
        lines.append(gettext(then, room=room, token=token))
    return Invitation(page=page, lines=tuple(lines))
