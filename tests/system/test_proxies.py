"""The server behind the proxies that people have, below a path: `docker/proxies` is right."""

import asyncio
import http.client
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from crossroom_server.identity.client_address import read_network
from tests.support.ports import free_port
from tests.support.proxies import LOOPBACK, PROXY_KINDS, client_tls_context, is_installed, run_proxy
from tests.support.server import UNLIMITED, run_server

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="Debian's packages, and 127.0.0.2, are on Linux"
)
COUNTED = replace(UNLIMITED, own=True, connections=1)
"""One connection for each address, the machine's own as well."""


@asynccontextmanager
async def behind(
    name: str, folder: Path, *, listed: bool = True, **settings: Any
) -> AsyncIterator[int]:
    """A server behind a proxy; the port of the proxy."""
    if not is_installed(name):
        pytest.skip(f"{PROXY_KINDS[name].program} is not installed")
    port = free_port()
    url = f"wss://{LOOPBACK}:{port}/words"
    proxies = (read_network(LOOPBACK),) if listed else ()
    async with run_server(**{"url": url, "proxies": proxies, **settings}) as app:
        with run_proxy(name, folder, port, app.port):
            yield port


def dial(port: int, source: str = LOOPBACK, **options: Any) -> connect:
    return connect(
        f"wss://{LOOPBACK}:{port}/words/t/kitchen",
        ssl=client_tls_context(),
        local_addr=(source, 0),
        **options,
    )


async def fetch(port: int, path: str) -> tuple[int, str, str]:
    """Status, where else to look, and body."""

    def asking() -> tuple[int, str, str]:
        peer = http.client.HTTPSConnection(LOOPBACK, port, timeout=10, context=client_tls_context())
        try:
            peer.request("GET", path)
            response = peer.getresponse()
            return (
                response.status,
                response.headers.get("Location", ""),
                response.read().decode("utf-8", "replace"),
            )
        finally:
            peer.close()

    return await asyncio.to_thread(asking)


async def hear(peer: ClientConnection, wanted: str) -> str:
    async with asyncio.timeout(30):
        while wanted not in (line := str(await peer.recv())):
            pass
        return line


async def refused(port: int, source: str, **options: Any) -> int:
    with pytest.raises(InvalidStatus) as caught:
        async with dial(port, source, **options):
            pass
    status: int = caught.value.response.status_code
    return status


async def check_links(port: int, path: str) -> None:
    """What the page links to is there, and below the same path."""
    status, _, page = await fetch(port, path)
    links = re.findall(r'(?:href|src)="([^"#]+)"', page)
    assert (status, links != []) == (200, True)
    for link in links:
        target = urljoin(f"https://{LOOPBACK}:{port}{path}", link)
        assert target.startswith(f"https://{LOOPBACK}:{port}/words/")
        assert (await fetch(port, target.partition(f":{port}")[2]))[0] == 200


@pytest.mark.parametrize("name", PROXY_KINDS)
async def test_pages_and_a_game_below_a_path(name: str, tmp_path: Path) -> None:
    async with behind(name, tmp_path) as port:
        base = f"https://{LOOPBACK}:{port}/words/"
        status, elsewhere, _ = await fetch(port, "/words")
        assert (status in (301, 302), urljoin(base, elsewhere)) == (True, base)
        status, _, page = await fetch(port, "/words/")
        assert status == 200
        assert f"crossroom join wss://{LOOPBACK}:{port}/words/t/kitchen" in page
        assert (await fetch(port, "/words/healthz"))[::2] == (200, "ok\n")
        assert (await fetch(port, "/words/metrics"))[0] == 404
        async with dial(port) as ann, dial(port, origin=base[:-7]) as bob:
            await ann.send("/name ann")
            await hear(ann, "ann takes seat 1")
            await bob.send("/name bob")
            await hear(ann, "bob takes seat 2")
            assert '<a href="t/kitchen">kitchen</a>: 2 here' in (await fetch(port, "/words/"))[2]
            assert "2 seated" in (await fetch(port, "/words/t/kitchen"))[2]
            await ann.send("/invite")
            await hear(ann, f"wss://{LOOPBACK}:{port}/words/t/kitchen")
            await ann.send("/ready")
            await bob.send("/ready")
            first, second = (
                (ann, bob) if "ann to move" in await hear(ann, "to move") else (bob, ann)
            )
            await first.send("/pass")
            await hear(second, "your turn")
            long = "x" * 900
            await second.send(long)
            await hear(first, long)
            await first.send("/resign yes")
            kept = await hear(second, "saved")
            path = kept.partition(f"https://{LOOPBACK}:{port}")[2].split()[0]
            assert path.startswith("/words/g/")
            await check_links(port, path)


@pytest.mark.parametrize("name", PROXY_KINDS)
async def test_metrics_come_through_no_proxy(name: str, tmp_path: Path) -> None:
    async with behind(name, tmp_path, open_metrics=True) as port:
        assert (await fetch(port, "/words/healthz"))[0] == 200
        for path in ("metrics", "metrics?x=1", "%6Detrics", "/metrics", "./metrics", "metrics/"):
            status, _, body = await fetch(port, f"/words/{path}")
            assert (status, "crossroom_rooms" in body) != (200, True), path


@pytest.mark.parametrize("name", PROXY_KINDS)
async def test_what_pages_link_to_is_there(name: str, tmp_path: Path) -> None:
    async with behind(name, tmp_path) as port, dial(port):
        for path in ("/words/", "/words/t/kitchen", "/words/t/attic"):
            await check_links(port, path)


@pytest.mark.parametrize("name", PROXY_KINDS)
async def test_each_friend_has_an_address_of_their_own_whatever_they_say(
    name: str, tmp_path: Path
) -> None:
    async with behind(name, tmp_path, limits=COUNTED) as port, dial(port, "127.0.0.2") as ann:
        await hear(ann, "welcome")
        async with dial(port, "127.0.0.3") as bob:
            await hear(bob, "welcome")
            for said in ("X-Forwarded-For", "X-Real-IP", "Forwarded"):
                lie = {said: "for=192.0.2.1" if said == "Forwarded" else "192.0.2.1"}
                assert await refused(port, "127.0.0.3", additional_headers=lie) == 429


@pytest.mark.parametrize("name", PROXY_KINDS)
async def test_a_proxy_that_is_not_listed_is_one_address_itself(name: str, tmp_path: Path) -> None:
    async with (
        behind(name, tmp_path, listed=False, limits=COUNTED) as port,
        dial(port, "127.0.0.2") as ann,
    ):
        await hear(ann, "welcome")
        assert await refused(port, "127.0.0.3") == 429


@pytest.mark.parametrize("name", PROXY_KINDS)
async def test_without_an_address_for_friends_pages_tell_that_tls_is_spoken(
    name: str, tmp_path: Path
) -> None:
    async with behind(name, tmp_path, url=None) as port:
        _, _, page = await fetch(port, "/words/")
        assert f"crossroom join wss://{LOOPBACK}:{port}/t/kitchen" in page
        evil = "https://evil.example"
        assert await refused(port, LOOPBACK, origin=evil) == 403
        async with dial(port, origin=f"https://{LOOPBACK}:{port}") as ann:
            await hear(ann, "welcome")
