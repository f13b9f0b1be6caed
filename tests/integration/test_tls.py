"""TLS with certificates that are made here, and replaced while people play."""

import asyncio
import logging
import os
import signal
import ssl
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
import trustme
from websockets.asyncio.client import ClientConnection, connect

from crossroom_server.config.certificate import Certificate
from tests.support.serve_process import run_serve as serving_process
from tests.support.serve_process import serve_command
from tests.support.server import LOOPBACK, UNLIMITED, run_server

AUTHORITY = trustme.CA()


def write(folder: Path) -> Certificate:
    """A new certificate for the loopback, and its key."""
    made = AUTHORITY.issue_cert(LOOPBACK)
    cert, key = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
    key.write_bytes(made.private_key_pem.bytes())
    return Certificate(cert, key)


def trusting() -> ssl.SSLContext:
    context = ssl.create_default_context()
    AUTHORITY.configure_trust(context)
    return context


def serial(peer: ClientConnection) -> object:
    """What tells one certificate from another."""
    shown = peer.transport.get_extra_info("ssl_object").getpeercert()
    return shown["serialNumber"]


HANGING_UP: Final = """
import os, signal, sys
from crossroom_clients.cli.main import main
from crossroom_server.config import loading

read = loading.load_configuration

def hang_up(args):
    os.kill(os.getpid(), signal.SIGHUP)
    return read(args)

loading.load_configuration = hang_up
sys.exit(main(["serve", *sys.argv[1:]]))
"""
"""A server that is hung up while it starts."""


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return write(tmp_path)


async def pong(peer: ClientConnection) -> bool:
    await peer.send("/ping")
    while "pong" not in str(await asyncio.wait_for(peer.recv(), 30)):
        pass
    return True


