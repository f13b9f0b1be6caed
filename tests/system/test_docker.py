"""The container, the compose files and the systemd unit, as far as they go without an engine."""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
import yaml

from crossroom_server.config import loading
from crossroom_server.config.settings import Settings
from tests.support.build import CAN_COMPILE, build
from tests.support.paths import ROOT
from tests.support.ports import free_port
from tests.support.proxies import LOOPBACK

DOCKER: Final = ROOT / "docker"
COMPOSE: Final = ("compose.yaml", "compose.tls.yaml")
UNIT: Final = DOCKER / "crossroom.service"
BACKUP: Final = DOCKER / "crossroom-backup.service"
TLS: Final = DOCKER / "crossroom.service.d" / "tls.conf"
TIMER: Final = DOCKER / "crossroom-backup.timer"
UID: Final = 10001

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="containers are of Linux")


def instructions(text: str) -> list[tuple[str, str]]:
    """What a Dockerfile says, line by line: ``("USER", "10001:10001")``."""
    told = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in told.splitlines())]


DOCKERFILE: Final = instructions((DOCKER / "Dockerfile").read_text(encoding="utf-8"))
LAST_STAGE: Final = DOCKERFILE[max(i for i, (word, _) in enumerate(DOCKERFILE) if word == "FROM") :]
SAYS: Final = dict(LAST_STAGE)
ENVIRONMENT: Final = dict(pair.split("=", 1) for pair in shlex.split(SAYS["ENV"]))


def settings(environment: dict[str, str]) -> Settings:
    """What a server makes of the variables, which it must all know."""
    assert loading.unknown_variables(environment) == []
    parser = argparse.ArgumentParser()
    loading.add_arguments(parser)
    return loading.load_configuration(parser.parse_args([]), environment).settings()


def test_the_image_is_not_of_root_and_keeps_its_games_in_the_volume() -> None:
    told = settings(ENVIRONMENT)
    assert str(told.data) == SAYS["VOLUME"]
    assert str(told.port) == SAYS["EXPOSE"]
    assert SAYS["USER"] == f"{UID}:{UID}"
    assert f"--uid {UID}" in SAYS["RUN"]


