"""The host's console: looks into rooms and keeps order over a socket in the data folder.

See :mod:`crossroom_protocol.cli.console` for what is said over it. Who may open the socket, or read
the token, is the host: the file system decides that, and nothing else here does.
"""

import asyncio
import contextlib
import hmac
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.core.units import DAY_MS, HOUR_S
from crossroom_protocol.base.clean import clean
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.wording import format_count
from crossroom_protocol.cli.console import CONSOLE_COMMANDS, PORT_FILE_NAME, SOCKET_NAME
from crossroom_protocol.cli.flags import LOOPBACK_HOST
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.notices import ReaderSettings
from crossroom_protocol.text import sheets
from crossroom_server.identity import names
from crossroom_server.listeners.host_page import LIFETIME_S, HostLinks
from crossroom_server.lobby.lobby import RoomSummary
from crossroom_server.lobby.personal_data import Whose
from crossroom_server.room.dispatch import route_of
from crossroom_server.room.room import Room
from crossroom_server.session.server_state import ServerState
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.refusals import refusing_outages
from crossroom_server.table import moderation
from crossroom_server.table.state import Table

log = logging.getLogger(__name__)

MAX_LINE_BYTES: Final = 4096
"""Bytes of a line."""
LINE_TIMEOUT_S: Final = 10.0
"""Seconds for a line to come."""
DEFAULT_ENTRIES: Final = 10
"""Entries of a log that are shown unless the host wants more or less."""
SEVERAL_NODES: Final = "stop the nodes, and ask a server that has the database without a bus"
NOT_REGISTERED: Final = "nobody has registered that name; of a guest: forget NAME ROOM"
UNLOGGED: Final = ("in", "announce", "forget")
"""Commands of which logs get no more: a password may follow, talk, or whom nothing shall name."""
MAX_DAYS: Final = 3650
DEFAULT_DAYS: Final = 30
"""Days for which an invitation may be valid, and is."""
NOT_PRIVATE: Final = "this server lets everybody in; with --private it takes invitations"
DRAIN_POLL_S: Final = 0.5
"""Seconds between two looks for games that are still being played, while draining."""


