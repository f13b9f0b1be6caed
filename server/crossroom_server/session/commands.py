"""Handlers of the commands that the connection carries out itself, or looks at first."""

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias, TypeVar

from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.tokens import SEAT_TOKEN
from crossroom_protocol.base.translate import gettext, using_language
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.connection import (
    HelloCommand,
    PingCommand,
    QuitCommand,
    ResumeCommand,
)
from crossroom_protocol.commands.offers import StoredCommand
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.commands.profiles import (
    GamesCommand,
    MyDataCommand,
    RegisterCommand,
    StatsCommand,
    TopCommand,
    TurnsCommand,
)
from crossroom_protocol.commands.queries import HelpCommand, RulesCommand
from crossroom_protocol.commands.table import (
    JoinCommand,
    LeaveCommand,
    RoomsCommand,
    SetCommand,
)
from crossroom_protocol.commands.talk import NameCommand
from crossroom_protocol.notices import DISPLAY_SETTINGS, PROTOCOL_VERSION, YourName
from crossroom_protocol.text.help_text import help_lines
from crossroom_protocol.text.rules_text import rules_lines
from crossroom_server.identity import names
from crossroom_server.session import lobby_commands, name_claims, personal_data
from crossroom_server.session.display_settings import (
    setting_line,
    with_display_setting,
)
from crossroom_server.session.session import Session
from crossroom_server.table.state import Person

Mode: TypeAlias = Literal["plain", "tags", "json"]
C = TypeVar("C", bound=Command)

Handler: TypeAlias = Callable[[Session, Request, Any], Awaitable[None]]
"""Carries out a command, which the request holds, too; may raise a :exc:`Refusal`."""


async def join(session: Session, _: Request, command: JoinCommand) -> None:
    """Enter a room, and leave the one before."""
    await enter_room(session, command.room, command.key)


async def enter_room(session: Session, name: str, key: str = "") -> None:
    """Enter the room *name*, with a *key* if it is locked, and leave the one before."""
    server, name = session.server, names.check_room_name(name)
    server.check_not_draining()
    if key.startswith(SEAT_TOKEN):
        await redeem_link(session, name, key)
        return
    if server.is_private:
        if await server.admit(session.address, key):
            session.is_invited, key = True, ""
        session.check_admitted()
    if session.name is not None:  # they get a code and a seat, and leave it: all written down
        server.count_written_line(session.address)
    server.count_new_room(session.address, name)
    room = await server.lobby.locate(name)
    if room is session.room:
        await room.enter(session, None)
        return
    with room.pinned():
        async with (
            server.guess_limiter.attempt(session.address) if key else contextlib.nullcontext()
        ):
            proof = await room.check_key(session, key)
        await session.leave()
        session.room = room
        try:
            await room.enter(session, session.name, proof)
        except Refusal:
            if session not in room:  # a name that cannot be had is no reason to be out
                session.room = None
            raise
        session.is_named_here = session.name is not None


async def redeem_link(session: Session, name: str, token: str) -> None:
    """Take over the seat in the room *name* that the link with this *token* leads to."""
    server = session.server
    server.count_new_room(session.address, name)
    room = await server.lobby.locate(name)
    async with server.guess_limiter.attempt(session.address):
        code = await room.redeem_link(token)
    known = await come_back(session, code)
    session.tell(YourName(name=known.name, code=code, registered=known.registered))


async def resume(session: Session, _: Request, command: ResumeCommand) -> None:
    """Come back to a seat, and leave the room before."""
    await come_back(session, command.code, command.seq)


async def come_back(session: Session, code: str, seq: int | None = None) -> Person:
    """Come back to the seat of a *code*, and hear all after *seq*; return who they are."""
    server = session.server
    async with server.guess_limiter.attempt(session.address):
        room, known = await server.lobby.find_by_code(code)
    await name_claims.check_name_kept(server, session, room, known.person)
    server.count_written_line(session.address)
    style = session.style
    if known.reader:
        session.style = replace(style, reader=True)
    with room.pinned():
        try:
            await room.rejoin(session, known, seq)
        except Refusal:
            session.style = style
            if room is session.room and session not in room:  # they had another name here
                await session.leave()
            elif room is not session.room and session in room:  # nobody would ever take them out
                await room.leave(session)
            raise
    if room is not session.room:
        await session.leave()
    session.room, session.name, session.is_named_here = room, known.person.name, True
    if session.style.reader != known.reader:
        await room.restyle(session)
    return known.person