def test_the_linter_finds_no_fault() -> None:
    hadolint = shutil.which("hadolint", path=sysconfig.get_path("scripts"))
    if hadolint is None:
        pytest.skip("hadolint is not installed")
    done = subprocess.run([hadolint, DOCKER / "Dockerfile"], capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_nothing_is_sent_to_the_engine_but_what_is_copied() -> None:
    ignored = (DOCKER / "Dockerfile.dockerignore").read_text(encoding="utf-8").split("\n")
    sent = {line[1:] for line in ignored if line.startswith("!")}
    assert "*" in ignored
    assert sent == set(copied())


def copied() -> list[str]:
    """Files and folders of the project that the build stage takes."""
    lines = [shlex.split(rest) for word, rest in DOCKERFILE if word == "COPY"]
    return [name for line in lines if not line[0].startswith("--") for name in line[:-1]]


class BuiltImage:
    """What the Dockerfile builds, without an engine: a folder, and how things are run in it."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        path = f"{folder / 'venv' / 'bin'}:/usr/bin:/bin"
        self.environment = {
            **ENVIRONMENT,
            "PATH": path,
            "CROSSROOM_DATA": str(self.data),
            "CROSSROOM_HOST": LOOPBACK,
            "CROSSROOM_PORT": str(free_port()),
        }
        # The interpreter of the tests may lie where only root can read; nothing may be written.
        reading = [f"--{kind}-caps=+dac_read_search" for kind in ("inh", "ambient")]
        drop = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", *reading]
        self._as_user = drop if os.geteuid() == 0 else []

    def command(self, line: list[str]) -> list[str]:
        program = shutil.which(line[0], path=self.environment["PATH"])
        assert program is not None, line
        return [*self._as_user, program, *line[1:]]

    def run(self, line: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(line),
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )


@pytest.fixture(scope="module")
def image() -> Iterator[BuiltImage]:
    with TemporaryDirectory(prefix="crossroom-image-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        source, dist, venv = folder / "source", folder / "dist", folder / "venv"
        source.mkdir()
        for part in copied():
            if (ROOT / part).is_dir():
                passing = shutil.ignore_patterns("__pycache__", "*.so")
                shutil.copytree(ROOT / part, source / part, ignore=passing)
            else:
                shutil.copy(ROOT / part, source / part)
        build(source, dist, "wheel", CROSSROOM_KERNEL="c" if CAN_COMPILE else "python")
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
        (wheel,) = dist.glob("*.whl")
        pip = [sys.executable, "-m", "pip", "--python", str(venv / "bin" / "python")]
        offline = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", *offline, str(wheel)], check=True)
        (packages,) = venv.glob("lib/python*/site-packages")
        (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
        made = BuiltImage(folder)
        made.data.mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(made.data, UID, UID)
        yield made


@LINUX
def test_what_is_built_serves_as_nobody_special_and_is_well(image: BuiltImage) -> None:
    start = [*json.loads(SAYS["ENTRYPOINT"]), *json.loads(SAYS["CMD"])]
    ask = json.loads(SAYS["HEALTHCHECK"].partition(" CMD ")[2])
    with subprocess.Popen(
        image.command(start), env=image.environment, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            until = time.monotonic() + 30
            while (done := image.run(ask)).returncode and time.monotonic() < until:
                assert server.poll() is None, server.communicate()
            assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")
            owner = (image.data / "games.db").stat().st_uid
            assert owner == (UID if os.geteuid() == 0 else os.geteuid())
            assert image.run(["crossroom", "admin", "rooms"]).stdout == "no room is open\n"
        finally:
            server.send_signal(signal.SIGTERM)
            _, told = server.communicate(timeout=60)
    assert server.returncode == 0, told
    done = image.run(ask)
    assert (done.returncode, done.stdout) == (1, "")
    assert "no answer from 127.0.0.1, port" in done.stderr


@LINUX
def test_the_program_in_it_is_the_one_that_was_built(image: BuiltImage) -> None:
    where = image.run(["python", "-c", "import crossroom_server; print(crossroom_server.__file__)"])
    assert str(image.data.parent / "venv") in where.stdout, where.stderr
    engine = image.run(["crossroom", "--version"]).stdout.splitlines()[1]
    assert ("C kernel" in engine) is CAN_COMPILE


def composed(name: str, **environment: str) -> dict[str, Any]:
    """A compose file with its variables filled in, as compose does it; empty if there is none."""
    text = (DOCKER / name).read_text(encoding="utf-8")

    def fill(match: re.Match[str]) -> str:
        chosen = environment.get(match[1], "")
        assert chosen or match[2] != ":?", f"{name} does not work without {match[1]}: {match[3]}"
        return chosen or (match[3] if match[2] == ":-" else "")

    filled = re.sub(r"\$\{(\w+)(:-|:\?)?([^}]*)\}", fill, text)
    document: dict[str, Any] = yaml.safe_load(filled)
    return document


def composed_all() -> dict[str, dict[str, Any]]:
    return {name: composed(name, DOMAIN="words.example.org") for name in COMPOSE}


@pytest.mark.parametrize("name", COMPOSE)
def test_a_server_of_compose_knows_its_settings_and_fits_the_image(name: str) -> None:
    document = composed_all()[name]
    server = document["services"]["crossroom"]
    told = settings(ENVIRONMENT | server["environment"])
    assert (DOCKER / server["build"]["context"] / server["build"]["dockerfile"]).is_file()
    (volume,) = server["volumes"]
    assert volume.split(":")[1] == SAYS["VOLUME"]
    assert volume.split(":")[0] in document["volumes"]
    if name == "compose.yaml":
        assert server["ports"] == [f"8765:{told.port}"]
        assert told.url is None
    else:
        assert "ports" not in server
        assert told.url == "wss://words.example.org"


def test_compose_needs_no_configuration_but_a_name_for_its_certificate() -> None:
    assert composed("compose.yaml")
    with pytest.raises(AssertionError, match="DOMAIN: the name under which"):
        composed("compose.tls.yaml")


def test_both_ways_to_compose_run_the_same_server_with_the_same_games() -> None:
    servers = [document["services"]["crossroom"] for document in composed_all().values()]
    for server in servers:
        del server["environment"]
        server.pop("ports", None)
    assert servers[0] == servers[1]
    names = {document["name"] for document in composed_all().values()}
    assert len(names) == 1


def test_only_the_network_of_caddy_is_believed() -> None:
    document = composed_all()["compose.tls.yaml"]
    (network,) = document["networks"]["default"]["ipam"]["config"]
    told = settings(document["services"]["crossroom"]["environment"])
    assert [str(proxy) for proxy in told.proxies] == [network["subnet"]]
    port = settings(ENVIRONMENT).port
    assert f"reverse_proxy crossroom:{port}" in (DOCKER / "Caddyfile").read_text(encoding="utf-8")
    assert "./Caddyfile:/etc/caddy/Caddyfile:ro" in document["services"]["caddy"]["volumes"]


def adapted(text: str, folder: Path) -> str:
    """What Caddy makes of a file of its own, in which it finds no fault."""
    caddy = shutil.which("caddy", path=f"{os.environ.get('PATH', '')}:/usr/bin")
    if caddy is None:
        pytest.skip("caddy is not installed")
    file = folder / "Caddyfile"
    file.write_text(text, encoding="utf-8")
    homes = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    done = subprocess.run(
        [caddy, "adapt", "--config", file, "--validate"],
        env={**homes, "DOMAIN": "words.example.org"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "formatted" not in done.stderr
    return done.stdout


def test_caddy_understands_its_file(tmp_path: Path) -> None:
    told = adapted((DOCKER / "Caddyfile").read_text(encoding="utf-8"), tmp_path)
    assert '"dial":"crossroom:8765"' in told
    assert "words.example.org" in told


def test_what_the_guide_writes_into_files_is_understood(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "host" / "hosting.md").read_text(encoding="utf-8")
    written = dict(re.findall(r"^cat >(\S+) <<'END'\n(.*?)^END$", guide, re.MULTILINE | re.DOTALL))
    chosen = shlex.split(written["/etc/default/crossroom"])
    told = settings(dict(pair.split("=", 1) for pair in chosen))
    assert (told.url, told.host) == ("wss://words.example.org", LOOPBACK)
    assert [str(proxy) for proxy in told.proxies] == [f"{LOOPBACK}/32"]
    assert unit()["EnvironmentFile"] == "-/etc/default/crossroom"
    proxied = adapted(written["/etc/caddy/Caddyfile"], tmp_path)
    assert f'"dial":"{LOOPBACK}:{told.port}"' in proxied
    assert "words.example.org" in proxied


def unit(path: Path = UNIT) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))


def test_the_unit_keeps_its_games_where_systemd_makes_a_folder_for_it() -> None:
    told = settings(dict([unit()["Environment"].split("=", 1)]))
    assert told == Settings(data=Path("/var/lib", unit()["StateDirectory"]))
    assert unit()["ExecStart"].endswith("/bin/crossroom serve")


def test_the_drop_in_for_tls_is_what_the_server_understands(tmp_path: Path) -> None:
    lines = TLS.read_text(encoding="utf-8").splitlines()
    chosen = [line.partition("=")[2] for line in lines if line.startswith("Environment=")]
    told = settings(dict(pair.replace("%d", "/run/cred").split("=", 1) for pair in chosen))
    credentials = [line for line in lines if line.startswith("LoadCredential=")]
    assert told.certificate is not None
    names = {told.certificate.cert.name, told.certificate.key.name}
    assert names == {re.split("[=:]", line)[1] for line in credentials}
    assert "PrivateUsers=no" in lines  # or else the capability would not count
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd-analyze")
    copy, beside = tmp_path / UNIT.name, tmp_path / TLS.parent.name
    text = UNIT.read_text(encoding="utf-8")
    copy.write_text(text.replace(unit()["ExecStart"].split()[0], sys.executable))
    beside.mkdir()
    shutil.copy(TLS, beside)
    command = [analyze, "security", "--offline=true", "--threshold=20", str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


def test_copies_are_made_of_the_games_of_the_unit() -> None:
    server, copy = unit(), unit(BACKUP)
    for name in ("User", "Environment", "EnvironmentFile", "StateDirectory"):
        assert copy[name] == server[name]
    assert copy["ExecStart"].split()[1:] == ["backup", "--keep", "14"]


@pytest.mark.parametrize("path", [UNIT, BACKUP], ids=lambda path: path.name)
@pytest.mark.parametrize("what", [["verify"], ["security", "--offline=true", "--threshold=15"]])
def test_systemd_finds_no_fault(what: list[str], path: Path, tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd-analyze")
    copy = tmp_path / path.name
    text = path.read_text(encoding="utf-8")
    copy.write_text(text.replace(unit(path)["ExecStart"].split()[0], sys.executable))
    timer = [TIMER] if path is BACKUP and what == ["verify"] else []
    done = subprocess.run(
        [analyze, *what, copy, *timer], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