class AdminConsole:
    """Carries out the commands of the host.

    Args:
        server: The connections and rooms.
        stop: Set when the server is drained.
        status: Tells how the server is.
        page_address: Returns the address of the server's first page.
    """

    def __init__(
        self,
        server: ServerState,
        stop: asyncio.Event,
        status: Callable[[], Awaitable[list[str]]] | None = None,
        page_address: Callable[[], str] = str,
    ) -> None:
        self.links, self._page_address = HostLinks(), page_address
        self._server, self._stop, self._status = server, stop, status
        self._draining: asyncio.Task[None] | None = None

    async def execute(self, line: str) -> list[str]:
        """Carry out one line; what to answer.

        Raises:
            Refusal: nothing was done.
        """
        command, _, rest = clean(line).strip().partition(" ")
        room, _, more = rest.strip().partition(" ")
        log.info("the host: %s", command if command in UNLOGGED else line.strip()[:200])
        match command:
            case "rooms":
                return self._rooms()
            case "status" if self._status is not None:
                return await self._status()
            case "nodes":
                if (others := self._server.lobby.cluster) is None:
                    return ["this server is alone"]
                with refusing_outages():
                    return await others.nodes()
            case "look" if room:
                return await self._look(room, more)
            case "in" if more:
                return await self._keep_order(room, more)
            case "close" if room and not more:
                return await self._close(self._room(room))
            case "announce" if rest:
                self._server.tell_all(rest)
                self._server.other_nodes.announce(rest)
                return [f"sent to {format_count(len(self._server.sessions), 'connection')}"]
            case "ban" if room and not more:
                with refusing_outages():
                    kept, closed = await self._server.ban(room)
                return [f"{kept} is banned, {format_count(closed, 'connection')} closed"]
            case "unban" if room and not more:
                with refusing_outages():
                    return [f"{await self._server.unban(room)} may come again"]
            case "bans":
                return list(self._server.ban_list) or ["no address is banned"]
            case "invite":
                return self._invite(room, more)
            case "invitations" if not rest:
                return self._invitations()
            case "uninvite" if room.isdecimal() and not more:
                self._server.invitations.revoke(int(room))
                return self._invitations()
            case "recode" if room and not more:
                code = await self._server.lobby.accounts.reset_code(room)
                return [f"the code of {room} is {code} from now on"]
            case "forget" if room:
                return await self._forget(room, more.lower())
            case "page" if rest in ("", "off"):
                return self._page(on=rest == "")
            case "drain" if rest in ("", "off"):
                return self._drain(on=rest == "")
            case "help" | "":
                return [f"{usage}: {what}" for usage, what in CONSOLE_COMMANDS.items()]
            case _:
                raise Refusal("UNKNOWN_COMMAND", f"{line.strip()!r} is none; help lists all")

    def close(self) -> None:
        """Drain no more."""
        if self._draining is not None:
            self._draining.cancel()

    def _room(self, name: str) -> Room:
        room = self._server.lobby.find(name.lower())
        if room is None:
            for node, line in self._server.lobby.rooms_elsewhere():
                if line.name == name.lower():
                    raise Refusal("MOVED", f"{line.name} is at node {node}; say it there")
            raise Refusal("NO_ROOM", f"{name} is not open; rooms lists those that are")
        return room

    def _rooms(self) -> list[str]:
        lines = []
        for line in self._server.lobby.rooms():
            lines.append(_summary(line))
            lines += [f"  {told}" for told in sheets.who_lines(self._room(line.name).view())]
        lines += [
            f"{_summary(far)}, at node {node}" for node, far in self._server.lobby.rooms_elsewhere()
        ]
        return lines or ["no room is open"]

    async def _look(self, name: str, last: str) -> list[str]:
        if last and not (last.isascii() and last.isdecimal() and len(last) < 5):
            raise Refusal("BAD_ARGS", "look ROOM N shows the last N entries, at most 9999")
        room = await self._server.lobby.open_existing(name.lower())
        view, table = room.view(), room.table
        lines = [
            *sheets.seat_lines(view),
            *sheets.who_lines(view),
            *moderation.ban_lines(table.permissions, room.now()),
        ]
        if view.game is not None and table.game is not None:
            lines += sheets.board_picture(table.game.rules, view.game).lines
        try:
            for happened in await room.recall(int(last) if last else DEFAULT_ENTRIES):
                lines += encode(happened, ReaderSettings())
        except (Unavailable, CorruptLog) as error:
            raise Refusal("INTERNAL", str(error)) from None
        return lines

    async def _keep_order(self, name: str, text: str) -> list[str]:
        request = read_line(text, in_room=False)
        if request is None or route_of(request.command, Table()).kind != "moderation":
            raise Refusal("BAD_ARGS", f"in ROOM: {CONSOLE_COMMANDS['in ROOM COMMAND']}")
        room = await self._server.lobby.open_existing(name.lower())
        log.info("the host, in %s: /%s", room.name, request.command.do)
        with room.pinned():
            await room.moderate(moderation.HOST, request.command)
        return ["done"]

    async def _close(self, room: Room) -> list[str]:
        await self._server.lobby.close_room(room.name)
        return [
            f"{room.name} is closed, and {room.disconnect_all('the host has closed the room')} out"
        ]

    def _invite(self, days: str, note: str) -> list[str]:
        if not self._server.is_private:
            raise Refusal("BAD_ARGS", NOT_PRIVATE)
        if days and not (days.isascii() and days.isdecimal() and 0 < int(days) <= MAX_DAYS):
            raise Refusal("BAD_ARGS", f"invite DAYS NOTE; DAYS are 1 to {MAX_DAYS}")
        now = self._server.lobby.now()
        until = now + (int(days) if days else DEFAULT_DAYS) * DAY_MS
        token = self._server.invitations.issue(until, note, now)
        return [
            f"{self._page_address()}/#{token}",
            f"in a terminal, in any room: /join ROOM {token}",
            "it lets in whoever has it; invitations lists it, uninvite ends it",
        ]

    def _invitations(self) -> list[str]:
        return [
            f"{one.number}: until {datetime.fromtimestamp(one.until / 1000, UTC):%Y-%m-%d}"
            + (f", {one.note}" if one.note else "")
            for one in self._server.invitations.valid(self._server.lobby.now())
        ] or ["nobody is invited"]

    async def _forget(self, name: str, room: str) -> list[str]:
        lobby = self._server.lobby
        if lobby.cluster is not None:
            raise Refusal("MOVED", SEVERAL_NODES)
        name = names.check_name(name)
        if not room and await lobby.accounts.owner_of(name) is None:
            raise Refusal("NOBODY", NOT_REGISTERED)
        who = Whose(name, room or None)
        await lobby.personal_data.check(who)
        return [f"{name} is {await lobby.personal_data.erase(who)} in finished games from now on"]

    def _page(self, *, on: bool) -> list[str]:
        if not on:
            return [f"links that are no longer valid: {self.links.revoke_all()}"]
        hours = round(LIFETIME_S / HOUR_S)
        return [
            f"{self._page_address()}/host#{self.links.issue()}",
            f"who has this link can do what this console can, for {hours} hours; page off ends it",
        ]

    def _drain(self, *, on: bool) -> list[str]:
        self._server.draining = on
        self.close()
        if not on:
            return ["the server goes on"]
        self._draining = asyncio.create_task(self._wait_for_games(), name="drain")
        games = sum(line.playing and line.people > 0 for line in self._server.lobby.rooms())
        return [
            f"games that are on: {games}; the server stops after them; drain off takes that back"
        ]

    async def _wait_for_games(self) -> None:
        rooms = self._server.lobby.rooms
        # A drain is rare: no room shall have to tell of the end of its games.
        while any(line.playing and line.people for line in rooms()):  # noqa: ASYNC110
            await asyncio.sleep(DRAIN_POLL_S)
        log.info("no game is being played any more")
        self._stop.set()


