"""Answers to the commands that ask and change nothing, from what the asker may see."""

from collections.abc import Iterable
from dataclasses import dataclass

from crossroom_engine.bots import LEVELS
from crossroom_engine.core.events import Event
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.game.views import View, redact
from crossroom_engine.records.gcg_write import write_gcg
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.commands.base import Command
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
    StateCommand,
)
from crossroom_protocol.commands.study import CheckCommand, ExportCommand, TryCommand
from crossroom_protocol.commands.table import BotCommand, SeatsCommand, SetCommand, WhoCommand
from crossroom_protocol.notices import AnyNotice, Invitation, Note, Picture, RoomView, YourState
from crossroom_protocol.text import sheets
from crossroom_protocol.text.rules_text import rules_lines
from crossroom_server.identity.urls import http_url
from crossroom_server.table.moderation import bans
from crossroom_server.table.state import Sources, Table
from crossroom_server.table.trial_play import tried


@dataclass(frozen=True)
class Question:
    """A command with what its answer may draw on.

    ``room`` and ``seat`` are the asker's; ``table`` is the whole truth, secrets included, and only
    :func:`_record` may look at its events.
    """

    command: Command
    room: RoomView
    table: Table
    seat: int | None
    base_url: str
    sources: Sources


def answer(question: Question) -> Iterable[AnyNotice]:
    """The notices that answer a question.

    Raises:
        Refusal: there is no answer; the prose says why.
    """
    table, room = question.table, question.room
    match question.command:
        case RulesCommand(section=section):
            return [Note(about="rules", lines=rules_lines(table.rules, section))]
        case SetCommand(setting=setting):
            return [Note(about="settings", lines=_settings(table, setting))]
        case SeatsCommand():
            return [Note(about="seats", lines=sheets.seat_lines(room))]
        case WhoCommand():
            return [Note(about="who", lines=sheets.who_lines(room))]
        case BansCommand():
            if room.role not in ("owner", "moderator"):
                raise Refusal("NEED_ROLE", "this is for the owner of the room and the moderators")
            return [Note(about="bans", lines=bans(table.order, question.sources.now()))]
        case BotCommand():
            return [Note(about="levels", lines=_levels())]
        case CheckCommand(words=words):
            return [Note(about="check", lines=_check(question, words))]
        case StateCommand():
            return [YourState(room=room)]
        case TryCommand() as command:
            return [tried(table, question.seat, command, question.sources)]
        case _:
            return _about_game(question, _game(question))


def _about_game(question: Question, game: View) -> Iterable[AnyNotice]:
    rules = question.table.game.rules if question.table.game else question.table.rules
    names = tuple(player.name for player in game.players)
    match question.command:
        case RackCommand():
            return [YourState(room=question.room)]
        case ShuffleCommand():
            tiles = list(game.rack)
            question.sources.random.shuffle(tiles)
            return [Note(about="rack", lines=(" ".join(tiles) or gettext("no tiles"),))]
        case BoardCommand():
            return [sheets.board_picture(rules, game)]
        case ScoreCommand():
            return [sheets.score_sheet(names, _record(question))]
        case HistoryCommand(last=last):
            return [sheets.history(names, _record(question), last)]
        case BagCommand():
            return [sheets.bag_note(game, rules.tiles)]
        case ClockCommand():
            return [sheets.clock_note(game, rules, question.sources.now())]
        case ExportCommand(form=form):
            return [_export(question, form)]
        case _:
            raise AssertionError(f"/{question.command.do} is no question")


def _game(question: Question) -> View:
    if question.room.game is None:
        raise Refusal("NO_GAME", "no game has begun; /ready when you agree to the rules (/r)")
    return question.room.game


def _record(question: Question) -> tuple[Event, ...]:
    """The events of the game as the asker may hear them; all of it once the game is over."""
    record = question.table.record
    if question.table.playing is None:
        return record
    return tuple(redact(event, question.seat) for event in record)


def _export(question: Question, form: str) -> Picture:
    if form == "text":
        names = tuple(player.name for player in _game(question).players)
        return sheets.text_record(names, _record(question))
    if question.table.playing is not None:
        raise Refusal("GAME_ON", "the racks are part of the record; wait until the game is over")
    record = question.table.record
    text = write_gcg(record) if form == "gcg" else sheets.export_json(record)
    return Picture(about=form, lines=tuple(text.splitlines()))


def _settings(table: Table, name: str) -> tuple[str, ...]:
    lines = sheets.settings_lines(table.rules, table.order.slow)
    wanted = tuple(line for line in lines if line.startswith(f"{name.lower()} ")) if name else lines
    if not wanted:
        raise Refusal("BAD_SETTING", "there is no setting {name!r}; /set lists them", name=name)
    return wanted


def _check(question: Question, words: str) -> tuple[str, ...]:
    """Whether words are in the list. RULES 8.3: not while plays may be challenged."""
    table = question.table
    rules = table.playing.rules if table.playing else table.rules
    if table.playing is not None and rules.may_challenge:
        raise Refusal("GAME_ON", "words are for you to judge here; /challenge, or ask afterwards")
    digest = table.playing.digest if table.playing else None
    lexicon = question.sources.lexica.get(rules.lexicon, digest)
    return tuple(
        gettext("{word} is in {name}", word=word, name=lexicon.name)
        if word in lexicon
        else gettext("{word} is not in {name}", word=word, name=lexicon.name)
        for word in words.upper().split()
    )


def _levels() -> tuple[str, ...]:
    lines = (f"{level.name}: {gettext(level.description)}" for level in LEVELS.values())
    return (*lines, gettext("/bot add LEVEL seats one"))


def invitation(base_url: str, room: str, token: str = "") -> Invitation:
    """What to send to a friend, for each kind of client; with what lets them in if it is locked.

    The token is in no address that is asked for, as these end up in logs: `crossroom join` and the
    page keep to themselves what follows ``#``, and say it in the room's own line.
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
        then = Phrase("once, and within a day, with wscat or websockets: /join {room} {token}")
        lines.append(gettext(then, room=room, token=token))
    return Invitation(page=page, lines=tuple(lines))