async def leave(session: Session, request: Request, _: LeaveCommand) -> None:
    """Leave the room."""
    assert session.room is not None, "the command needs a room"
    name = session.room.name
    await session.leave()
    told = gettext(
        "you have left {name}; /resume CODE comes back to your seat, /rooms lists the open rooms",
        name=name,
    )
    session.answer(request, [told], "left")


async def take_name(session: Session, request: Request, command: NameCommand) -> None:
    """Take a name, in the room or for the next one."""
    session.server.word_filter.check_name(command.name)
    room = session.room_for(command) if session.room is not None else None
    name = await name_claims.prove_name(session.server, session, command.name, command.code)
    if room is not None:
        registered = command.model_copy(update={"name": name})
        await room.ask(session, replace(request, command=registered))
    session.name, session.is_named_here = names.check_name(name), room is not None
    if room is None:
        session.answer(request, [gettext("you are {name}; now /join ROOM", name=session.name)])


async def register(session: Session, request: Request, _: RegisterCommand) -> None:
    """Register the name that somebody has."""
    if session.name is None or (session.room is not None and not session.is_named_here):
        raise Refusal("NEED_NAME", "take the name first: /name YOURNAME")
    claim = await name_claims.register_name(session.server, session, session.name)
    if session.room is not None:
        with contextlib.suppress(Refusal):  # the next time they take the name, it is known
            await session.room.mark_registered(session)
    session.tell(claim, label=request.label)


async def change_setting(session: Session, request: Request, command: SetCommand) -> None:
    """Change a display setting, or have the room change a rule."""
    if command.setting not in DISPLAY_SETTINGS:
        await session.room_for(command).ask(session, request)
        return
    style = with_display_setting(session.style, command.setting, command.value)
    if style.reader != session.style.reader:  # which is stored
        session.server.count_written_line(session.address)
    await session.change_style(style)
    session.answer(request, [setting_line(style, command.setting)], "settings")


async def hello(session: Session, request: Request, command: HelloCommand) -> None:
    """Choose between plain, tags and JSON mode, which nothing leads out of."""
    if session.style.mode != "json":
        mode: Mode = "json" if command.json_ else "tags" if command.tags else "plain"
        style = replace(session.style, mode=mode)
        await session.change_style(style)
    told = gettext(
        "protocol {protocol}; {mode} mode", protocol=PROTOCOL_VERSION, mode=session.style.mode
    )
    session.answer(request, [told])


async def ping(session: Session, request: Request, _: PingCommand) -> None:
    """Answer that the connection works."""
    session.answer(request, ["pong"])


async def say_goodbye(session: Session, request: Request, _: QuitCommand) -> None:
    """Let the connection end."""
    session.answer(request, ["bye"], "bye")
    session.has_quit = True


async def give_help(session: Session, request: Request, command: HelpCommand) -> None:
    """List the commands, or explain one."""
    with using_language(session.style.language):
        session.answer(request, help_lines(command.about))


async def show_rules(session: Session, request: Request, command: RulesCommand) -> None:
    """Show the rules: those of the room, or the official ones."""
    if session.room is not None:
        await session.room_for(command).ask(session, request)
        return
    with using_language(session.style.language):
        session.answer(request, rules_lines(PRESETS["official"], command.section))


def _handler(
    command: type[C], handler: Callable[[Session, Request, C], Awaitable[None]]
) -> tuple[type[Command], Handler]:
    """Return both, once the type checker has compared them."""
    return command, handler


HANDLERS: Final[Mapping[type[Command], Handler]] = dict(
    [
        _handler(JoinCommand, join),
        _handler(ResumeCommand, resume),
        _handler(LeaveCommand, leave),
        _handler(NameCommand, take_name),
        _handler(RegisterCommand, register),
        _handler(SetCommand, change_setting),
        _handler(HelloCommand, hello),
        _handler(PingCommand, ping),
        _handler(QuitCommand, say_goodbye),
        _handler(HelpCommand, give_help),
        _handler(RulesCommand, show_rules),
        _handler(RoomsCommand, lobby_commands.list_rooms),
        _handler(StoredCommand, lobby_commands.list_unfinished),
        _handler(TurnsCommand, lobby_commands.list_turns),
        _handler(StatsCommand, lobby_commands.show_profile),
        _handler(TopCommand, lobby_commands.show_top),
        _handler(GamesCommand, lobby_commands.list_games),
        _handler(MyDataCommand, personal_data.show_or_erase),
    ]
)
"""The handler of each command whose route has the scope of the connection, or of the lobby."""