def _summary(line: RoomSummary) -> str:
    return f"{line.name}: {line.people} connected{', a game is on' if line.playing else ''}"


@contextlib.asynccontextmanager
async def listen_for_host(console: AdminConsole, folder: Path) -> AsyncIterator[None]:
    """Listen for the host, who alone may open what lies in *folder*.

    Raises:
        OSError: neither a socket nor a port can be had.
    """
    path, token = folder / SOCKET_NAME, ""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.LimitOverrunError, ValueError):
            async with asyncio.timeout(LINE_TIMEOUT_S):
                if token and not hmac.compare_digest(await reader.readline(), token.encode()):
                    raise ConnectionError
                line = (await reader.readline()).decode()
            writer.writelines(f"{told}\n".encode() for told in await _answer(console, line))
        writer.close()

    bound = _bound(path)
    if bound is not None:
        server = await asyncio.start_unix_server(handle, sock=bound, limit=MAX_LINE_BYTES)
    else:
        path, token = folder / PORT_FILE_NAME, f"{secrets.token_hex(16)}\n"
        server = await asyncio.start_server(handle, LOOPBACK_HOST, 0, limit=MAX_LINE_BYTES)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(f"{server.sockets[0].getsockname()[1]} {token}")
    try:
        yield
    finally:
        console.close()
        server.close()
        path.unlink(missing_ok=True)


def _bound(path: Path) -> socket.socket | None:
    """A socket in the file system that only we may open; None where there is no such thing."""
    if not hasattr(socket, "AF_UNIX"):
        return None
    path.unlink(missing_ok=True)  # of a server that was killed: the folder is ours alone
    bound = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        bound.bind(str(path))
    except OSError as error:  # the path is too long, or the file system has no sockets
        log.info("%s: %s; the console has a port instead", path, error)
        bound.close()
        return None
    finally:
        os.umask(before)
    return bound


async def _answer(console: AdminConsole, line: str) -> Iterable[str]:
    try:
        return [*(f"- {told}" for told in await console.execute(line)), "."]
    except Refusal as no:
        return [f"! {no.code} {no.prose}"]
    except Exception:
        log.exception("the console failed")
        return ["! INTERNAL an internal error; the log tells more"]
