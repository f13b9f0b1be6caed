"""`crossroom serve`: open a server for your friends."""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from crossroom_protocol import flags
from crossroom_server import logs
from crossroom_server.app import App
from crossroom_server.commands import looks
from crossroom_server.config import EVERYWHERE, Settings
from crossroom_server.forwarded import Network, read_network
from crossroom_server.limits import Limits, is_own
from crossroom_server.store.place import VARIABLE, named_in_environment
from crossroom_server.tidying import tidying
from crossroom_server.tls import Certificate
from crossroom_server.wire import netloc

ANY: Final = (EVERYWHERE, "::", "")
"""Hosts that stand for all addresses of this machine."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    flags.add_address(parser, host=EVERYWHERE)
    flags.add_data(parser)
    parser.add_argument(
        "--store",
        type=looks.store,
        metavar="STORE",
        help="where the games are kept: sqlite:PATH or postgresql://USER@HOST/DATABASE (default: "
        f"${VARIABLE}, else games.db in the data folder)",
    )
    parser.add_argument(
        "--line-port",
        type=flags.port_number,
        metavar="N",
        help="also speak plain lines on this TCP port, for nc and telnet (default: off)",
    )
    parser.add_argument(
        "--url",
        type=_url,
        metavar="URL",
        help="what friends use if a proxy stands in front, as wss://example.org/words",
    )
    parser.add_argument(
        "--proxy",
        type=_network,
        action="append",
        default=[],
        metavar="CIDR",
        help="a proxy in front, believed when it says whom a request comes from; several times for "
        "several (default: none is)",
    )
    parser.add_argument(
        "--cert",
        type=Path,
        metavar="FILE",
        help="speak TLS, with this certificate chain; SIGHUP reads it again",
    )
    parser.add_argument("--key", type=Path, metavar="FILE", help="the private key of --cert")
    parser.add_argument(
        "--connections",
        type=_count,
        default=Limits.connections,
        metavar="N",
        help="most connections from one address; raise it if a proxy or a container makes all "
        "friends look like one (default: %(default)s)",
    )
    parser.add_argument(
        "--pace",
        type=_count,
        default=int(Limits.pace),
        metavar="N",
        help="lines a second that one connection may say, after ten at once; what comes faster "
        "waits (default: %(default)s)",
    )
    parser.add_argument(
        "--mask",
        type=Path,
        metavar="FILE",
        help="words to be told as stars, one a line, * at the end for all that begin so "
        "(default: none)",
    )
    parser.add_argument(
        "--thinkers",
        type=_count,
        metavar="N",
        help="bots and analyses that may think at a time (default: one for each processor)",
    )
    parser.add_argument(
        "--forget", action="store_true", help="keep the games in memory only, not in the folder"
    )
    parser.add_argument(
        "--until-eof",
        action="store_true",
        help="stop when standard input ends, for programs that start a server of their own",
    )
    parser.add_argument(
        "--log-level",
        choices=logs.LEVELS,
        default="info",
        help="what is logged to standard error (default: %(default)s)",
    )
    parser.add_argument(
        "--log-format",
        choices=logs.FORMATS,
        default="text",
        help="one line a message for people, or one JSON object for programs (default: text)",
    )
    parser.add_argument(
        "--metrics",
        action="store_true",
        help="let anybody read /metrics; without it, only programs on this machine may, and nobody "
        "if there is a proxy",
    )
    flags.add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Serve until SIGTERM, Ctrl-C or (``--until-eof``) the end of standard input: then 0.

    On standard output stands, once the ports are open, what to send to friends; with ``--json`` one
    line, ``{"listening": {"host": ..., "port": ..., "line_port": ...}}``.

    Raises:
        OSError: a port cannot be opened, or the data folder cannot be used.
    """
    logs.to_stderr(args.log_level, args.log_format)
    settings = Settings(
        data=flags.data_folder(args),
        store=args.store or named_in_environment(),
        keep=not args.forget,
        host=args.host,
        port=args.port,
        line_port=args.line_port,
        url=args.url,
        proxies=tuple(args.proxy),
        certificate=_certificate(args.cert, args.key),
        thinkers=args.thinkers,
        mask=args.mask,
        open_metrics=args.metrics,
        limits=Limits(connections=args.connections, pace=args.pace),
    )
    announce = _announce_json if args.json else _announce
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(App(settings), announce, args.until_eof))
    return 0


