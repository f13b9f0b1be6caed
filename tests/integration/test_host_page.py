"""The host's page: whoever has the link from the console can do what the console can."""

import asyncio
import json
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from crossroom_server.app import App
from crossroom_server.listeners import host_page
from crossroom_server.listeners.host_page import HostLinks
from tests.integration.test_admin_console import asked
from tests.integration.test_http import fetch
from tests.support.server import LOOPBACK, receive_until, run_server

Console = pytest.CaptureFixture[str]


async def link(folder: Path, capsys: Console) -> str:
    """The token of a new link."""
    address, _ = await asyncio.to_thread(asked, folder, "page", capsys=capsys)
    return address.partition("#")[2]


def dial(app: App) -> connect:
    return connect(f"ws://{LOOPBACK}:{app.port}/host")


async def do(page: ClientConnection, line: str) -> dict[str, object]:
    await page.send(line)
    answer: dict[str, object] = json.loads(await page.recv())
    return answer


async def end_of(page: ClientConnection) -> tuple[int, str]:
    with pytest.raises(ConnectionClosed) as ended:
        await page.recv()
    assert ended.value.rcvd is not None
    return ended.value.rcvd.code, ended.value.rcvd.reason


async def test_without_a_link_there_is_no_page(tmp_path: Path, capsys: Console) -> None:
    async with run_server(keep=True, data=tmp_path) as app:
        assert (await fetch(app, "/host")).status == 404
        with pytest.raises(InvalidStatus):
            async with dial(app):
                pass
        await link(tmp_path, capsys)
        page = await fetch(app, "/host")
        assert page.status == 200
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


async def test_the_commands_of_the_console(tmp_path: Path, capsys: Console) -> None:
    async with run_server(keep=True, data=tmp_path) as app:
        token = await link(tmp_path, capsys)
        address = f"ws://{LOOPBACK}:{app.port}/t/kitchen"
        async with dial(app) as page, connect(address) as person:
            await receive_until(person, "welcome")
            await page.send(token)
            assert "kitchen: 1 connected" in str((await do(page, "rooms"))["told"])
            assert "health: ok" in str((await do(page, "status"))["told"])
            await do(page, "ban 203.0.113.0/24")
            assert (await do(page, "bans"))["told"] == ["203.0.113.0/24"]
            assert "none; help lists all" in str((await do(page, "nonsense"))["refused"])


async def test_a_wrong_token_opens_nothing_and_is_counted(tmp_path: Path, capsys: Console) -> None:
    async with run_server(keep=True, data=tmp_path) as app:
        token = await link(tmp_path, capsys)
        for number in range(5):
            async with dial(app) as page:
                await page.send(token[:-1] if number < 4 else token)
                await page.send("rooms")
                code, reason = await end_of(page)
                assert code == host_page.POLICY_VIOLATION
        assert "too many wrong codes" in reason


async def test_a_link_that_was_ended_ends_what_is_open(tmp_path: Path, capsys: Console) -> None:
    async with run_server(keep=True, data=tmp_path) as app:
        token = await link(tmp_path, capsys)
        async with dial(app) as page:
            await page.send(token)
            await do(page, "rooms")
            told = await asyncio.to_thread(asked, tmp_path, "page", "off", capsys=capsys)
            assert told == ["links that are no longer valid: 1"]
            await page.send("rooms")
            assert (await end_of(page))[1] == "this link is no longer valid"
        assert (await fetch(app, "/host")).status == 404


async def test_a_page_elsewhere_may_not_ask(tmp_path: Path, capsys: Console) -> None:
    async with run_server(keep=True, data=tmp_path) as app:
        await link(tmp_path, capsys)
        evil = Origin("https://evil.example")
        with pytest.raises(InvalidStatus):
            async with connect(f"ws://{LOOPBACK}:{app.port}/host", origin=evil):
                pass


def test_links_end_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_page, "LIFETIME_S", -1.0)
    links = HostLinks()
    assert not links.is_valid(links.issue())
    assert not links.any_valid
    monkeypatch.undo()
    first = links.issue()
    assert links.is_valid(first)
    for _ in range(host_page.MAX_LINKS):
        links.issue()
    assert not links.is_valid(first)