async def test_a_certificate_is_replaced_and_nobody_drops(
    certificate: Certificate, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with run_server(cert=certificate.cert, key=certificate.key) as app:
        url = f"wss://{LOOPBACK}:{app.port}/t/kitchen"
        async with connect(url, ssl=trusting(), max_queue=None) as ann:
            write(certificate.cert.parent)
            app.reload_certificate()
            async with connect(url, ssl=trusting(), max_queue=None) as bob:
                assert await pong(ann)
                assert await pong(bob)
                assert serial(ann) != serial(bob)
                certificate.key.write_text("no key")
                app.reload_certificate()
                async with connect(url, ssl=trusting(), max_queue=None) as eve:
                    assert await pong(eve)
                    assert serial(eve) == serial(bob)
    assert "the certificate stays as it was" in caplog.text


async def test_what_friends_are_told_is_the_secure_address(certificate: Certificate) -> None:
    async with run_server(cert=certificate.cert, key=certificate.key) as app:
        url = f"wss://{LOOPBACK}:{app.port}"
        async with connect(f"{url}/t/kitchen", ssl=trusting()) as ann:
            await ann.send("/invite")
            while f"{url}/t/kitchen" not in str(await asyncio.wait_for(ann.recv(), 30)):
                pass
        reader, writer = await asyncio.open_connection(LOOPBACK, app.port, ssl=trusting())
        writer.write(f"GET / HTTP/1.1\r\nHost: {LOOPBACK}:{app.port}\r\n\r\n".encode())
        page = (await reader.read()).decode()
        assert f"crossroom join {url}/t/kitchen" in page
        writer.close()
        assert app.line_port is not None
        reader, writer = await asyncio.open_connection(LOOPBACK, app.line_port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        assert f"https://{LOOPBACK}:{app.port}/".encode() in await reader.read()
        writer.close()


async def test_who_speaks_no_tls_is_hung_up_on(certificate: Certificate) -> None:
    async with run_server(cert=certificate.cert, key=certificate.key) as app:
        reader, writer = await asyncio.open_connection(LOOPBACK, app.port)
        writer.write(b"GET / HTTP/1.1\r\n\r\n")
        assert b"200 OK" not in await asyncio.wait_for(reader.read(), 30)
        writer.close()
        async with connect(f"wss://{LOOPBACK}:{app.port}/", ssl=trusting(), max_queue=None) as ann:
            assert await pong(ann)


async def test_the_door_comes_before_the_handshake(certificate: Certificate) -> None:
    """Who says nothing, or rubbish, takes a place for a while; others of that address wait."""
    limits = replace(UNLIMITED, own=True, sockets=4, opening=0.7)
    async with run_server(limits, cert=certificate.cert, key=certificate.key) as app:
        peers = [await asyncio.open_connection(LOOPBACK, app.port) for _ in range(12)]
        for _, writer in peers[:2]:
            writer.write(b"rubbish" * 100)
        await asyncio.sleep(0.3)
        held = sum(not reader.at_eof() and not reader.exception() for reader, _ in peers)
        assert 2 <= held <= 4
        await asyncio.sleep(1)
        assert all(reader.at_eof() or reader.exception() for reader, _ in peers)
        for _ in range(5):  # one after the other: none of the former is counted any more
            async with connect(
                f"wss://{LOOPBACK}:{app.port}/", ssl=trusting(), max_queue=None
            ) as ann:
                assert await pong(ann)
        for _, writer in peers:
            writer.close()


async def test_what_comes_right_behind_the_handshake_is_heard(certificate: Certificate) -> None:
    async with run_server(cert=certificate.cert, key=certificate.key) as app:
        for _ in range(20):
            reader, writer = await asyncio.open_connection(LOOPBACK, app.port, ssl=trusting())
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            assert b"200 OK" in await asyncio.wait_for(reader.read(), 30)
            writer.close()


async def test_old_versions_of_tls_are_not_spoken(certificate: Certificate) -> None:
    assert certificate.server_context().minimum_version is ssl.TLSVersion.TLSv1_2


async def test_a_flood_of_frames_over_tls_is_read_at_the_pace(certificate: Certificate) -> None:
    ping = b"\x89\x80\0\0\0\0"
    async with run_server(cert=certificate.cert, key=certificate.key) as app:
        url = f"wss://{LOOPBACK}:{app.port}/t/kitchen"
        async with (
            connect(url, ssl=trusting(), max_queue=None) as eve,
            connect(url, ssl=trusting(), max_queue=None) as ann,
        ):
            eve.transport.write(ping * 200_000)
            for _ in range(5):
                spent = time.process_time()
                assert await pong(ann)
                assert time.process_time() - spent < 1
            eve.transport.abort()


def spoil(certificate: Certificate, how: str) -> str:
    """Make it one that cannot be used; returns what is said then."""
    match how:
        case "no file":
            certificate.cert.unlink()
            return "no such file"
        case "no certificate":
            certificate.cert.write_text("hello")
            return "are no certificate and its key"
        case "other key":
            other = AUTHORITY.issue_cert(LOOPBACK)
            certificate.key.write_bytes(other.private_key_pem.bytes())
            return "key values mismatch"
        case _:
            key = str(certificate.key)
            openssl = ["openssl", "pkey", "-in", key, "-aes128", "-passout", "pass:x"]
            sealed = subprocess.run(openssl, capture_output=True, check=True).stdout
            certificate.key.write_bytes(sealed)
            return "the key has a password"


@pytest.mark.parametrize("how", ["no file", "no certificate", "other key"])
def test_a_server_says_in_one_line_what_is_wrong_with_its_certificate(
    certificate: Certificate, tmp_path: Path, how: str
) -> None:
    told = spoil(certificate, how)
    flags = ["--cert", str(certificate.cert), "--key", str(certificate.key)]
    done = subprocess.run(
        serve_command(tmp_path, *flags), capture_output=True, text=True, check=False, timeout=20
    )
    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_key_with_a_password_is_refused_and_nobody_is_asked_for_it(
    certificate: Certificate,
) -> None:
    try:
        told = spoil(certificate, "password")
    except OSError:
        pytest.skip("there is no openssl command")
    with pytest.raises(OSError, match=told):
        certificate.server_context()


def test_a_certificate_needs_its_key(certificate: Certificate, tmp_path: Path) -> None:
    done = subprocess.run(
        serve_command(tmp_path, "--cert", str(certificate.cert)),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, "--cert and --key go together" in done.stderr) == (1, True)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGHUP there")
def test_sighup_during_the_start_ends_nothing(certificate: Certificate, tmp_path: Path) -> None:
    flags = ["--cert", str(certificate.cert), "--key", str(certificate.key), "--forget"]
    command = [
        sys.executable,
        "-c",
        HANGING_UP,
        *flags,
        "--port",
        "0",
        "--host",
        LOOPBACK,
        "--json",
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert "listening" in server.stdout.readline()
        server.terminate()
        _, told = server.communicate(timeout=30)
        assert server.returncode == 0
        assert "the certificate is read again" in told, "it may be newer than what was read"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGHUP there")
async def test_sighup_reads_the_certificate_again(certificate: Certificate, tmp_path: Path) -> None:
    flags = ["--cert", str(certificate.cert), "--key", str(certificate.key), "--forget"]
    with serving_process(tmp_path, *flags) as server:
        url = f"wss://{LOOPBACK}:{server.listening['port']}/t/kitchen"
        async with connect(url, ssl=trusting(), max_queue=None) as ann:
            write(tmp_path)
            os.kill(server.process.pid, signal.SIGHUP)
            for _ in range(100):
                async with connect(url, ssl=trusting(), max_queue=None) as bob:
                    if serial(bob) != serial(ann):
                        break
            else:
                pytest.fail("the old certificate is still shown")
            assert await pong(ann)
