"""The composition root: the one place that names concrete classes."""

import asyncio
import contextlib
import errno
import logging
import os
import socket
import stat
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypeVar

from websockets.asyncio.server import Server

from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.units import DAY_MS, HOUR_S
from crossroom_protocol.cli.flags import DEFAULT_PORT
from crossroom_protocol.notices import Note
from crossroom_server.cluster.start import join_cluster, open_shared_store
from crossroom_server.config.settings import GAMES_FILE, NEAREST_ADDRESS, Settings
from crossroom_server.identity import banlist
from crossroom_server.identity.banlist import BanList
from crossroom_server.identity.invitations import INVITATIONS_FILE, Invitations
from crossroom_server.identity.urls import host_and_port, http_url, netloc
from crossroom_server.listeners import tcp, websocket
from crossroom_server.listeners.admin_console import AdminConsole, listen_for_host
from crossroom_server.listeners.host_page import HostPage
from crossroom_server.listeners.monitoring import listen_for_monitoring
from crossroom_server.listeners.server_status import ServerStatus
from crossroom_server.lobby.lexica import LexicaOnDisk
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.lobby.retention import delete_unused_codes, delete_vacant_rooms
from crossroom_server.monitoring.loop_monitor import LoopMonitor
from crossroom_server.monitoring.metrics import Metrics
from crossroom_server.monitoring.process_stats import Storage
from crossroom_server.monitoring.steady_clock import SteadyClock
from crossroom_server.net.forwarded_headers import Proxies
from crossroom_server.room.worker_pool import WorkerPool
from crossroom_server.session.server_state import CUT_OFF, ServerState
from crossroom_server.session.word_filter import WordFilter
from crossroom_server.store.contract import Store, Unavailable
from crossroom_server.store.memory import MemoryStore
from crossroom_server.store.open import open_store
from crossroom_server.table.state import Sources
from crossroom_server.web.health import Health
from crossroom_server.web.pages import Retention
from crossroom_server.web.prometheus import MetricsText
from crossroom_server.web.site import Site

if TYPE_CHECKING:
    import ssl

log = logging.getLogger(__name__)

T = TypeVar("T")

SERVICE_RESTART: Final = 1001
"""Close code of the websocket protocol: the server goes away; resuming works."""
FAREWELL: Final = Phrase("the server is stopping; your games are stored; come back with /resume")
ELSEWHERE: Final = Phrase(
    "this server is stopping; your room goes on at another: come back with /resume"
)
GOING: Final = Phrase("the server is stopping")
FOLLOW: Final = Phrase(
    "this server is cut off from the others; your room goes on at another: come back with /resume"
)
CLOSE_TIMEOUT_S: Final = 3.0
"""Seconds for all peers to take note that the server stops."""
CLEANUP_INTERVAL_S: Final = HOUR_S
"""Between two runs of :func:`_forget`."""
STALL_CHECK_S: Final = 1.0
"""Seconds between two looks for peers who have stopped reading."""

MAX_PORT: Final = 65535

_REACHABLE: Final = "leave --host out to be reachable at all of its addresses"


