"""The pages on the websocket's port."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urljoin

import pytest
from websockets.asyncio.client import connect

from crossroom_server.app import App
from crossroom_server.lobby.lobby import RoomSummary
from crossroom_server.monitoring.loop_monitor import LoopMonitor
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.memory import MemoryStore
from crossroom_server.web import health
from crossroom_server.web.pages import PageLocation, landing_page
from tests.support.server import LOOPBACK, run_server


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


@dataclass
class HttpResponse:
    status: int
    headers: dict[str, str]
    body: str


async def fetch(app: App, path: str = "/", method: str = "GET", **headers: str) -> HttpResponse:
    reader, writer = await asyncio.open_connection(LOOPBACK, app.port)
    fields = {"Host": f"{LOOPBACK}:{app.port}", **headers}
    lines = [f"{method} {path} HTTP/1.1", *(f"{key}: {value}" for key, value in fields.items())]
    writer.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode("latin-1"))
    head, _, body = (
        (await asyncio.wait_for(reader.read(), 30)).decode(errors="replace").partition("\r\n\r\n")
    )
    writer.close()
    await writer.wait_closed()
    first, *rest = head.split("\r\n")
    named = dict(line.split(": ", 1) for line in rest)
    return HttpResponse(int(first.split()[1]), {k.lower(): v for k, v in named.items()}, body)


class ParsedPage(HTMLParser):
    """What matters of a page: its links, what it loads, and that every tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.tags: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = [value or "" for key, value in attrs if key in ("href", "src", "action")]
        (self.links if tag == "a" else self.loads).extend(found)
        assert not [key for key, _ in attrs if key == "style" or key.startswith("on")]
        if tag not in ("meta", "link"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        assert not {"style", "script"}.intersection(self._open)


async def test_the_first_page_tells_every_way_in(app: App) -> None:
    answer = await fetch(app)
    address = f"ws://{LOOPBACK}:{app.port}/t/kitchen"
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    for line in (
        f"crossroom join {address}",
        f"python3 -m websockets {address}",
        f"wscat -c {address}",
        f"websocat {address}",
        f"nc {LOOPBACK} {app.line_port}",
    ):
        assert line in answer.body


async def test_the_page_of_a_room_names_it_everywhere(app: App) -> None:
    answer = await fetch(app, "/t/Attic")
    assert "Nobody is there" in answer.body
    assert f"crossroom join ws://{LOOPBACK}:{app.port}/t/attic" in answer.body
    assert "kitchen" not in answer.body


async def test_open_rooms_are_listed_and_linked(app: App) -> None:
    async with connect(f"ws://{LOOPBACK}:{app.port}/t/attic", max_queue=None) as ann:
        await ann.send("/name ann")
        while "takes seat" not in str(await ann.recv()):
            pass
        page = await fetch(app)
        assert '<a href="t/attic">attic</a>: 1 here, 1 seated' in page.body
        assert "It is open: 1 here, 1 seated." in (await fetch(app, "/t/attic")).body


@pytest.mark.parametrize("base", ["http://h/", "https://h/any/prefix/"])
async def test_links_work_under_any_prefix(app: App, base: str) -> None:
    async with connect(f"ws://{LOOPBACK}:{app.port}/t/attic", max_queue=None):
        to_room, to_privacy = ParsedPage((await fetch(app)).body).links
        assert urljoin(base, to_privacy) == f"{base}privacy"
        (to_all,) = ParsedPage((await fetch(app, "/t/attic")).body).links
    assert urljoin(base, to_room) == f"{base}t/attic"
    assert urljoin(f"{base}t/attic", to_all) == base


@pytest.mark.parametrize("path", ["/", "/t/kitchen"])
@pytest.mark.parametrize("base", ["http://h", "https://h/any/prefix"])
async def test_what_a_page_loads_is_ours_under_any_prefix(app: App, base: str, path: str) -> None:
    page = ParsedPage((await fetch(app, path)).body)
    assert not {"img", "iframe", "form", "style"} & set(page.tags)
    assert len(page.loads) == len(set(page.loads))
    for link in page.loads:
        address = urljoin(f"{base}{path}", link)
        assert address.startswith(f"{base}/page/")
        assert (await fetch(app, address.removeprefix(base))).status == 200


@pytest.mark.parametrize("path", ["/", "/t/kitchen", "/nowhere"])
async def test_pages_run_and_load_what_is_ours_only(app: App, path: str) -> None:
    answer = await fetch(app, path)
    policy = dict(
        part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";")
    )
    assert policy.pop("default-src") == "'none'"
    assert policy.pop("img-src") == "'self' data:"
    for what in ("base-uri", "form-action", "frame-ancestors"):
        assert policy.pop(what) == "'none'"
    assert set(policy.values()) == {"'self'"}
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_the_address_is_the_one_the_visitor_used(app: App) -> None:
    async with run_server(allowed_hosts=("games.example",)) as known:
        page = await fetch(known, Host="games.example:81")
        assert "crossroom join ws://games.example:81/t/kitchen" in page.body
        assert f"nc games.example {known.line_port}" in page.body
    page = await fetch(app, Host="[2001:db8::1]:81")
    assert f"nc 2001:db8::1 {app.line_port}" in page.body


@pytest.mark.parametrize(
    "host", ['"><script>alert(1)</script>', "a b", "a/b", "h:81@evil.example", "", "é"]
)
async def test_a_strange_host_is_neither_answered_nor_repeated(app: App, host: str) -> None:
    page = await fetch(app, Host=host)
    assert page.status == 421
    assert "alert" not in page.body
    assert "evil" not in page.body


