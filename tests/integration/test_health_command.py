"""`crossroom health` asks the server on this machine."""

import asyncio
from pathlib import Path

import pytest
import trustme

from crossroom_clients.cli.main import main
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.memory import MemoryStore
from tests.support.server import LOOPBACK, run_server


async def health(port: int, *flags: str) -> int:
    return await asyncio.to_thread(main, ["health", "--port", str(port), *flags])


async def test_a_server_that_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    async with run_server() as app:
        assert await health(app.port) == 0
    assert capsys.readouterr() == ("ok\n", "")


async def test_where_it_listens_is_told_as_to_the_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with run_server() as app:
        monkeypatch.setenv("CROSSROOM_PORT", str(app.port))
        assert await asyncio.to_thread(main, ["health"]) == 0
        assert await health(app.port, "--host", LOOPBACK) == 0
    assert capsys.readouterr() == ("ok\nok\n", "")


async def test_a_server_with_a_certificate_for_another_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = trustme.CA().issue_cert("games.example")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    cert.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
    key.write_bytes(made.private_key_pem.bytes())
    async with run_server(cert=cert, key=key) as app:
        assert await health(app.port, "--cert", str(cert), "--key", str(key)) == 0
    assert capsys.readouterr() == ("ok\n", "")


async def test_what_ails_it_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise Unavailable("the disk is full")

    async with run_server() as app:
        monkeypatch.setattr(MemoryStore, "check_writable", broken)
        assert await health(app.port) == 1
    assert capsys.readouterr() == ("", "crossroom: the disk is full\n")


async def test_nobody_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    async with run_server() as app:
        port = app.port
    assert await health(port) == 1
    assert f"no answer from {LOOPBACK}, port {port}: " in capsys.readouterr().err


async def test_the_wrong_port_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    async with run_server() as app:
        assert app.line_port is not None
        assert await health(app.line_port) == 1
    assert "This port speaks plain lines" in capsys.readouterr().err


async def test_somebody_else_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        writer.close()

    async with await asyncio.start_server(greet, LOOPBACK, 0) as stranger:
        port = stranger.sockets[0].getsockname()[1]
        assert await health(port) == 1
    assert f"no answer from {LOOPBACK}, port {port}: " in capsys.readouterr().err
