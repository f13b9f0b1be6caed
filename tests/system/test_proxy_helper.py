"""Behind a proxy that is listed: limits are each client's, and addresses are theirs."""

import argparse
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from crossroom_server.cli.serve import add_arguments
from tests.support.serve_process import LOOPBACK, ServeProcess, run_serve


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServeProcess]:
    flags = ["--forget", "--connections", "2", "--proxy", "10.0.0.0/8", "--proxy", LOOPBACK]
    with run_serve(tmp_path, *flags) as server:
        yield server


def dial(server: ServeProcess, client: str, **more: str) -> ClientConnection:
    url = f"ws://{LOOPBACK}:{server.listening['port']}/t/kitchen"
    return connect(url, additional_headers={"X-Forwarded-For": client, **more})


def test_each_client_of_a_proxy_has_limits_of_its_own(server: ServeProcess) -> None:
    with ExitStack() as open_:
        for client in ("192.0.2.1", "192.0.2.2, 10.0.0.3"):
            for _ in range(2):
                peer = open_.enter_context(dial(server, client))
                assert "welcome" in str(peer.recv(timeout=60))
        for client in ("192.0.2.1", "127.0.0.1, 192.0.2.1", "192.0.2.77, 192.0.2.1, 10.9.9.9"):
            with pytest.raises(InvalidStatus) as refused:
                dial(server, client)
            assert refused.value.response.status_code == 429


def test_a_proxy_that_tells_no_client_is_limited_itself(server: ServeProcess) -> None:
    with ExitStack() as open_:
        for _ in range(2):
            open_.enter_context(dial(server, "nonsense"))
        with pytest.raises(InvalidStatus):
            dial(server, "nonsense")


def test_the_invitation_is_for_the_scheme_that_the_client_uses(server: ServeProcess) -> None:
    for scheme, told in (("https", "wss"), ("http", "ws")):
        with dial(server, "192.0.2.3", **{"X-Forwarded-Proto": scheme}) as peer:
            peer.send("/invite")
            while f" {told}://{LOOPBACK}" not in str(peer.recv(timeout=60)):
                pass


def test_nobody_is_believed_unless_listed(tmp_path: Path) -> None:
    with (
        run_serve(tmp_path, "--forget", "--connections", "1", "--proxy", "10.0.0.0/8") as server,
        dial(server, "192.0.2.1"),
        dial(server, "192.0.2.1"),
    ):
        pass  # both are this machine, which has no limits


@pytest.mark.parametrize("text", ["", "proxy.example", "10.0.0.0/99", "10.0.0"])
def test_what_is_no_network_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args([f"--proxy={text}"])
    assert "is no address or network" in capsys.readouterr().err
