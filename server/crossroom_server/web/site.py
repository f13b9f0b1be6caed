"""HTTP on the port of the websocket: serves the pages, and decides who may open a socket.

Only requests without a body are served, and only ``GET`` and ``HEAD``: everything that changes
something goes through the socket.
"""

import asyncio
import gzip
import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict
from http import HTTPStatus
from typing import Final, Literal
from urllib.parse import unquote, urlsplit

import segno
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import (
    LANGUAGES,
    current_language,
    negotiate_language,
    page_language,
    translate,
    using_language,
)
from crossroom_server.identity import names
from crossroom_server.identity.client_address import is_loopback
from crossroom_server.identity.urls import host_and_port, http_url, netloc
from crossroom_server.lobby.lobby import MAX_LISTED_ROOMS, RoomSummary
from crossroom_server.net.forwarded_headers import FORWARDING_HEADERS
from crossroom_server.session.server_state import ServerState
from crossroom_server.store.contract import Store
from crossroom_server.web.archive import ARCHIVE_CSP, Archive, Document
from crossroom_server.web.assets import Assets, accepts_gzip
from crossroom_server.web.form_options import form_options
from crossroom_server.web.health import Health
from crossroom_server.web.host_page import host_page
from crossroom_server.web.own_hosts import OwnHosts
from crossroom_server.web.pages import (
    PageLocation,
    Retention,
    landing_page,
    not_found_page,
    privacy_page,
)
from crossroom_server.web.prometheus import CONTENT_TYPE, MetricsText
from crossroom_server.web.room_card import RoomCards
from crossroom_server.web.room_page import room_page
from crossroom_server.web.templating import environment

_HOST: Final = re.compile(r"(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:[0-9]{1,5})?")
_LANGUAGE_COOKIE: Final = re.compile(r"(?:^|; )language=([a-z]{2})(?:;|$)")
_LANGUAGE_QUERY: Final = re.compile(r"[?&]language=([a-z]+)(?=&|$)")
_PAGE_QUERY: Final = re.compile(r"[?&]wording=page(?=&|$)")
_OF_PEOPLE: Final = ("/p/", "/r/")
"""Pages of players and of the games in a room; those of games can be found by nobody else."""
_PROBES: Final = ("/healthz", "/livez")
_QR_SUFFIX: Final = "/qr.svg"
_CARD_SUFFIX: Final = "/card.png"
_PAGE_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Vary": "Accept-Language, Cookie",
    "Connection": "close",
}


_REFUSAL_STATUS: Final = {
    "TOO_MANY": HTTPStatus.TOO_MANY_REQUESTS,
    "BANNED": HTTPStatus.FORBIDDEN,
    "INTERNAL": HTTPStatus.SERVICE_UNAVAILABLE,
}


