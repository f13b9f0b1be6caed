"""Checks whether a server can be reached: its port, its public address, what stands in front."""

import errno
import http.client
import ipaddress
import socket
import ssl
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from crossroom_protocol.cli.console import UNLISTED_PROXY
from crossroom_protocol.cli.flags import DEFAULT_PORT
from crossroom_server.cli.checks.finding import Finding
from crossroom_server.cli.health import UnhealthyServer, ask_health
from crossroom_server.config.settings import Settings
from crossroom_server.identity.client_address import is_loopback, read_ip
from crossroom_server.identity.urls import http_url, netloc

TIMEOUT_S: Final = 10.0
"""Seconds for an answer of the public address."""
_CONTAINER: Final = (Path("/.dockerenv"), Path("/run/.containerenv"))
"""What is there in a container of Docker, and of Podman."""
EVERYWHERE: Final = ("0.0.0.0", "::", "")
"""Hosts that stand for all addresses of this machine."""
_SHARED: Final = ipaddress.ip_network("100.64.0.0/10")
"""Addresses of VPN meshes, and of providers whose customers share one (RFC 6598)."""
_AILS: Final = "the log of the server tells more: journalctl -u crossroom, docker compose logs"
_UPGRADE: Final = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "Y3Jvc3Nyb29tIGRvY3Rvcg==",
}


def check_port(settings: Settings) -> Finding:
    """Check that the server answers; if none runs, that one could."""
    where = f"{settings.host}, port {settings.port}"
    try:
        ask_health(settings)
    except UnhealthyServer as error:
        if error.has_answered:
            return Finding("server", "problem", f"it answers at {where}: {error}", _AILS)
        return _check_bind(settings, where)
    return Finding("server", "ok", f"it answers at {where}")


def _check_bind(settings: Settings, where: str) -> Finding:
    host = settings.host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, settings.port))
    except OSError as error:
        match error.errno:
            case errno.EADDRINUSE:
                return Finding(
                    "server",
                    "problem",
                    f"another program has {where}",
                    "stop it, or take another with --port; if it is this server, say here with "
                    "which flags or variables it was started",
                )
            case errno.EACCES:
                return Finding(
                    "server",
                    "problem",
                    f"you may not open {where}",
                    f"take --port {DEFAULT_PORT}, or see docker/crossroom.service.d",
                )
        return Finding(
            "server",
            "problem",
            f"{where} cannot be opened: {error}",
            "leave --host out to be reachable at all addresses",
        )
    return Finding(
        "server", "note", f"none is running; {where} is free", "start it: crossroom serve"
    )


def check_addresses(settings: Settings, is_running: bool) -> Iterator[Finding]:
    """Check from where the server can be reached without a proxy."""
    if is_loopback(settings.host) or settings.host == "localhost":
        if settings.url is None:
            yield Finding(
                "addresses",
                "warning",
                "only programs on this machine can reach it",
                "leave --host out, or put a proxy in front and name its address with --url",
            )
        return
    host = own_address() if settings.host in EVERYWHERE else settings.host
    if host is None:
        yield Finding("addresses", "warning", "this machine is in no network", "connect it to one")
        return
    where = netloc(host, settings.port)
    if is_running and (why := _refused(host, settings.port)):
        yield Finding(
            "addresses",
            "problem",
            f"{where} does not answer: {why}",
            f"let the firewall of this machine take TCP port {settings.port}",
        )
    elif settings.url is None and any(map(Path.exists, _CONTAINER)):
        yield Finding(
            "addresses",
            "note",
            "this is a container: friends need the address of its machine, and the port that is "
            "published there",
            "see that it is published (docker compose ps), and name the address with CROSSROOM_URL",
        )
    elif settings.url is None and _is_public(host):
        yield Finding(
            "addresses",
            "ok",
            f"{where} is an address of the internet; whether a firewall is in between shows only "
            f"from outside: curl http://{where}/healthz",
        )
    elif settings.url is None:
        yield Finding(
            "addresses",
            "note",
            f"{where} is for your own network; friends elsewhere do not reach it",
            f"let the router forward TCP port {settings.port} to this machine, or see "
            "docs/host/home.md",
        )


def own_address() -> str | None:
    """Return the address by which this machine would reach others; None: it is in no network."""
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent; the address is nobody's
        except OSError:
            return None
        host = str(probe.getsockname()[0])
        return None if is_loopback(host) else host


def who_reaches(host: str) -> str:
    """Say from where an address of this machine can be reached, as far as the address tells."""
    ip = read_ip(host)
    if ip is not None and ip.version == 4 and ip in _SHARED:
        return "That address is for those in the same VPN; for others, see docs/host/home.md."
    if is_loopback(host):
        return "This machine is in no network: only programs on it reach that address."
    if _is_public(host):
        return "That address is open to the internet, if no firewall is in the way."
    return "That address is for your own network; for friends elsewhere, see docs/host/home.md."