class App:
    """A server, which runs inside ``async with``.

    ``port``, ``line_port`` and ``metrics_port`` are those that were opened.

    Raises:
        OSError: a port cannot be opened, or the data folder or the certificate cannot be used; says
            why in one line.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.port = settings.port
        self.line_port = settings.line_port
        self.metrics_port = settings.metrics_port
        self._tls: ssl.SSLContext | None = None
        self.stop = asyncio.Event()
        """Set when the host has drained the server: it may be left then."""
        self._running = contextlib.AsyncExitStack()
        self._doors: list[asyncio.Server] = []

    async def __aenter__(self) -> Self:
        async with contextlib.AsyncExitStack() as begun:
            if self.settings.certificate is not None:
                self._tls = self.settings.certificate.server_context()
            if self.settings.private and self.settings.bus is not None:
                raise OSError("--private and --bus do not go together: nodes share no invitations")
            shared = open_shared_store(self.settings)
            if self.settings.keep:
                _make_private(self.settings.data)
            store = begun.enter_context(contextlib.closing(shared or _store(self.settings)))
            lexica = LexicaOnDisk(self.settings.data / "lexica")
            dice, metrics = SystemRandom(), Metrics()
            clock = SteadyClock()
            sources = Sources(lexica, dice, clock.now, lambda: f"{dice.getrandbits(256):064x}")
            thinkers = WorkerPool(self.settings.thinkers, metrics)
            leases = None if shared is None else shared.leases
            lobby = Lobby(store, sources, thinkers, metrics, leases)
            server = ServerState(
                lobby,
                self.settings.limits,
                self.settings.url,
                Proxies(self.settings.proxies),
                is_secure=self._tls is not None,
            )
            begun.enter_context(clock.watched(lobby.excuse))
            server.is_private = self.settings.private
            if self.settings.keep:
                server.invitations = Invitations(self.settings.data / INVITATIONS_FILE)
            if self.settings.mask is not None:
                server.word_filter = WordFilter.read(self.settings.mask)
            if shared is None and self.settings.keep:
                server.ban_list = BanList(self.settings.data / banlist.BANS_FILE)
            health = Health(
                server, store, await begun.enter_async_context(LoopMonitor(metrics.lag))
            )
            hosts_page: HostPage | None = None
            storage = Storage(self.settings.data, self.settings.games_file)
            if self.settings.keep:
                status = ServerStatus(server, health, storage)
                admin = AdminConsole(server, self.stop, status.lines, self._page_address)
                hosts_page = HostPage(admin.execute, admin.links, server.guess_limiter)
                await begun.enter_async_context(listen_for_host(admin, self.settings.data))
            site = Site(
                server,
                health,
                store,
                MetricsText(server, health, storage if self.settings.keep else None),
                self._metrics_for(),
                lexica=lexica.names,
                allowed_hosts=self.settings.allowed_hosts,
            )
            site.retention = Retention(
                self.settings.vacant, self.settings.guests, self.settings.keep
            )
            node = None
            if shared is not None and self.settings.bus is not None:
                node = await begun.enter_async_context(
                    join_cluster(self.settings.bus, server, shared)
                )
                node.noticed_cut = partial(_note_cut, server)
            forgetting = _forget(lobby, store, self.settings)
            begun.callback(asyncio.create_task(forgetting, name="forgetting").cancel)
            following = lobby.leaderboard.follow()
            begun.callback(asyncio.create_task(following, name="leaderboard").cancel)
            if hosts_page is not None:
                links = hosts_page.links
                site.has_host_page = lambda: links.any_valid
            await self._open(begun, server, site, hosts_page)
            if node is not None:
                begun.push_async_callback(node.retire)
            begun.push_async_callback(lobby.close)
            begun.push_async_callback(_say_farewell, server)
            if node is not None:
                begun.callback(self._take_nobody)
            self._running = begun.pop_all()
        return self

    async def __aexit__(self, *failure: object) -> None:
        """Stop: tell everybody, put the games to rest, hang up, close the store."""
        log.info("stopping")
        await self._running.aclose()
        log.info("stopped")

    def reload_certificate(self) -> None:
        """Show whoever connects from now on what the files hold now; the others notice nothing."""
        if self._tls is None or self.settings.certificate is None:
            return
        try:
            self.settings.certificate.reload(self._tls)
        except OSError as error:
            log.error("the certificate stays as it was: %s", error)
        else:
            log.info("the certificate is read again from %s", self.settings.certificate.cert)

    async def _open(
        self,
        begun: contextlib.AsyncExitStack,
        server: ServerState,
        site: Site,
        hosts_page: HostPage | None,
    ) -> None:
        host = self.settings.host
        for work in (_sweep(server), _rest(server.lobby, self.settings.rest_after)):
            begun.callback(asyncio.create_task(work, name="sweeper").cancel)
        pages = websocket.listen(server, site, host, self.port, self._tls, hosts_page)
        web = await _bound(pages, host, self.port)
        self._doors.append(web.server)
        begun.push_async_callback(_hang_up, web, server)
        _, self.port = host_and_port(web.sockets[0].getsockname())
        if self.line_port is not None:
            listening = tcp.listen(server, host, self.line_port, self.port)
            lines = await _bound(listening, host, self.line_port, "--line-port")
            self._doors.append(lines)
            begun.callback(lines.close)
            _, self.line_port = host_and_port(lines.sockets[0].getsockname())
            site.line_port = self.line_port
        if self.metrics_port is not None:
            at = self.settings.metrics_host, self.metrics_port
            monitored = await _bound(listen_for_monitoring(site, *at), *at, "--metrics-port")
            begun.callback(monitored.close)
            _, self.metrics_port = host_and_port(monitored.sockets[0].getsockname())
        ports = {"host": host, "port": self.port, "line_port": self.line_port}
        log.debug("listening on %(host)s, port %(port)s, line port %(line_port)s", ports)

    def _page_address(self) -> str:
        """Return the address of the first page, for the host."""
        if self.settings.url is not None:
            return http_url(self.settings.url)
        host = NEAREST_ADDRESS.get(self.settings.host, self.settings.host)
        return f"{'http' if self._tls is None else 'https'}://{netloc(host, self.port)}"

    def _metrics_for(self) -> Literal["machine", "everybody", "nobody"]:
        """Return who may read metrics at the port of the pages."""
        if self.settings.metrics_port is not None:
            return "nobody"
        return "everybody" if self.settings.open_metrics else "machine"

    def _take_nobody(self) -> None:
        """Listen no longer: a proxy in front then sends whoever comes to another node at once."""
        for door in self._doors:
            door.close()


def _make_private(folder: Path) -> None:
    """Make the data folder; warn if it was there and others may look into it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix" and stat.S_IMODE(folder.stat().st_mode) & 0o077:
        log.warning("others on this machine may look into %s; chmod 700 forbids it", folder)