async def _serve(app: App, announce: Callable[[App], None], until_eof: bool) -> None:
    async with app, tidying():
        with _on_signal(app.stop.set), _on_hangup(app):
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


@contextlib.contextmanager
def _on_hangup(app: App) -> Iterator[None]:
    """With a certificate, let SIGHUP read it again."""
    if app.settings.certificate is None or not hasattr(signal, "SIGHUP"):
        yield
        return
    loop = asyncio.get_running_loop()
    before = signal.signal(
        signal.SIGHUP, lambda *_: loop.call_soon_threadsafe(app.reload_certificate)
    )
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


def _on_eof(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()

    def watch() -> None:
        # Not sys.stdin: a thread that waits inside its lock aborts the interpreter at exit.
        with contextlib.suppress(OSError):  # closed from the beginning
            while os.read(0, 4096):
                pass
        with contextlib.suppress(RuntimeError):  # the loop has ended first
            loop.call_soon_threadsafe(stop)

    threading.Thread(target=watch, name="until-eof", daemon=True).start()


def _announce_json(app: App) -> None:
    listening = {"host": app.settings.host, "port": app.port, "line_port": app.line_port}
    print(json.dumps({"listening": listening}), flush=True)


def _announce(app: App) -> None:
    url = _address(app)
    nc = [f"    nc {urlsplit(url).hostname} {app.line_port}"] if app.line_port else []
    page = url.replace("ws", "http", 1)
    kept = (
        f"in {app.settings.store or app.settings.data}"
        if app.settings.keep
        else "nowhere (--forget)"
    )
    here_only = app.settings.url is None and is_own(app.settings.host)
    lines = [
        "The server is open, for this machine only. Any room name will do:"
        if here_only
        else "The server is open. Send your friends one of these; any room name will do:",
        "",
        f"    crossroom join {url}/t/kitchen",
        f"    python3 -m websockets {url}/t/kitchen",
        *nc,
        "",
        f"In a browser, {page}/ says the same.",
        f"Games are kept {kept}.",
        *(["`crossroom admin` looks into rooms, bans and drains."] if app.settings.keep else []),
        "Ctrl-C stops the server.",
    ]
    print(*lines, sep="\n", flush=True)


def _address(app: App) -> str:
    host = _own_address() if app.settings.host in ANY else app.settings.host
    scheme = "ws" if app.settings.certificate is None else "wss"
    return app.settings.url or f"{scheme}://{netloc(host, app.port)}"


def _own_address() -> str:
    """The address by which others reach this machine, or at least it itself.

    A datagram socket that is connected, but never written to, tells which address it would use.
    """
    with contextlib.suppress(OSError), socket.socket(type=socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address of the documentation: nobody's
        return str(probe.getsockname()[0])
    return flags.LOOPBACK


def _url(text: str) -> str:
    url = urlsplit(text)
    if url.scheme not in ("ws", "wss") or not url.hostname or url.query or url.fragment:
        raise argparse.ArgumentTypeError(f"{text!r} does not look like wss://example.org/words")
    return text.rstrip("/")


def _network(text: str) -> Network:
    try:
        return read_network(text)
    except ValueError:
        example = "10.0.0.0/8 or 192.0.2.7"
        raise argparse.ArgumentTypeError(f"{text!r} is no address or network: {example}") from None


def _certificate(cert: Path | None, key: Path | None) -> Certificate | None:
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise OSError("--cert and --key go together")
    return Certificate(cert, key)


def _count(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and 0 < int(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 65535")
    return int(text)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's, if it is installed (``crossroom[fast]``)."""
    try:
        factory: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    except ImportError:
        return None
    return factory
