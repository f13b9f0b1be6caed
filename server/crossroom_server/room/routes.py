"""Routes each command to its handler, with the checks that come before.

Each command has one route, which sessions, rooms and nodes read.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from crossroom_engine.core.moves import Accept, Move, Pass
from crossroom_protocol.commands import analysis as analysis_commands
from crossroom_protocol.commands import connection as connection_commands
from crossroom_protocol.commands import moderation as moderation_commands
from crossroom_protocol.commands import moves as move_commands
from crossroom_protocol.commands import offers as offer_commands
from crossroom_protocol.commands import profiles as profile_commands
from crossroom_protocol.commands import queries as query_commands
from crossroom_protocol.commands import table as table_commands
from crossroom_protocol.commands import talk as talk_commands
from crossroom_protocol.commands.base import REST, Command, MoveCommand, fields
from crossroom_protocol.notices import Role
from crossroom_server.room import analysis_jobs, commands
from crossroom_server.room.analysis_jobs import AnalysisJob
from crossroom_server.room.parts import Asked, RoomParts
from crossroom_server.table import (
    moderation,
    move_parsing,
    offer_rules,
    queries,
    table,
    talk,
    trial_play,
)
from crossroom_server.table.move_parsing import ReadMove
from crossroom_server.table.queries import Notices, QueryContext
from crossroom_server.table.state import CommandContext, Events, Table

C = TypeVar("C", bound=Command)
M = TypeVar("M", bound=MoveCommand)

Scope: TypeAlias = Literal["connection", "lobby", "room", "table"]
"""The object of a command: the connection, all rooms, the room, or the table alone."""
Kind: TypeAlias = Literal[
    "move", "talk", "whisper", "settings", "offer", "moderation", "query", "job", "other"
]
"""Selects the checks before a command; see :mod:`crossroom_server.room.dispatch`."""
Decide: TypeAlias = Callable[[CommandContext, C], Events]
Prepare: TypeAlias = Callable[[QueryContext, C], AnalysisJob]
Act: TypeAlias = Callable[[RoomParts, Asked, C], Awaitable[None]]


@dataclass(frozen=True)
class Route(Generic[C]):
    """The handler of a command; its requirements (a name, a seat) are in the command's class.

    Attributes:
        command: Its class.
        scope: Its object. The handlers of ``connection`` and ``lobby`` are in
            :data:`crossroom_server.session.commands.HANDLERS`.
        kind: Selects the checks before it.
        decide: Decides its events at the table.
        answer: Answers it.
        prepare: Prepares a job that finds the answer; with ``decide``, sending that has events.
        act: Carries it out in a room, where it needs more than the table.
        pick: Picks another route, by the arguments and the state of the table.
        role: The least role that may give it, if it is of the kind ``moderation``.
        writes: Does it count among the written lines of an address?
        retry_safe: May a cluster ask again if the first answer is lost?
        begins_game: Is it refused while the server waits for its last games?
        secret_field: A field that the room is given as a hash.
    """

    command: type[C]
    scope: Scope
    kind: Kind
    decide: Decide[C] | None = None
    answer: Callable[[QueryContext, C], Notices] | None = None
    prepare: Prepare[C] | None = None
    act: Act[C] | None = None
    pick: "Callable[[C, Table], Route[C]] | None" = None
    role: Role = "moderator"
    writes: bool = True
    retry_safe: bool = False
    begins_game: bool = False
    secret_field: str | None = None

    @cached_property
    def text_field(self) -> str | None:
        """The field of the message, to which the word filter applies."""
        declared = fields(self.command) if self.kind in ("talk", "whisper") else {}
        return next((name for name, field in declared.items() if REST in field.metadata), None)


def _move(command: type[M], read: ReadMove[M, Move]) -> Route[M]:
    return Route(command, "table", "move", decide=partial(table.make_move, read))


def _query(
    command: type[C], answer: Callable[[QueryContext, C], Notices], scope: Scope = "table"
) -> Route[C]:
    return Route(command, scope, "query", answer=answer, writes=False, retry_safe=True)


def _moderation(command: type[C], decide: Decide[C], role: Role = "moderator") -> Route[C]:
    return Route(command, "table", "moderation", decide=decide, role=role)


def _aside(command: type[C], scope: Scope) -> Route[C]:
    """Return the route of a command that the session carries out."""
    return Route(command, scope, "other", writes=False)


_SHOW_SETTINGS: Final = _query(table_commands.SetCommand, queries.settings)
_SET_SLOW: Final = _moderation(table_commands.SetCommand, moderation.set_slow)
_SET_RULE: Final = Route(table_commands.SetCommand, "table", "settings", decide=table.change_rules)
_BEGIN: Final = Route(table_commands.ReadyCommand, "table", "settings", decide=table.agree)
_GO_ON: Final = Route(
    table_commands.ReadyCommand, "table", "offer", decide=offer_rules.agree_to_continue
)
_SHOW_LEVELS: Final = _query(table_commands.BotCommand, queries.levels)
_ADD_BOT: Final = Route(table_commands.BotCommand, "room", "other", act=commands.seat_bot)
_REMOVE_BOT: Final = Route(table_commands.BotCommand, "room", "other", act=commands.remove_bot)
_DECLARE_PROGRAM: Final = Route(
    table_commands.BotCommand, "table", "other", decide=table.declare_program
)
_EXPORT: Final = _query(analysis_commands.ExportCommand, queries.export)
_EXPORT_EARLIER: Final = Route(
    analysis_commands.ExportCommand, "room", "query", act=commands.export_earlier
)
_ANNOTATE: Final = Route(
    analysis_commands.ExportCommand, "room", "job", prepare=analysis_jobs.annotate
)


def _pick_set(command: table_commands.SetCommand, _: Table) -> Route[table_commands.SetCommand]:
    if not command.value:
        return _SHOW_SETTINGS
    return _SET_SLOW if command.setting.lower() == "slow" else _SET_RULE


def _pick_ready(_: table_commands.ReadyCommand, at: Table) -> Route[table_commands.ReadyCommand]:
    return _GO_ON if at.playing is not None and at.playing.adjourned else _BEGIN


def _pick_bot(command: table_commands.BotCommand, _: Table) -> Route[table_commands.BotCommand]:
    return {
        "add": _ADD_BOT,
        "remove": _REMOVE_BOT,
        "levels": _SHOW_LEVELS,
        "me": _DECLARE_PROGRAM,
    }[command.action]


def _pick_export(
    command: analysis_commands.ExportCommand, _: Table
) -> Route[analysis_commands.ExportCommand]:
    if command.game:
        return _EXPORT_EARLIER
    return _ANNOTATE if command.form == "analysis" else _EXPORT


def _table(*routes: object) -> Mapping[type[Command], Route[Any]]:
    # Of any type, so that the checker compares each command with its own handler.
    found = {route.command: route for route in routes if isinstance(route, Route)}
    if len(found) < len(routes):
        raise ValueError("a command has two routes")
    return found


ROUTES: Final = _table(
    # Moves.
    _move(move_commands.PlayCommand, move_parsing.read_play),
    _move(move_commands.ExchangeCommand, move_parsing.read_exchange),
    _move(move_commands.PassCommand, lambda *_: Pass()),
    _move(move_commands.ChallengeCommand, move_parsing.read_challenge),
    _move(move_commands.AcceptCommand, lambda *_: Accept()),
    _move(move_commands.ResignCommand, move_parsing.read_resign),
    # Talk.
    Route(talk_commands.NameCommand, "connection", "other", act=commands.take_name),
    Route(talk_commands.MeCommand, "table", "talk", decide=talk.emote),
    Route(talk_commands.SayCommand, "table", "talk", decide=talk.say),
    Route(talk_commands.TellCommand, "room", "whisper", act=commands.whisper),
    _aside(profile_commands.RegisterCommand, "connection"),
    # Seats, rules and bots.
    Route(table_commands.SitCommand, "table", "settings", decide=table.take_seat),
    Route(table_commands.WatchCommand, "table", "other", decide=table.watch),
    Route(table_commands.ReadyCommand, "table", "settings", pick=_pick_ready, begins_game=True),
    Route(table_commands.SetCommand, "connection", "settings", pick=_pick_set),
    Route(table_commands.BotCommand, "room", "other", pick=_pick_bot, begins_game=True),
    Route(table_commands.InviteCommand, "room", "other", act=commands.invite),
    # These two only ask, but count as written down.
    Route(table_commands.SeatsCommand, "table", "query", answer=queries.seats),
    Route(table_commands.WhoCommand, "table", "query", answer=queries.who),
    # Offers.
    Route(offer_commands.UndoCommand, "table", "offer", decide=offer_rules.offer),
    Route(offer_commands.AbortCommand, "table", "offer", decide=offer_rules.offer),
    Route(offer_commands.AdjournCommand, "table", "offer", decide=offer_rules.offer),
    Route(offer_commands.AgreeCommand, "table", "offer", decide=offer_rules.accept),
    Route(offer_commands.DeclineCommand, "table", "offer", decide=offer_rules.decline),
    Route(offer_commands.NudgeCommand, "room", "other", act=commands.nudge),
    # Moderation.
    _moderation(moderation_commands.RoleCommand, moderation.give_role, "owner"),
    _moderation(moderation_commands.KickCommand, moderation.kick),
    _moderation(moderation_commands.BanCommand, moderation.ban),
    _moderation(moderation_commands.UnbanCommand, moderation.unban),
    Route(moderation_commands.BansCommand, "table", "query", answer=queries.banned),
    _moderation(moderation_commands.MuteCommand, moderation.mute),
    _moderation(moderation_commands.UnmuteCommand, moderation.unmute),
    Route(
        moderation_commands.LockCommand,
        "table",
        "moderation",
        decide=moderation.lock,
        secret_field="password",
    ),
    _moderation(moderation_commands.UnlockCommand, moderation.unlock),
    # Questions about the game.
    _query(query_commands.RackCommand, queries.rack),
    _query(query_commands.ShuffleCommand, queries.shuffle),
    _query(query_commands.BoardCommand, queries.board),
    _query(query_commands.SquareCommand, queries.square),
    _query(query_commands.ScoreCommand, queries.score),
    _query(query_commands.HistoryCommand, queries.history),
    _query(query_commands.BagCommand, queries.bag),
    _query(query_commands.ClockCommand, queries.clock),
    _query(query_commands.StateCommand, queries.state),
    _query(analysis_commands.TryCommand, trial_play.try_play),
    _query(analysis_commands.CheckCommand, queries.check),
    _query(query_commands.RulesCommand, queries.rules, "connection"),
    Route(
        analysis_commands.RecallCommand,
        "room",
        "query",
        act=commands.recall,
        writes=False,
        retry_safe=True,
    ),
    Route(
        analysis_commands.HintCommand,
        "room",
        "job",
        decide=table.take_hint,
        prepare=analysis_jobs.hint,
        retry_safe=True,
    ),
    Route(
        analysis_commands.AnalyzeCommand,
        "room",
        "job",
        prepare=analysis_jobs.analyze,
        writes=False,
        retry_safe=True,
    ),
    Route(
        analysis_commands.ExportCommand,
        "room",
        "job",
        pick=_pick_export,
        writes=False,
        retry_safe=True,
    ),
    # The server, and its other rooms.
    _aside(table_commands.RoomsCommand, "lobby"),
    _aside(offer_commands.StoredCommand, "lobby"),
    _aside(profile_commands.TurnsCommand, "lobby"),
    _aside(profile_commands.StatsCommand, "lobby"),
    _aside(profile_commands.TopCommand, "lobby"),
    _aside(profile_commands.GamesCommand, "lobby"),
    _aside(profile_commands.MyDataCommand, "lobby"),
    # The connection.
    _aside(query_commands.HelpCommand, "connection"),
    _aside(table_commands.JoinCommand, "connection"),
    _aside(table_commands.LeaveCommand, "connection"),
    _aside(connection_commands.ResumeCommand, "connection"),
    Route(connection_commands.LinkCommand, "room", "other", act=commands.link_seat),
    _aside(connection_commands.HelloCommand, "connection"),
    _aside(connection_commands.PingCommand, "connection"),
    _aside(connection_commands.QuitCommand, "connection"),
)
