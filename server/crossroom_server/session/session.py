"""One connection: reads what it says, answers what needs no room, passes the rest on.

Commands are carried out one after the other. Each that has a label ends in exactly one ``Done`` or
``Refused``, whatever happens.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.base.refusals import CODES, Refusal
from crossroom_protocol.base.translate import gettext, translate, using_language
from crossroom_protocol.commands import parser
from crossroom_protocol.commands.base import QueryCommand
from crossroom_protocol.commands.connection import (
    HelloCommand,
    PingCommand,
    QuitCommand,
    ResumeCommand,
)
from crossroom_protocol.commands.offers import StoredCommand
from crossroom_protocol.commands.parser import ParseError, Request
from crossroom_protocol.commands.profiles import RegisterCommand
from crossroom_protocol.commands.queries import HelpCommand, RulesCommand
from crossroom_protocol.commands.study import HintCommand
from crossroom_protocol.commands.table import (
    BotCommand,
    JoinCommand,
    LeaveCommand,
    ReadyCommand,
    RoomsCommand,
    SetCommand,
)
from crossroom_protocol.commands.talk import NameCommand
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.notices import (
    PROTOCOL_VERSION,
    AnyNotice,
    Done,
    Note,
    ReaderSettings,
    Refused,
    Welcome,
    YourRegistration,
)
from crossroom_protocol.text.help_text import help_lines
from crossroom_protocol.text.rules_text import rules_lines
from crossroom_server.identity import names
from crossroom_server.lobby.room_port import RoomPort
from crossroom_server.net.rate_limits import TokenBucket
from crossroom_server.net.transport import TextTransport
from crossroom_server.session import name_claims
from crossroom_server.session.display_settings import restyled, told_of
from crossroom_server.session.listings import open_rooms, stored_games
from crossroom_server.session.profile_queries import recollect
from crossroom_server.session.server_state import House

log = logging.getLogger(__name__)

BYE: Final = 1000
POLICY: Final = 1008
TRY_LATER: Final = 1013
"""Close codes of the websocket protocol."""
KEPT_OUT: Final = ("NEED_KEY", "BANNED", "SHUTTING_DOWN")
"""Refusals after which somebody stands at the door: they may have a key, or a code."""


class _Gone(Exception):
    """Nobody is there to be answered any more."""


class Session:
    """One connection, as rooms see it: the ``Client`` of :mod:`crossroom_server.room.audience`.

    Args:
        wire: The connection as text.
        house: What it shares with all others.
        style: How it wants to be told, until it says otherwise.
    """

    __slots__ = (
        *("style", "address", "base_url", "proven"),
        *("_wire", "_house", "_metrics", "_bucket", "_room", "_name"),
        *("_is_named_here", "_has_quit", "_closed_with"),
    )

    def __init__(
        self, wire: TextTransport, house: House, style: ReaderSettings | None = None
    ) -> None:
        self.style = style or ReaderSettings()
        self.address, self.base_url = wire.address, wire.base_url
        self._wire, self._house, self._metrics = wire, house, house.metrics
        self._bucket = TokenBucket(house.limits.burst, house.limits.pace)
        self._room: RoomPort | None = None
        self._name: str | None = None
        self.proven: set[str] = set()
        self._is_named_here = False
        self._has_quit = False
        self._closed_with: int | None = None

    def send(self, frames: Sequence[str]) -> None:
        """Send frames without waiting; who reads too slowly is cut off."""
        self._metrics.frames += len(frames)
        self._wire.send(frames)

    def close(self, code: int, reason: str) -> None:
        """Hang up."""
        self._closed_with = self._closed_with or code
        self._wire.close(code, translate(reason, self.style.language))

    def abandon(self) -> None:
        """Hang up at once."""
        self._wire.abort("the server is going down")

    @property
    def unread(self) -> int:
        """Bytes that wait for the peer."""
        return self._wire.unread

    def check(self, now: float) -> None:
        """Cut the peer off if they have stopped reading; *now* in seconds."""
        self._wire.abort_if_stalled(now)

    def tell(self, *notices: AnyNotice, label: str | None = None) -> None:
        """Tell the peer something."""
        for notice in notices:
            self.send(encode(notice, self.style, label))

    async def run(self, texts: AsyncIterator[str], room: str | None = None) -> None:
        """Serve the peer until they are gone.

        Args:
            texts: What they send: lines of text, or in JSON mode an object each.
            room: The name of the room they want to enter at once.
        """
        self._house.arrive(self)
        log.debug("%(address)s: connected", {"address": self.address})
        try:
            if await self._arrive(room):
                await self._listen(texts)
        except _Gone:
            pass
        finally:
            how = "cut" if self._wire.was_cut else str(self._closed_with or "peer")
            log.debug("%(address)s: gone (%(how)s)", {"address": self.address, "how": how})
            self._metrics.ended[how] += 1
            self._house.depart(self)
            await self._leave()

    async def _arrive(self, room: str | None) -> bool:
        """Enter the room, or stay at the door; False if they cannot enter."""
        if room is None:
            self.tell(Welcome(room=None, rules=None))
            return True
        refused = await self._attempt(self._join(room), "join")
        if refused is not None:
            self._metrics.refused[refused.code] += 1
            self.tell(refused)
        if refused is not None and refused.code in KEPT_OUT:
            self.tell(Welcome(room=None, rules=None))
            return True
        if self._room is None and refused is not None:
            self.close(POLICY if refused.code == "NO_ROOM" else TRY_LATER, refused.code)
        return self._room is not None

    async def _listen(self, texts: AsyncIterator[str]) -> None:
        limit = self._house.limits.introduction
        hurry = asyncio.get_running_loop().call_later(limit, self._send_away)
        try:
            async for text in texts:
                for line in [text] if self.style.mode == "json" else text.split("\n"):
                    if line.strip():
                        hurry.cancel()
                        await self._hear(line.rstrip("\r"))
                    if self._has_quit:
                        self.close(BYE, "bye")
                        return
        finally:
            hurry.cancel()

    def _send_away(self) -> None:
        if self._room is None:
            self.close(
                POLICY,
                gettext(
                    "nothing was said for {introduction:.0f} s",
                    introduction=self._house.limits.introduction,
                ),
            )

    async def _hear(self, line: str) -> None:
        """Carry out one line, say how that went, and wait until most of the answer is read."""
        await self._pace()
        if self._closed_with is not None:  # what came too late is neither done nor refused
            raise _Gone
        self._wire.answering = True
        self._metrics.lines += 1
        style, label, refused = self.style, None, None
        try:
            request = self._read(line)
            if request is not None:
                label = request.label
                if request.shown:
                    now, most = asyncio.get_running_loop().time(), self._house.limits.shown
                    self._bucket.take(now, most - 1)
                refused = await self._attempt(self._obey(request), request.command.do)
        except ParseError as no:
            label = no.label
            refused = Refused(code=no.code, command=no.command, text=no.prose)
        if refused is not None or label is not None:
            self.send(encode(refused or Done(), style, label))
        if refused is not None:
            self._metrics.refused[refused.code] += 1
        await self._wire.drained()
        self._wire.answering = False

    async def _attempt(self, work: Awaitable[None], command: str) -> Refused | None:
        """Do something; returns what to say if that was not possible."""
        try:
            await work
        except Refusal as no:
            return Refused(code=no.code, command=command, text=no.prose)
        except Exception:
            told = {"address": self.address, "command": command}
            log.exception("%(address)s: /%(command)s failed", told)
            prose = Phrase("a fault of the server; it has been written down")
            return Refused(code="INTERNAL", command=command, text=prose)
        return None

    async def _pace(self) -> None:
        """Wait until this connection may say something again, or is gone."""
        wait = self._bucket.take(asyncio.get_running_loop().time())
        if not wait:
            return
        try:
            async with asyncio.timeout(wait):
                await self._wire.wait_closed()
        except TimeoutError:
            return
        raise _Gone

    def _read(self, line: str) -> Request | None:
        if self.style.mode == "json":
            return parser.read_json(line)
        label = None
        if self.style.mode == "tags":
            label, line = parser.split_label(line)
        try:
            request = parser.read_line(line, in_room=self._room is not None)
            if request is None and label is not None:
                raise ParseError("BAD_ARGS", "there is nothing behind the label")
        except ParseError as error:
            error.label = label
            raise
        return request and replace(request, label=label)

    async def _obey(self, request: Request) -> None:
        if self._house.closing:
            raise Refusal("SHUTTING_DOWN", CODES["SHUTTING_DOWN"])
        request = request.asking(self._house.mask.covered(request.command))
        match request.command:
            case JoinCommand(room=room, key=key):
                await self._join(room, key)
            case ResumeCommand(code=code, seq=seq):
                await self._resume(code, seq)
            case LeaveCommand() if self._room is not None:
                name = self._room.name
                await self._leave()
                self._note(
                    request,
                    "left",
                    [gettext("you have left {name}; /rooms lists the open ones", name=name)],
                )
            case NameCommand(name=name, code=code) if self._room is None:
                await name_claims.prove(self._house, self, name, code)
                self._name = names.check_name(name)
                self._note(
                    request, "name", [gettext("you are {name}; now /join ROOM", name=self._name)]
                )
            case SetCommand(setting="reader" | "ansi" | "language" as setting, value=value):
                self._note(request, "settings", [await self._set(setting, value)])
            case HelloCommand(tags=tags):
                await self._greet(request, tags)
            case StoredCommand(name=name):
                self._note(
                    request,
                    "stored",
                    await stored_games(self._house.lobby, name or self._name or ""),
                )
            case RegisterCommand():
                self.tell(await self._register(), label=request.label)
            case QuitCommand():
                self._note(request, "bye", ["bye"])
                self._has_quit = True
            case _ if (about := self._look_up_aloud(request)) is not None:
                self._note(request, request.command.do, about)
            case _ if (told := await self._recollect(request)) is not None:
                self.tell(told, label=request.label)
            case _ if self._room is None:
                raise Refusal("NOT_IN_ROOM", "enter a room first: /join ROOM; /rooms lists them")
            case _:
                await self._ask(self._room, request)

    async def _ask(self, room: RoomPort, request: Request) -> None:
        """Have the room do it, if the host and the limits let it."""
        command = request.command
        if isinstance(command, ReadyCommand | BotCommand):
            self._house.check_newcomer()
        if not isinstance(command, QueryCommand) or isinstance(command, HintCommand):
            self._house.check_writing(self.address)
        if isinstance(command, NameCommand):
            await name_claims.prove(self._house, self, command.name, command.code)
        await room.ask(self, request)
        if isinstance(command, NameCommand):
            self._name, self._is_named_here = names.check_name(command.name), True

    def _note(self, request: Request, about: str, text: Iterable[str]) -> None:
        self.tell(Note(about=about, lines=tuple(text)), label=request.label)

    def _look_up_aloud(self, request: Request) -> Sequence[str] | None:
        with using_language(self.style.language):
            return self._look_up(request)

    def _look_up(self, request: Request) -> Sequence[str] | None:
        """The answer to a question that no room is needed for, if it is one."""
        match request.command:
            case HelpCommand(about=about):
                return help_lines(about)
            case PingCommand():
                return ["pong"]
            case RoomsCommand():
                return open_rooms(self._house.lobby)
            case RulesCommand(section=section) if self._room is None:
                return rules_lines(PRESETS["official"], section)
        return None

    async def _set(self, setting: str, value: str) -> str:
        style = restyled(self.style, setting, value)
        if style is not self.style:
            await self._become(style)
        return told_of(style, setting)

    async def _greet(self, request: Request, tags: int) -> None:
        if self.style.mode != "json":
            await self._become(replace(self.style, mode="tags" if tags else "plain"))
        self._note(
            request,
            "hello",
            [
                gettext(
                    "protocol {protocol}; {mode} mode",
                    protocol=PROTOCOL_VERSION,
                    mode=self.style.mode,
                )
            ],
        )

    async def _become(self, style: ReaderSettings) -> None:
        self.style = style
        if self._room is not None:
            await self._room.restyle(self)

    async def _recollect(self, request: Request) -> AnyNotice | None:
        lobby = self._house.lobby
        return await recollect(request.command, lobby, self._room, self._name, self.base_url)

    async def _register(self) -> YourRegistration:
        if self._name is None or (self._room is not None and not self._is_named_here):
            raise Refusal("NEED_NAME", "take the name first: /name YOURNAME")
        claim = await name_claims.register(self._house, self, self._name)
        if self._room is not None:
            with contextlib.suppress(Refusal):  # the next time they take the name, it is known
                await self._room.vouch(self)
        return claim

    async def _join(self, name: str, key: str = "") -> None:
        name = names.check_room_name(name)
        self._house.check_newcomer()
        if self._name is not None:  # they get a code and a seat, and leave it: all written down
            self._house.check_writing(self.address)
        self._house.check_opening(self.address, name)
        room = await self._house.lobby.locate(name)
        if room is self._room:
            await room.enter(self, None)
            return
        with room.visited():
            await self._enter(room, key)

    async def _enter(self, room: RoomPort, key: str) -> None:
        async with self._house.guesses.attempt(self.address) if key else contextlib.nullcontext():
            proof = await room.knock(self, key)
        await self._leave()
        self._room = room
        try:
            await room.enter(self, self._name, proof)
        except Refusal:
            if self not in room:  # a name that cannot be had is no reason to be out
                self._room = None
            raise
        self._is_named_here = self._name is not None

    async def _resume(self, code: str, seq: int | None) -> None:
        async with self._house.guesses.attempt(self.address):
            room, known = await self._house.lobby.resume(code)
        await name_claims.check_bearer(self._house, self, room, known.person)
        self._house.check_writing(self.address)
        with room.visited():
            if room is self._room and self._is_named_here:
                await self._leave()
            await room.resume(self, known, seq)
        if room is not self._room:
            await self._leave()
        self._room, self._name, self._is_named_here = room, known.person.name, True

    async def _leave(self) -> None:
        room, self._room, self._is_named_here = self._room, None, False
        if room is not None:
            with contextlib.suppress(Refusal):  # out is out, even if that could not be written down
                await room.leave(self)
