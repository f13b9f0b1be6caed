"""`crossroom serve`: open a server for your friends."""

import argparse
import asyncio
import contextlib
import json
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from crossroom_protocol.cli import flags
from crossroom_server.cli.checks.reach import EVERYWHERE, own_address, who_reaches
from crossroom_server.config import loading
from crossroom_server.config import logging as logs
from crossroom_server.identity.client_address import is_loopback
from crossroom_server.identity.urls import http_url, netloc

if TYPE_CHECKING:
    from crossroom_server.app import App

log = logging.getLogger(__name__)
ABOUT: Final = """\
Friends in your own network reach the addresses that it prints. From elsewhere they need a port that
your router forwards, a tunnel, or a VPN that you share: docs/host/home.md.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = ABOUT
    loading.add_arguments(parser)
    parser.add_argument(
        "--until-eof",
        action="store_true",
        help="stop when standard input ends, for programs that start their own server",
    )
    flags.add_json_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM, Ctrl-C or (``--until-eof``) the end of standard input: then 0.

    On standard output stands, once the ports are open, what to send to friends; with ``--json`` one
    line, ``{"listening": {"host": ..., "port": ..., "line_port": ...}}``.

    Raises:
        ConfigError: a setting cannot be understood.
        OSError: a port cannot be opened, or the data folder cannot be used.
    """
    early: list[int] = []
    hangup = _hangup_noted(early)
    from crossroom_server.app import App  # takes long to load

    settings = loading.load_configuration(args).settings()
    logs.log_to_stderr(settings.log_level, settings.log_format)
    for line in loading.unknown_variables():
        log.warning("%s", line)
    if settings.certificate is None:
        hangup.close()  # it ends this process, like any whose terminal is closed
    announce = _announce_json if args.json else _announce
    _ensure_stdin()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(App(settings), announce, args.until_eof, early))
    return 0


async def _serve(
    app: "App", announce: Callable[["App"], None], until_eof: bool, early: Sequence[int]
) -> None:
    """Serve until the end; *early* are the hangups noted while this process started."""
    from crossroom_server.monitoring.gc_policy import managed_gc

    async with app, managed_gc():
        with _on_signal(app.stop.set), _on_hangup(app, early):
            if until_eof:
                _on_eof(app.stop.set)
            announce(app)
            await app.stop.wait()


@contextlib.contextmanager
def _on_signal(stop: Callable[[], None]) -> Iterator[None]:
    """Let the first SIGINT or SIGTERM call *stop*; a second one, later, ends the process."""
    loop = asyncio.get_running_loop()
    before = {
        number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _hangup_noted(early: list[int]) -> contextlib.ExitStack:
    """Note SIGHUP until closed: who has just renewed a certificate may send it at any time."""
    noted = contextlib.ExitStack()
    if hasattr(signal, "SIGHUP"):
        before = signal.signal(signal.SIGHUP, lambda number, _: early.append(number))
        noted.callback(signal.signal, signal.SIGHUP, before)
    return noted


@contextlib.contextmanager
def _on_hangup(app: "App", early: Sequence[int]) -> Iterator[None]:
    """With a certificate, let SIGHUP read it again, also one that was noted *early*."""
    if app.settings.certificate is None or not hasattr(signal, "SIGHUP"):
        yield
        return
    loop = asyncio.get_running_loop()
    before = signal.signal(
        signal.SIGHUP, lambda *_: loop.call_soon_threadsafe(app.reload_certificate)
    )
    if early:  # perhaps after the old one was read
        app.reload_certificate()
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


def _ensure_stdin() -> None:
    """Open the null device as standard input if that is closed.

    Otherwise the loop takes descriptor 0 for itself, and uvloop aborts when it closes that.
    """
    try:
        os.fstat(0)
    except OSError:
        os.open(os.devnull, os.O_RDONLY)


def _on_eof(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()

    def watch() -> None:
        # Not sys.stdin: a thread that waits inside its lock aborts the interpreter at exit.
        while os.read(0, 4096):
            pass
        with contextlib.suppress(RuntimeError):  # the loop has ended first
            loop.call_soon_threadsafe(stop)

    threading.Thread(target=watch, name="until-eof", daemon=True).start()


def _announce_json(app: "App") -> None:
    listening = {"host": app.settings.host, "port": app.port, "line_port": app.line_port}
    if app.metrics_port is not None:
        listening["metrics_port"] = app.metrics_port
    print(json.dumps({"listening": listening}), flush=True)


def _announce(app: "App") -> None:
    host = app.settings.host
    if host in EVERYWHERE:
        host = own_address() or flags.LOOPBACK_HOST
    scheme = "ws" if app.settings.certificate is None else "wss"
    url = app.settings.url or f"{scheme}://{netloc(host, app.port)}"
    nc = f"    nc {urlsplit(url).hostname} {app.line_port}   (then: /join kitchen)"
    metrics = f"Metrics: http://{netloc(app.settings.metrics_host, app.metrics_port or 0)}/metrics"
    private = app.settings.private
    page = http_url(url)
    kept = (
        f"in {app.settings.store or app.settings.data}"
        if app.settings.keep
        else "nowhere (--forget)"
    )
    here_only = app.settings.url is None and is_loopback(app.settings.host)
    lines = [
        "The server is open, for this machine only. Any room name will do:"
        if here_only
        else "The server is open. Send your friends one of these; any room name will do:",
        "",
        f"    {page}/t/kitchen   (in a browser)",
        f"    crossroom table {url}/t/kitchen",
        f"    python3 -m websockets {url}/t/kitchen",
        *([nc] if app.line_port else []),
        "",
        *([who_reaches(host)] if app.settings.url is None and not here_only else []),
        *(["It is private: `crossroom admin invite` lets a friend in."] if private else []),
        *([metrics] if app.metrics_port else []),
        *([] if app.line_port else ["--line-port 8766 lets them come with nc, too."]),
        f"Games are kept {kept}.",
        *(["`crossroom admin` looks into rooms, bans and drains."] if app.settings.keep else []),
        "Ctrl-C stops the server.",
    ]
    print(*lines, sep="\n", flush=True)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, if it is installed (``crossroom[fast]``)."""
    try:
        factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    except ImportError:
        return None
    return factory