class Site:
    """The pages of a server.

    Args:
        server: Its rooms are shown.
        health: Answers ``/healthz``.
        store: Has the games that pages show.
        metrics: Answers ``/metrics``.
        metrics_for: Who may read them here: programs on this machine, everybody, or nobody.
        line_port: Where plain TCP is spoken; None: nowhere.
        lexica: The names of the word lists there are now.
        allowed_hosts: Names of the server, beside that in its address and those of the machine.
    """

    def __init__(
        self,
        server: ServerState,
        health: Health,
        store: Store,
        metrics: MetricsText,
        metrics_for: Literal["machine", "everybody", "nobody"] = "machine",
        line_port: int | None = None,
        lexica: Callable[[], Iterable[str]] = lambda: (),
        allowed_hosts: Iterable[str] = (),
    ) -> None:
        self._own_hosts = OwnHosts(server.url, allowed_hosts)
        self.line_port = line_port
        self.retention = Retention()
        self.has_host_page: Callable[[], bool] = lambda: False
        """Tells whether the host has asked for their page."""
        environment()  # compiles the templates now, not during the first request
        self._assets, self._lexica = Assets(), lexica
        self._gallery = Archive(server.lobby, store, self._assets.root)
        self._cards = RoomCards(server.lobby)
        self._server, self._health = server, health
        self._metrics, self._metrics_for = metrics, metrics_for

    async def respond(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request, or let it become a websocket: None."""
        if request.method not in ("GET", "HEAD"):
            response = _text(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are served here")
            response.headers["Allow"] = "GET, HEAD"
            return response
        peer, _ = host_and_port(connection.remote_address)
        self._server.proxies.note_forwarding(peer, request.headers)
        if (refused := self._refuse_host(request)) is not None:
            return refused
        if "websocket" in ",".join(request.headers.get_all("Upgrade")).lower():
            return self._refuse_upgrade(connection, request)
        with using_language(page_language(language_of(request))):
            response = await self._page(connection, request)
        if accepts_gzip(request) and response.headers["Content-Type"].startswith("text/html"):
            _compress(response)
        if request.method == "HEAD":
            response.body = b""
        return response

    def _refuse_host(self, request: Request) -> Response | None:
        """Return the refusal of a request for another server; probes of its health may do so."""
        hosts = request.headers.get_all("Host")
        name, _ = _split_port(hosts[0]) if len(hosts) == 1 else ("", "")
        if not hosts or name in self._own_hosts or _path(request) in _PROBES:
            return None
        shown = name if _HOST.fullmatch(name) else "NAME"
        return _text(
            HTTPStatus.MISDIRECTED_REQUEST,
            "this server does not know the name that you asked for as its own; use its address in "
            f"numbers, or start it with --allowed-host {shown}",
        )

    def _refuse_upgrade(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the refusal of a websocket, if it may not be opened."""
        origins, is_secure = (
            request.headers.get_all("Origin"),
            _is_secure(self._server, connection, request),
        )
        if len(origins) > 1 or not all(
            self._own_hosts.is_own_origin(origin, _host(request), is_secure) for origin in origins
        ):  # programs name none
            return _text(
                HTTPStatus.FORBIDDEN,
                "this page may not open a socket here; behind a proxy, start the server with --url",
            )
        is_hosts = is_host_page(request) and self.has_host_page()
        if _path(request) != "/" and room_in(request) is None and not is_hosts:
            return _text(HTTPStatus.NOT_FOUND, "sockets are at / and at /t/ROOM")
        try:
            self._server.count_connection(client_address(self._server, connection, request))
        except Refusal as no:
            self._server.metrics.refusals[no.code] += 1
            if no.code == "SHUTTING_DOWN" and self._server.lobby.cluster is not None:
                connection.transport.abort()  # proxies try another node then, not after a 503
            status = _REFUSAL_STATUS.get(no.code, HTTPStatus.SERVICE_UNAVAILABLE)
            return _text(status, translate(no.prose, language_of(request)))
        return None

    async def _page(self, connection: ServerConnection, request: Request) -> Response:
        url = base_url(self._server, connection, request)
        path, room = _path(request), room_in(request)

        def rooms() -> list[RoomSummary]:
            """List the rooms; of a private server none, as anybody may ask."""
            return [] if self._server.is_private else self._server.lobby.listed()

        def open_rooms() -> list[RoomSummary]:
            """List the rooms with people in them: a game that nobody is at is no open room."""
            return [line for line in rooms() if line.people]

        if path == "/healthz":
            return await self._health_response()
        if path == "/livez":
            return _text(HTTPStatus.OK, "ok")
        if path == "/metrics" and self._may_read_metrics(connection, request):
            return _response(HTTPStatus.OK, CONTENT_TYPE, await self._metrics.read())
        if (file := self._assets.respond(path, request)) is not None:
            return file
        if path == "/":
            page = PageLocation("", self._assets.root)
            return _html(HTTPStatus.OK, landing_page(url, open_rooms(), self.line_port, page))
        if path == "/privacy":
            here = PageLocation("", self._assets.root)
            return _html(HTTPStatus.OK, privacy_page(self.retention, here))
        if path == "/host" and self.has_host_page():
            return _html(HTTPStatus.OK, host_page(PageLocation("", self._assets.root)))
        if path == "/choices.json":
            return _json(await asyncio.to_thread(form_options, tuple(self._lexica())))
        if path == "/rooms.json":
            return _json([asdict(line) for line in open_rooms()[:MAX_LISTED_ROOMS]])
        if self._server.is_private and (
            path.startswith(_OF_PEOPLE) or (room is not None and room.endswith(_CARD_SUFFIX))
        ):
            return _html(HTTPStatus.NOT_FOUND, not_found_page())
        try:
            if (found := await self._gallery.find(path, http_url(url))) is not None:
                return _document_response(found)
            if room is not None and room.endswith(_QR_SUFFIX):
                return _qr(url, names.check_room_name(room.removesuffix(_QR_SUFFIX)))
            if room is not None and room.endswith(_CARD_SUFFIX):
                name = names.check_room_name(room.removesuffix(_CARD_SUFFIX))
                return _response(HTTPStatus.OK, "image/png", await self._cards.find(name))
            if room is not None:
                name, page = names.check_room_name(room), PageLocation("../", self._assets.root)
                now = self._server.lobby.now()
                return _html(
                    HTTPStatus.OK, room_page(url, name, rooms(), self.line_port, now, page)
                )
        except Refusal as no:
            status = _REFUSAL_STATUS.get(no.code, HTTPStatus.NOT_FOUND)
            return _html(status, not_found_page(f"{translate(no.prose, current_language())}."))
        return _html(HTTPStatus.NOT_FOUND, not_found_page())

    async def _health_response(self) -> Response:
        trouble = await self._health.problem()
        status = HTTPStatus.OK if trouble is None else HTTPStatus.SERVICE_UNAVAILABLE
        return _text(status, trouble or "ok")

    def _may_read_metrics(self, connection: ServerConnection, request: Request) -> bool:
        """Tell whether a request may; one through a local proxy looks local, and may not."""
        if self._metrics_for != "machine":
            return self._metrics_for == "everybody"
        forwarded = self._server.url or any(name in request.headers for name in FORWARDING_HEADERS)
        address, _ = host_and_port(connection.remote_address)
        return is_loopback(address) and not forwarded

    async def respond_to_monitoring(self, request: Request) -> Response:
        """Answer a request at the port of the metrics."""
        match _path(request):
            case "/metrics":
                return _response(HTTPStatus.OK, CONTENT_TYPE, await self._metrics.read())
            case "/healthz":
                return await self._health_response()
            case "/livez":
                return _text(HTTPStatus.OK, "ok")
        return _text(HTTPStatus.NOT_FOUND, "/metrics, /healthz and /livez are here")


def base_url(server: ServerState, connection: ServerConnection, request: Request) -> str:
    """Return the address to give to friends, ``ws://host:8765``: configured, or this peer's."""
    if server.url:
        return server.url
    own = _host(request) or netloc(*host_and_port(connection.local_address))
    return f"{'wss' if _is_secure(server, connection, request) else 'ws'}://{own}"


def _is_secure(server: ServerState, connection: ServerConnection, request: Request) -> bool:
    """Tell whether a request came over TLS, to this server or to a trusted proxy."""
    peer, _ = host_and_port(connection.remote_address)
    return server.is_secure or server.proxies.is_secure(peer, request.headers)


def client_address(server: ServerState, connection: ServerConnection, request: Request) -> str:
    """Return the address of the client: the peer's, or what a trusted proxy says."""
    peer, _ = host_and_port(connection.remote_address)
    return server.proxies.client_address(peer, request.headers)


def room_in(request: Request) -> str | None:
    """Return the room that a path asks for, unchecked: ``kitchen`` of ``/t/kitchen``."""
    path = _path(request)
    return path.removeprefix("/t/") if path.startswith("/t/") else None


def is_host_page(request: Request) -> bool:
    """Tell whether a request asks for the host's page, or its socket."""
    return _path(request) == "/host"


def language_of(request: Request) -> str:
    """Return the language of a request: of ``?language=de``, the cookie, or ``Accept-Language``."""
    if (found := _LANGUAGE_QUERY.search(request.path)) is not None and found[1] in LANGUAGES:
        return found[1]
    for cookies in request.headers.get_all("Cookie"):
        if (found := _LANGUAGE_COOKIE.search(cookies)) is not None and found[1] in LANGUAGES:
            return found[1]
    return negotiate_language(",".join(request.headers.get_all("Accept-Language")))


def socket_language(request: Request) -> str:
    """Return the language of a socket; with ``?wording=page`` in the words of the page."""
    language = language_of(request)
    return page_language(language) if _PAGE_QUERY.search(request.path) else language


def _path(request: Request) -> str:
    try:
        return unquote(urlsplit(request.path).path)
    except ValueError:
        return ""


def _host(request: Request) -> str | None:
    hosts = request.headers.get_all("Host")
    return hosts[0] if len(hosts) == 1 and _HOST.fullmatch(hosts[0]) else None


def _split_port(host: str) -> tuple[str, str]:
    """Split what stands behind the last colon off, unless that is in the brackets of IPv6."""
    name, colon, port = host.rpartition(":")
    return (name, port) if colon and not port.endswith("]") else (host, "")


def _html(status: HTTPStatus, page: str) -> Response:
    return _response(status, "text/html; charset=utf-8", page)


def _compress(response: Response) -> None:
    response.body = gzip.compress(response.body, mtime=0)
    response.headers["Content-Encoding"] = "gzip"
    del response.headers["Content-Length"]
    response.headers["Content-Length"] = str(len(response.body))


def _json(document: object) -> Response:
    return _response(HTTPStatus.OK, "application/json; charset=utf-8", json.dumps(document))


def _qr(url: str, room: str) -> Response:
    """Draw the address of a room's page as a QR code."""
    picture = io.BytesIO()
    address = http_url(f"{url}/t/{room}")
    segno.make(address, error="m", micro=False).save(
        picture, kind="svg", scale=4, border=4, light="white", xmldecl=False
    )
    return _response(HTTPStatus.OK, "image/svg+xml", picture.getvalue().decode())


def _document_response(found: Document) -> Response:
    return _response(HTTPStatus.OK, found.media_type, found.body, ARCHIVE_CSP)


def _text(status: HTTPStatus, line: str) -> Response:
    return _response(status, "text/plain; charset=utf-8", f"{line}\n")


def _response(
    status: HTTPStatus, kind: str, text: str | bytes, policy: str = _PAGE_CSP
) -> Response:
    body = text if isinstance(text, bytes) else text.encode()
    headers = Headers({"Content-Security-Policy": policy, **_HEADERS})
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(len(body))
    return Response(status.value, status.phrase, headers, body)