def _is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return True


def _refused(host: str, port: int) -> str:
    """Return why a port cannot be reached; empty: it can."""
    try:
        socket.create_connection((host, port), TIMEOUT_S / 3).close()
    except OSError as error:
        return _why(error)
    return ""


def _why(error: Exception) -> str:
    """Describe a failure without the number that the system gives it."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def check_url(settings: Settings, trusting: ssl.SSLContext | None = None) -> Iterator[Finding]:
    """Check that the public address leads here, takes websockets, and hides metrics.

    Args:
        settings: With ``url``.
        trusting: Which certificates to trust; None: those that browsers do.
    """
    assert settings.url is not None
    try:
        status, body = _get(settings.url, "/healthz", {}, trusting)
    except (OSError, http.client.HTTPException) as error:
        yield Finding("public address", "problem", f"{settings.url}: {_why(error)}", _mend(error))
        return
    if status == http.client.MISDIRECTED_REQUEST or (status, body) != (http.client.OK, "ok"):
        yield Finding(
            "public address",
            "problem",
            f"{settings.url} answers {status} {body[:80]!r} instead of ok",
            "let the proxy forward everything to this server; docker/proxies has examples",
        )
        return
    status, body = _get(settings.url, "/", _UPGRADE, trusting)
    if status != http.client.SWITCHING_PROTOCOLS:
        yield Finding(
            "public address",
            "problem",
            f"{settings.url} shows pages, but takes no websockets (it answers {status})",
            "let the proxy pass Upgrade and Connection on; docker/proxies has examples",
        )
        return
    yield Finding("public address", "ok", f"{settings.url} leads here, with websockets")
    status, body = _get(settings.url, "/metrics", {}, trusting)
    if status == http.client.OK and "crossroom_" in body:
        yield Finding(
            "metrics",
            "warning",
            "everybody can read them at the public address",
            "take --metrics away, and read them at --metrics-port",
        )


def _get(
    url: str, path: str, headers: dict[str, str], trusting: ssl.SSLContext | None
) -> tuple[int, str]:
    parts = urlsplit(http_url(url))
    assert parts.hostname is not None
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        context = trusting or ssl.create_default_context()
        connection = http.client.HTTPSConnection(
            parts.hostname, parts.port, timeout=TIMEOUT_S, context=context
        )
    else:
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT_S)
    try:
        connection.request("GET", f"{parts.path}{path}", headers=headers)
        response = connection.getresponse()
        if response.status == http.client.SWITCHING_PROTOCOLS:
            return response.status, ""
        return response.status, response.read(4000).decode("utf-8", "replace").strip()
    finally:
        connection.close()


def _mend(error: Exception) -> str:
    match error:
        case socket.gaierror():
            return "let the name lead to your public address: an A or AAAA record in the DNS"
        case ssl.SSLCertVerificationError():
            return f"renew or mend the certificate of the proxy: {error.verify_message}"
        case ssl.SSLError():
            return "the proxy does not speak TLS there; ws:// instead of wss://, or mend the proxy"
        case TimeoutError():
            return (
                "something drops what comes: a firewall, or a router that forwards no ports; some "
                "routers drop only what comes from inside, so try from elsewhere, too"
            )
        case ConnectionRefusedError():
            return "nothing listens there: start the proxy, or let the router forward its port"
    return "see what stands between the internet and this server"


def check_proxies(settings: Settings, status: Sequence[str]) -> Iterator[Finding]:
    """Check that the proxy in front is believed.

    Args:
        settings: With ``proxies`` and ``url``.
        status: What the console of the running server tells of it; empty: none is running.
    """
    unlisted = [
        line.removeprefix(f"{UNLISTED_PROXY}: ").partition(" ")[0]
        for line in status
        if line.startswith(UNLISTED_PROXY)
    ]
    for address in unlisted:
        yield Finding(
            "proxy",
            "warning",
            f"{address} forwards requests, but is not believed, so everybody who comes through "
            "it looks like one and the same",
            f"if that is your proxy, start the server with --proxy {address}",
        )
    listed = ", ".join(map(str, settings.proxies))
    if listed and not unlisted:
        yield Finding("proxy", "ok", f"what {listed} says of clients is believed")
    elif settings.url is not None and not listed and not unlisted and not settings.cert:
        yield Finding(
            "proxy",
            "warning",
            "--url names a public address, but no proxy is listed; if there is one, everybody "
            "who comes through it looks like one and the same",
            "name its address: --proxy 127.0.0.1 for one on this machine",
        )
