"""Proxies that people have, in front of a server, with the files of `docker/proxies`."""

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import trustme

from tests.support.paths import ROOT

LOOPBACK: Final = "127.0.0.1"
SNIPPETS: Final = ROOT / "docker" / "proxies"
AUTHORITY: Final = trustme.CA()

_NGINX: Final = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    scgi_temp_path {folder}/scgi;
    uwsgi_temp_path {folder}/uwsgi;
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {folder}/cert.pem;
        ssl_certificate_key {folder}/key.pem;
        {snippet}
    }}
}}
"""
_APACHE_MODULES: Final = Path("/usr/lib/apache2/modules")
_APACHE: Final = """
ServerRoot {folder}
ServerName 127.0.0.1
PidFile {folder}/apache.pid
ErrorLog {folder}/error.log
{user}
{modules}
SSLSessionCache none
Listen 127.0.0.1:{port}
<VirtualHost 127.0.0.1:{port}>
    SSLEngine on
    SSLCertificateFile {folder}/cert.pem
    SSLCertificateKeyFile {folder}/key.pem
    {snippet}
</VirtualHost>
"""


def _nginx(folder: Path, port: int, snippet: str) -> list[str]:
    config = folder / "nginx.conf"
    config.write_text(_NGINX.format(folder=folder, port=port, snippet=snippet))
    return ["nginx", "-p", str(folder), "-c", str(config)]


def _apache(folder: Path, port: int, snippet: str) -> list[str]:
    names = [
        "mpm_event",
        "authz_core",
        "alias",
        "headers",
        "proxy",
        "proxy_http",
        "ssl",
        "socache_shmcb",
    ]
    modules = "\n".join(f"LoadModule {n}_module {_APACHE_MODULES}/mod_{n}.so" for n in names)
    user = "User www-data\nGroup www-data" if os.geteuid() == 0 else ""
    config = folder / "apache.conf"
    config.write_text(
        _APACHE.format(folder=folder, port=port, snippet=snippet, modules=modules, user=user)
    )
    return ["apache2", "-f", str(config), "-DFOREGROUND"]


def _caddy(folder: Path, port: int, snippet: str) -> list[str]:
    config = folder / "Caddyfile"
    site = (
        f"https://{LOOPBACK}:{port} {{\n\tbind {LOOPBACK}\n\ttls {folder}/cert.pem {folder}/key.pem"
    )
    options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
    config.write_text(options + snippet.replace("example.org {", site))
    return ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"]


class ProxyKind(NamedTuple):
    program: str
    snippet: str
    command: Callable[[Path, int, str], list[str]]


PROXY_KINDS: Final = {
    "caddy": ProxyKind("caddy", "Caddyfile", _caddy),
    "nginx": ProxyKind("nginx", "nginx.conf", _nginx),
    "apache": ProxyKind("apache2", "apache.conf", _apache),
}


def is_installed(name: str) -> bool:
    program = PROXY_KINDS[name].program if name in PROXY_KINDS else name
    found = shutil.which(program, path=_path())
    return found is not None and (name != "apache" or _APACHE_MODULES.is_dir())


def client_tls_context() -> ssl.SSLContext:
    context = ssl.create_default_context()
    AUTHORITY.configure_trust(context)
    return context


@contextmanager
def run_proxy(name: str, folder: Path, port: int, behind: int) -> Iterator[None]:
    """A proxy that speaks TLS at *port*, and has `/words/` from the server at *behind*."""
    kind = PROXY_KINDS[name]
    text = (SNIPPETS / kind.snippet).read_text(encoding="utf-8")
    assert f"{LOOPBACK}:8765" in text
    snippet = text.replace(f"{LOOPBACK}:8765", f"{LOOPBACK}:{behind}")
    _certify(folder)
    with _running(kind.command(folder, port, snippet), folder, port):
        yield


@contextmanager
def run_cluster_proxy(folder: Path, port: int, nodes: Iterable[int]) -> Iterator[None]:
    """Caddy that speaks TLS at *port*, in front of *nodes*, with the file of `docker/cluster`."""
    text = (SNIPPETS.parent / "cluster" / "Caddyfile").read_text(encoding="utf-8")
    _certify(folder)
    command = _caddy(folder, port, text.replace("{$DOMAIN} {", "example.org {"))
    named = " ".join(f"{LOOPBACK}:{node}" for node in nodes)
    with _running(command, folder, port, NODES=named):
        yield


@contextmanager
def run_haproxy(
    folder: Path, port: int, nodes: Iterable[int], *, tls: bool = True
) -> Iterator[None]:
    """HAProxy at *port*, in front of *nodes*, with the file of `docker/cluster`."""
    text = (SNIPPETS.parent / "cluster" / "haproxy.cfg").read_text(encoding="utf-8")
    general, _, _ = text.partition("\tserver node1 ")
    servers = "".join(f"\tserver node{node} {LOOPBACK}:{node}\n" for node in nodes)
    if not tls:
        general = general.replace(' ssl crt "${CERTIFICATE}"', "")
    config, certificate = folder / "haproxy.cfg", folder / "both.pem"
    config.write_text(general + servers)
    _certify(folder)
    certificate.write_bytes((folder / "cert.pem").read_bytes() + (folder / "key.pem").read_bytes())
    settings = {"BIND": f"{LOOPBACK}:{port}", "CERTIFICATE": str(certificate)}
    with _running(["haproxy", "-f", str(config)], folder, port, **settings):
        yield


def _certify(folder: Path) -> None:
    made = AUTHORITY.issue_cert(LOOPBACK)
    (folder / "cert.pem").write_bytes(b"".join(blob.bytes() for blob in made.cert_chain_pems))
    (folder / "key.pem").write_bytes(made.private_key_pem.bytes())


@contextmanager
def _running(command: list[str], folder: Path, port: int, **environment: str) -> Iterator[None]:
    """A proxy, until the end of the block."""
    homes = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    complaints = folder / "complaints.log"
    with (
        complaints.open("wb") as told,
        subprocess.Popen(
            command,
            stdout=told,
            stderr=told,
            env={"PATH": _path(), **homes, **environment},
        ) as process,
    ):
        try:
            _wait(port, process, complaints)
            yield
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait(port: int, process: subprocess.Popen[bytes], complaints: Path) -> None:
    until = time.monotonic() + 20
    while True:
        try:
            socket.create_connection((LOOPBACK, port)).close()
        except ConnectionRefusedError:
            assert process.poll() is None, complaints.read_text()
            assert time.monotonic() < until, complaints.read_text()
            time.sleep(0.02)
        else:
            return


def _path() -> str:
    return f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/bin"
