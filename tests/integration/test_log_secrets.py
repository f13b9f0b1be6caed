"""Resume codes: long, at random, kept as digests only, and never written into a log."""

import asyncio
import json
import math
import os
import re
import subprocess
import time
from pathlib import Path

from websockets.sync.client import ClientConnection, connect

from crossroom_server.identity.codes import code_digest, new_code
from tests.support.serve_process import LOOPBACK, serve_command

CODE = re.compile(r"/resume ((?:[0-9a-z]{4}-){2}[0-9a-z]{4})")


def test_codes_have_sixty_random_bits() -> None:
    codes = [new_code()[0].replace("-", "") for _ in range(2000)]
    for place in range(12):
        letters = {code[place] for code in codes}
        assert len(letters) == 32
    assert 12 * math.log2(32) == 60
    assert len(set(codes)) == len(codes)


def heard_code(peer: ClientConnection) -> str:
    while True:
        if found := CODE.search(str(peer.recv(timeout=60))):
            return found[1]


def hear(peer: ClientConnection, wanted: str) -> None:
    while wanted not in str(peer.recv(timeout=60)):
        pass


async def _line_code(port: int) -> str:
    """A code from the line port."""
    reader, writer = await asyncio.open_connection(LOOPBACK, port)
    writer.write(b"/join kitchen\n/name bob\n")
    found = None
    while found is None:
        found = CODE.search((await asyncio.wait_for(reader.readline(), 30)).decode())
    writer.close()
    return found[1]


def test_codes_are_neither_logged_nor_stored(tmp_path: Path) -> None:
    wrong = "zzzz-yyyy-xxxx"
    flags = ["--json", "--line-port", "0", "--log-level", "debug"]
    with subprocess.Popen(
        serve_command(tmp_path, *flags),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONASYNCIODEBUG": "1"},
    ) as server:
        try:
            assert server.stdout is not None
            listening = json.loads(server.stdout.readline())["listening"]
            url = f"ws://{LOOPBACK}:{listening['port']}/t/kitchen"
            with connect(url, max_queue=None) as ann:
                ann.send("/name ann")
                code = heard_code(ann)
                ann.send(f"/resume {wrong}")
                hear(ann, "BAD_TOKEN")
            with connect(url, max_queue=None) as ann:
                ann.send(f"/resume {code} 0")
                hear(ann, "up to date")
                ann.send(f"/ressume {code}")
                ann.send(f"/resume {code} nonsense")
                hear(ann, "BAD_ARGS")
            other = asyncio.run(_line_code(listening["line_port"]))
            time.sleep(0.1)
            server.terminate()
            _, log = server.communicate(timeout=60)
        finally:
            server.kill()
    assert "DEBUG crossroom_server.session.serve: 127.0.0.1: connected" in log
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    for secret in (code, other, wrong):
        for spelling in (secret, secret.replace("-", "")):
            assert spelling not in log
            assert spelling.encode() not in stored
    assert code_digest(code).encode() in stored
