"""The composition of a cluster: its file, its secrets and its proxy, without an engine."""

import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest

from crossroom_server.cluster.bus import BusUnreachable
from crossroom_server.config.store_url import Database
from tests.support.nats_server import LOOPBACK, nats_server
from tests.support.ports import free_port
from tests.system.test_docker import DOCKER, ENVIRONMENT, SAYS, adapted, composed, settings

NAME: Final = "compose.cluster.yaml"
SCRIPT: Final = DOCKER / "cluster" / "secrets.sh"
CADDYFILE: Final = DOCKER / "cluster" / "Caddyfile"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the script is one of sh")


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the script draws."""
    folder = tmp_path_factory.mktemp("cluster") / "secrets"
    subprocess.run([SCRIPT, folder], check=True)
    return folder


@pytest.fixture
def document(secrets: Path) -> dict[str, Any]:
    return composed(NAME, DOMAIN="words.example.org", SECRETS=str(secrets))


def nodes(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {name: it for name, it in document["services"].items() if name.startswith("node")}


def test_secrets_are_drawn_once_and_only_their_owner_gets_at_them(secrets: Path) -> None:
    assert stat.S_IMODE(secrets.stat().st_mode) == 0o700
    files = {file.name: file.read_text() for file in secrets.iterdir()}
    # A container may have another user, who must be able to read what it is shown.
    assert {stat.S_IMODE(file.stat().st_mode) for file in secrets.iterdir()} == {0o644}
    database, bus = files["postgres"], urlsplit(files["bus"]).password
    assert urlsplit(files["store"]).password == database
    assert bus is not None
    assert f'password: "{bus}"' in files["nats.conf"]
    assert bus != database
    assert min(len(bus), len(database)) == 40
    again = subprocess.run([SCRIPT, secrets], capture_output=True, text=True, check=False)
    assert again.returncode != 0
    assert "exists" in again.stderr
    assert {file.name: file.read_text() for file in secrets.iterdir()} == files


def test_each_node_knows_its_settings_and_where_the_others_are(document: dict[str, Any]) -> None:
    services = document["services"]
    assert len(nodes(document)) == 2
    for name, node in nodes(document).items():
        given = ENVIRONMENT | node["environment"]
        for variable in ("CROSSROOM_STORE_FILE", "CROSSROOM_BUS_FILE"):
            secret = given[variable].removeprefix("/run/secrets/")
            assert secret in node["secrets"]
            given[variable] = document["secrets"][secret]["file"]
        told = settings(given)
        assert isinstance(told.store, Database)
        assert urlsplit(told.store.url).hostname in services
        assert told.bus is not None
        assert urlsplit(told.bus).hostname in services
        assert (told.node, told.url) == (name, "wss://words.example.org")
        assert f"{name}:{told.port}" in services["caddy"]["environment"]["NODES"].split()


def test_nodes_differ_in_their_name_and_folder_alone(document: dict[str, Any]) -> None:
    one, two = nodes(document).values()
    folders = [volume.partition(":")[0] for node in (one, two) for volume in node.pop("volumes")]
    assert folders == ["node1", "lexica", "node2", "lexica"]
    assert {*folders, "database", "certificates"} == set(document["volumes"])
    for node in (one, two):
        del node["environment"]["CROSSROOM_NODE"]
    assert one == two
    alone = composed("compose.yaml")["services"]["crossroom"]
    shared = {"build", "image", "restart", "read_only", "tmpfs", "cap_drop", "security_opt"}
    assert {key: one[key] for key in shared} == {key: alone[key] for key in shared}
    assert one["stop_grace_period"] == alone["stop_grace_period"]


def test_word_lists_are_for_all_nodes_and_their_folder_is_in_the_image() -> None:
    assert f"{SAYS['VOLUME']}/lexica" in SAYS["RUN"].split()


def test_only_caddy_is_reached_from_outside(document: dict[str, Any]) -> None:
    services, networks = document["services"], document["networks"]
    assert [name for name, service in services.items() if "ports" in service] == ["caddy"]
    assert networks["back"]["internal"] is True
    assert services["postgres"]["networks"] == services["nats"]["networks"] == ["back"]
    assert services["caddy"]["networks"] == ["front"]
    (front,) = networks["front"]["ipam"]["config"]
    for node in nodes(document).values():
        told = settings({"CROSSROOM_PROXIES": node["environment"]["CROSSROOM_PROXIES"]})
        assert [str(proxy) for proxy in told.proxies] == [front["subnet"]]
    assert "./cluster/Caddyfile:/etc/caddy/Caddyfile:ro" in services["caddy"]["volumes"]


def test_nodes_wait_for_what_they_need(document: dict[str, Any]) -> None:
    for node in nodes(document).values():
        needed = {name for name, how in node["depends_on"].items() if len(how) == 1}
        assert needed == {"postgres", "nats"}
        assert all("healthcheck" in document["services"][name] for name in needed)


def test_caddy_understands_its_file(tmp_path: Path) -> None:
    told = adapted(CADDYFILE.read_text(encoding="utf-8"), tmp_path)
    assert '"dial":"node1:8765"},{"dial":"node2:8765"' in told
    assert "words.example.org" in told


def test_what_the_readme_says_of_several_machines_is_understood() -> None:
    readme = (DOCKER / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```sh\n(CROSSROOM_URL=.*?)```$", readme, re.MULTILINE | re.DOTALL)
    told = settings(dict(line.split("=", 1) for line in block.splitlines()))
    assert isinstance(told.store, Database)
    assert told.bus == "nats://crossroom:PASSWORD@10.0.0.8:4222"
    assert told.node == "node1"


async def test_the_bus_lets_in_whoever_has_its_password(
    secrets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("nats")
    from crossroom_server.cluster import nats_bus

    monkeypatch.setattr(nats_bus, "NATS_TIMEOUT_S", 1.0)
    text, url = (secrets / "nats.conf").read_text(), (secrets / "bus").read_text()
    with guarded(text, tmp_path) as port:
        here = url.replace("nats:4222", f"{LOOPBACK}:{port}")
        bus = await nats_bus.NatsBus.connect(here, "a")
        assert bus._nats.is_connected
        await bus.close()
        with pytest.raises(BusUnreachable, match=r"cannot be reached: .*Authorization"):
            await nats_bus.NatsBus.connect(f"nats://{LOOPBACK}:{port}", "b")


@contextmanager
def guarded(config: str, folder: Path) -> Iterator[int]:
    """A NATS server with that file, at another port."""
    port, watched = free_port(), free_port()
    file = folder / "nats.conf"
    file.write_text(config.replace("4222", str(port)).replace("8222", str(watched)))
    try:
        with nats_server(file, port):
            yield port
    except LookupError as error:
        pytest.skip(str(error))


def test_no_secrets_are_written_where_none_can_be_drawn(tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname", "mkdir", "tr", "cat", "chmod"):  # no od
        found = shutil.which(name)
        assert found is not None
        (tools / name).symlink_to(found)
    folder = tmp_path / "secrets"
    done = subprocess.run(
        ["/bin/sh", SCRIPT, folder],
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "no password could be drawn; are od and tr there?" in done.stderr
    assert not folder.exists()