@pytest.mark.parametrize("path", ["/", "/t/kitchen", "/metrics", "/rooms.json", "/static/x.js"])
async def test_a_name_that_is_not_ours_is_answered_nothing(app: App, path: str) -> None:
    """A page elsewhere whose name leads here would read it all, as from this machine."""
    answer = await fetch(app, path, Host="rebound.example:8765")
    assert answer.status == 421
    assert "--allowed-host rebound.example" in answer.body
    upgrade = {"Connection": "Upgrade", "Upgrade": "websocket", "Origin": "http://rebound.example"}
    assert (await fetch(app, path, Host="rebound.example", **upgrade)).status == 421


@pytest.mark.parametrize(
    "host", ["localhost:1", "LOCALHOST.", "10.1.2.3:80", "[2001:db8::1]:81", socket.gethostname()]
)
async def test_addresses_and_the_names_of_the_machine_are_ours(app: App, host: str) -> None:
    assert (await fetch(app, Host=host)).status == 200


async def test_the_public_name_is_ours_and_probes_may_use_any() -> None:
    async with run_server(url="wss://games.example/words") as app:
        assert (await fetch(app, Host="games.example")).status == 200
        assert (await fetch(app, "/healthz", Host="node1:8765")).status == 200
        assert (await fetch(app, "/", Host="node1:8765")).status == 421


async def test_what_a_proxy_says_is_not_believed_but_the_person_at_the_server_is(app: App) -> None:
    forwarded = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    assert "evil" not in (await fetch(app, **forwarded)).body
    async with run_server(url="wss://games.example/words") as proxied:
        page = await fetch(proxied)
        assert "crossroom join wss://games.example/words/t/kitchen" in page.body
        assert f"nc games.example {proxied.line_port}" in page.body


@pytest.mark.parametrize(
    "path",
    ["/nowhere", "/t/", "/t", "/t/a_b", "/t/%3Cscript%3E", "/t/a/b", "/../etc", "//x", "http://[/"],
)
async def test_there_is_no_such_page(app: App, path: str) -> None:
    answer = await fetch(app, path)
    assert answer.status == 404
    assert "script" not in answer.body


async def test_head_is_get_without_the_body(app: App) -> None:
    got, head = await fetch(app, "/t/kitchen"), await fetch(app, "/t/kitchen", "HEAD")
    assert (head.status, head.body) == (200, "")
    assert head.headers == got.headers
    assert int(head.headers["content-length"]) == len(got.body.encode())


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "BREW"])
async def test_other_methods_are_not_allowed(app: App, method: str) -> None:
    answer = await fetch(app, "/", method)
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


async def test_health_asks_the_store(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = await fetch(app, "/healthz")
    assert (answer.status, answer.body) == (200, "ok\n")

    async def broken(*_: object) -> None:
        raise Unavailable("the disk is full")

    monkeypatch.setattr(MemoryStore, "check_writable", broken)
    assert (await fetch(app, "/healthz")).status == 200  # what was found out a moment ago
    monkeypatch.setattr(health, "RESULT_TTL_S", 0.0)
    await asyncio.sleep(1.1)
    answer = await fetch(app, "/healthz")
    assert (answer.status, answer.body) == (503, "the disk is full\n")


async def test_health_does_not_wait_for_ever(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async def stuck(*_: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(MemoryStore, "check_writable", stuck)
    monkeypatch.setattr(health, "CHECK_TIMEOUT_S", 0.05)
    monkeypatch.setattr(LoopMonitor, "max_lag", 0.0)
    answer = await fetch(app, "/healthz")
    assert (answer.status, answer.body) == (503, "the store does not answer\n")


async def test_no_page_is_larger_than_a_slow_line_can_take(app: App) -> None:
    pages = [await fetch(app, path) for path in ("/", "/t/kitchen", "/nowhere")]
    assert max(len(page.body) for page in pages) < 150_000
    assert not [page for page in pages if re.search(r"https?://(?!127\.0\.0\.1)", page.body)]


def test_a_long_list_of_rooms_is_cut() -> None:
    rooms = [RoomSummary(f"room-{number}", 1, 0, playing=False) for number in range(10_000)]
    page = landing_page("ws://h", rooms, None, PageLocation("", "page/3f9a"))
    assert page.count('<a href="t/') == 100
    assert "<li>and 9900 more</li>" in page
    assert len(page) < 20_000


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        ({}, "en"),
        ({"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}, "de"),
        ({"Accept-Language": "fr"}, "en"),
        ({"Accept-Language": "de", "Cookie": "theme=dark; language=en"}, "en"),
        ({"Cookie": "language=de"}, "de"),
        ({"Cookie": "language=xx", "Accept-Language": "de"}, "de"),
    ],
)
async def test_pages_are_in_the_language_of_the_browser(
    app: App, headers: dict[str, str], language: str
) -> None:
    for path in ("/", "/t/kitchen", "/nowhere"):
        answer = await fetch(app, path, **headers)
        assert f'<html lang="{language}">' in answer.body
        assert {"Accept-Language", "Cookie"} <= set(answer.headers["vary"].split(", "))
        texts = [load for load in ParsedPage(answer.body).loads if load.endswith("/de.js")]
        assert len(texts) == (language == "de" and path != "/nowhere")
        for load in texts:
            script = await fetch(app, urljoin(path, load))
            assert script.body.startswith('"use strict";')
            assert "globalThis.translations" in script.body
    offer = json.loads((await fetch(app, "/choices.json", **headers)).body)
    words = "the board" if language == "en" else "das Brett"
    assert next(one for one in offer["settings"] if one["name"] == "layout")["words"] == words
