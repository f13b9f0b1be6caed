"""HTTP on the port of the websocket: a few pages, and who may open a socket.

Only requests without a body are served, and only ``GET`` and ``HEAD``: everything that changes
something goes through the socket.
"""

import gzip
import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict
from http import HTTPStatus
from typing import Final
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
    translate,
    using_language,
)
from crossroom_server.identity import names
from crossroom_server.identity.client_address import is_loopback
from crossroom_server.identity.urls import host_and_port, http_url, netloc
from crossroom_server.lobby.lobby import MAX_LISTED_ROOMS
from crossroom_server.session.server_state import House
from crossroom_server.store.contract import Store
from crossroom_server.web.archive import POLICY, Exhibit, Gallery
from crossroom_server.web.assets import Assets, accepts_gzip
from crossroom_server.web.form_options import choices
from crossroom_server.web.health import Health
from crossroom_server.web.pages import PageLocation, landing_page, not_found_page
from crossroom_server.web.prometheus import CONTENT_TYPE, exposition
from crossroom_server.web.room_page import room_page
from crossroom_server.web.templating import environment

_HOST: Final = re.compile(r"(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:[0-9]{1,5})?")
_LANGUAGE: Final = re.compile(r"(?:^|; )language=([a-z]{2})(?:;|$)")
_ASKED: Final = re.compile(r"[?&]language=([a-z]+)(?=&|$)")
_QR: Final = "/qr.svg"
_FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Real-IP")
_POLICY: Final = (
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


_STATUS: Final = {
    "TOO_MANY": HTTPStatus.TOO_MANY_REQUESTS,
    "BANNED": HTTPStatus.FORBIDDEN,
    "INTERNAL": HTTPStatus.SERVICE_UNAVAILABLE,
}


class Site:
    """The pages of a server.

    Args:
        house: Whose rooms are shown.
        health: Asked by ``/healthz``.
        store: Has the games that pages show.
        open_metrics: May anybody read ``/metrics``? Otherwise programs on this machine may.
        line_port: Where plain TCP is spoken; None: nowhere.
        lexica: The names of the word lists there are now.
    """

    def __init__(
        self,
        house: House,
        health: Health,
        store: Store,
        open_metrics: bool = False,
        line_port: int | None = None,
        lexica: Callable[[], Iterable[str]] = lambda: (),
    ) -> None:
        self.line_port = line_port
        environment()  # compiles the templates now, not during the first request
        self._assets, self._lexica = Assets(), lexica
        self._gallery = Gallery(house.lobby, store, self._assets.root)
        self._house, self._health, self._open_metrics = house, health, open_metrics

    async def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a request, or let it become a websocket: None."""
        if request.method not in ("GET", "HEAD"):
            response = _text(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are served here")
            response.headers["Allow"] = "GET, HEAD"
            return response
        if "websocket" in ",".join(request.headers.get_all("Upgrade")).lower():
            return self._refuse(connection, request)
        with using_language(language_of(request)):
            response = await self._page(connection, request)
        if accepts_gzip(request) and response.headers["Content-Type"].startswith("text/html"):
            _pack(response)
        if request.method == "HEAD":
            response.body = b""
        return response

    def _refuse(self, connection: ServerConnection, request: Request) -> Response | None:
        """Say why this may not become a websocket, if it may not."""
        if not _is_same_origin(request, self._house.url):
            return _text(HTTPStatus.FORBIDDEN, "this page may not open a socket here")
        if _path(request) != "/" and room_in(request) is None:
            return _text(HTTPStatus.NOT_FOUND, "sockets are at / and at /t/ROOM")
        try:
            self._house.check_arrival(client_address(self._house, connection, request))
        except Refusal as no:
            self._house.metrics.refusals[no.code] += 1
            if no.code == "SHUTTING_DOWN" and self._house.lobby.peers is not None:
                connection.transport.abort()  # a proxy asks another node then, but not after a no
            status = _STATUS.get(no.code, HTTPStatus.SERVICE_UNAVAILABLE)
            return _text(status, translate(no.prose, language_of(request)))
        return None

    async def _page(self, connection: ServerConnection, request: Request) -> Response:
        url = base_url(self._house, connection, request)
        path, room, rooms = _path(request), room_in(request), self._house.lobby.listed
        if path == "/healthz":
            return await self._tell_health()
        if path == "/metrics" and self._may_read_metrics(connection, request):
            return _response(HTTPStatus.OK, CONTENT_TYPE, exposition(self._house))
        if (file := self._assets.answer(path, request)) is not None:
            return file
        if path == "/":
            page = PageLocation("", self._assets.root)
            return _html(HTTPStatus.OK, landing_page(url, rooms(), self.line_port, page))
        if path == "/choices.json":
            return _json(choices(tuple(self._lexica())))
        if path == "/rooms.json":
            return _json([asdict(line) for line in rooms()[:MAX_LISTED_ROOMS]])
        try:
            if (found := await self._gallery.find(path, http_url(url))) is not None:
                return _exhibited(found)
            if room is not None and room.endswith(_QR):
                return _qr(url, names.check_room_name(room.removesuffix(_QR)))
            if room is not None:
                name, page = names.check_room_name(room), PageLocation("../", self._assets.root)
                now = self._house.lobby.now()
                return _html(
                    HTTPStatus.OK, room_page(url, name, rooms(), self.line_port, now, page)
                )
        except Refusal as no:
            status = _STATUS.get(no.code, HTTPStatus.NOT_FOUND)
            return _html(status, not_found_page(f"{translate(no.prose, current_language())}."))
        return _html(HTTPStatus.NOT_FOUND, not_found_page())

    async def _tell_health(self) -> Response:
        trouble = await self._health.trouble()
        status = HTTPStatus.OK if trouble is None else HTTPStatus.SERVICE_UNAVAILABLE
        return _text(status, trouble or "ok")

    def _may_read_metrics(self, connection: ServerConnection, request: Request) -> bool:
        """Whoever comes through a proxy on this machine looks like the machine itself."""
        forwarded = self._house.url or any(name in request.headers for name in _FORWARDED)
        address, _ = host_and_port(connection.remote_address)
        return self._open_metrics or (is_loopback(address) and not forwarded)


def base_url(house: House, connection: ServerConnection, request: Request) -> str:
    """What friends may use as well, ``ws://host:8765``: as configured, or as this peer came in."""
    if house.url:
        return house.url
    peer, _ = host_and_port(connection.remote_address)
    is_secure = house.is_secure or house.proxies.is_secure(peer, request.headers)
    own = _host(request) or netloc(*host_and_port(connection.local_address))
    return f"{'wss' if is_secure else 'ws'}://{own}"


def client_address(house: House, connection: ServerConnection, request: Request) -> str:
    """Whose request this is: the peer's or, if that is a proxy of ours, whom it has it from."""
    peer, _ = host_and_port(connection.remote_address)
    return house.proxies.client_address(peer, request.headers)


def room_in(request: Request) -> str | None:
    """The room a path asks for, unchecked: ``kitchen`` of ``/t/kitchen``."""
    path = _path(request)
    return path.removeprefix("/t/") if path.startswith("/t/") else None


def language_of(request: Request) -> str:
    """The language of whoever asks: as the address says, as chosen here, or as the browser wishes.

    ``/t/kitchen?language=de`` is such an address.
    """
    if (found := _ASKED.search(request.path)) is not None and found[1] in LANGUAGES:
        return found[1]
    for cookies in request.headers.get_all("Cookie"):
        if (found := _LANGUAGE.search(cookies)) is not None and found[1] in LANGUAGES:
            return found[1]
    return negotiate_language(",".join(request.headers.get_all("Accept-Language")))


def _path(request: Request) -> str:
    try:
        return unquote(urlsplit(request.path).path)
    except ValueError:
        return ""


def _host(request: Request) -> str | None:
    hosts = request.headers.get_all("Host")
    return hosts[0] if len(hosts) == 1 and _HOST.fullmatch(hosts[0]) else None


def _is_same_origin(request: Request, url: str | None) -> bool:
    """Does a browser's request come from a page of ours? Other clients name no origin."""
    origins = request.headers.get_all("Origin")
    if not origins:
        return True
    try:
        origin = urlsplit(origins[0]).netloc.lower()
        own = {(_host(request) or "").lower(), urlsplit(url or "").netloc.lower()}
    except ValueError:
        return False
    return len(origins) == 1 and origin != "" and origin in own


def _html(status: HTTPStatus, page: str) -> Response:
    return _response(status, "text/html; charset=utf-8", page)


def _pack(response: Response) -> None:
    response.body = gzip.compress(response.body, mtime=0)
    response.headers["Content-Encoding"] = "gzip"
    del response.headers["Content-Length"]
    response.headers["Content-Length"] = str(len(response.body))


def _json(document: object) -> Response:
    return _response(HTTPStatus.OK, "application/json; charset=utf-8", json.dumps(document))


def _qr(url: str, room: str) -> Response:
    """The address of a room's page, for the camera of a friend's phone."""
    picture = io.BytesIO()
    address = http_url(f"{url}/t/{room}")
    segno.make(address, error="m", micro=False).save(
        picture, kind="svg", scale=4, border=4, light="white", xmldecl=False
    )
    return _response(HTTPStatus.OK, "image/svg+xml", picture.getvalue().decode())


def _exhibited(found: Exhibit) -> Response:
    return _response(HTTPStatus.OK, found.kind, found.body, POLICY)


def _text(status: HTTPStatus, line: str) -> Response:
    return _response(status, "text/plain; charset=utf-8", f"{line}\n")


def _response(status: HTTPStatus, kind: str, text: str | bytes, policy: str = _POLICY) -> Response:
    body = text if isinstance(text, bytes) else text.encode()
    headers = Headers({"Content-Security-Policy": policy, **_HEADERS})
    headers["Content-Type"] = kind
    headers["Content-Length"] = str(len(body))
    return Response(status.value, status.phrase, headers, body)