def _store(settings: Settings) -> Store:
    if not settings.keep:
        return MemoryStore()
    return open_store(settings.store or settings.data / GAMES_FILE)


async def _bound(
    listening: Coroutine[Any, Any, T], host: str, port: int, flag: str = "--port"
) -> T:
    """Await *listening*; failures say what to do."""
    try:
        return await listening
    except socket.gaierror:
        raise OSError(f"there is no address {host!r}; {_REACHABLE}") from None
    except OSError as error:
        match error.errno:
            case errno.EADDRINUSE:
                free = await _free_port(host, port + 1)
                why = f"port {port} is in use, perhaps by another crossroom; take {flag} {free}"
            case errno.EACCES:
                why = f"port {port} is reserved by the system; take {flag} {DEFAULT_PORT}"
            case errno.EADDRNOTAVAIL:
                why = f"this machine has no address {host}; {_REACHABLE}"
            case _:
                why = str(error)
        raise OSError(why) from None


async def _free_port(host: str, first: int) -> int:
    """Return a port that could be had just now, from *first* on."""
    for port in range(first, min(first + 100, MAX_PORT)):
        try:
            door = await asyncio.get_running_loop().create_server(asyncio.Protocol, host, port)
        except OSError:
            continue
        door.close()
        return port
    return first


async def _sweep(server: ServerState) -> None:
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(STALL_CHECK_S)
        for session in list(server.sessions):
            session.check(loop.time())


async def _rest(lobby: Lobby, after: float) -> None:
    while True:
        await asyncio.sleep(after / 10)
        await lobby.unload_idle_rooms(after)


async def _forget(lobby: Lobby, store: Store, settings: Settings) -> None:
    while True:
        await asyncio.sleep(CLEANUP_INTERVAL_S)
        codes, rooms, now = 0, 0, lobby.now()
        try:
            if settings.vacant:
                rooms = await delete_vacant_rooms(
                    lobby, store, now - round(settings.vacant * DAY_MS)
                )
            if settings.guests:
                codes = await delete_unused_codes(
                    store, lobby.now() - round(settings.guests * DAY_MS)
                )
        except Unavailable as error:
            log.warning("what nobody misses stays: %s", error)
        if rooms:
            log.info("%d rooms in which no game was ever begun are forgotten", rooms)
        if codes:
            log.info("%d codes of guests are forgotten", codes)


async def _say_farewell(server: ServerState) -> None:
    """Tell everybody, and refuse what they ask; where there are other nodes, send them there."""
    server.closing = True
    is_alone = server.lobby.cluster is None
    for session in list(server.sessions):
        session.tell(Note(about="shutdown", lines=(FAREWELL if is_alone else ELSEWHERE,)))
        if not is_alone:
            session.close(SERVICE_RESTART, GOING)


def _note_cut(server: ServerState, is_cut_off: bool) -> None:
    """Send everybody to the other nodes while this one is cut off from them."""
    server.is_cut_off = is_cut_off
    if is_cut_off:
        for session in list(server.sessions):
            session.tell(Note(about="shutdown", lines=(FOLLOW,)))
            session.close(SERVICE_RESTART, CUT_OFF)


async def _hang_up(web: Server, server: ServerState) -> None:
    """Close all connections in good order; after a while, without any."""
    tasks = list(server.sessions.values())
    for session in list(server.sessions):
        session.close(SERVICE_RESTART, GOING)
    web.close(code=SERVICE_RESTART, reason=GOING)
    if tasks:
        await asyncio.wait(tasks, timeout=CLOSE_TIMEOUT_S)
    for session, task in list(server.sessions.items()):
        session.abandon()
        task.cancel()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(CLOSE_TIMEOUT_S):
            await web.wait_closed()
