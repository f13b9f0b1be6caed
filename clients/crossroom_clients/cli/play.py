"""``crossroom play``: play at once, against a bot, on a server that lives as long as you play."""

import argparse
import secrets
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crossroom_clients.cli.table_options import add_notify_flag, add_plain_flag, add_reader_flag
from crossroom_clients.support.arg_types import LEVEL_NAMES
from crossroom_clients.support.file_locks import lock
from crossroom_clients.support.language import add_language_flag, using_language_of
from crossroom_clients.support.login import check_name, login_name
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from crossroom_clients.connection.local_server import LocalServer
    from crossroom_clients.connection.reconnecting import Connection

ABOUT: Final = """\
A terminal of 80 by 24 or larger shows the whole table, if Textual is installed (pip install
'crossroom[tui]'); F1 lists its keys. Elsewhere, and with --lines, you get a log that scrolls and a
line to type in.

A game that you leave is kept, and the next `crossroom play` goes on with it. In the game, /games
lists those that have ended, /help lists the commands, /r shows the rules, and /quit or Ctrl-D
leaves. To play with friends: `crossroom serve`.
"""
SEATS_KEY: Final = "play"
"""The key under which seats of these games are saved: the port is another every time."""

DEFAULT_NAME: Final = "player"
"""The name of a player whose user account has none."""
_ANOTHER: Final = Phrase("--new --level {level} begins one against {level}-bot")
GAME_SAVED: Final = Phrase("your games are saved: crossroom play goes on with them")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = ABOUT
    parser.add_argument(
        "--level",
        metavar="LEVEL",
        default="",
        help=f"the bot, from the weakest (the default) on: {', '.join(LEVEL_NAMES)}",
    )
    parser.add_argument("--name", metavar="NAME", help="your name (default: your login)")
    parser.add_argument(
        "--new", action="store_true", help="begin a new game and give up an unfinished one"
    )
    parser.add_argument(
        "--lines",
        action="store_true",
        help="a scrolling log and an input line instead of the full-screen table",
    )
    add_plain_flag(parser)
    add_reader_flag(parser)
    add_notify_flag(parser)
    add_language_flag(parser)
    add_data_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Play until the person leaves; returns the exit status.

    Raises:
        BadText: there is no such level, or the name is none to play under.
        OSError: the server does not start, or the game is being played already.
    """
    import asyncio

    if args.level and args.level not in LEVEL_NAMES:
        told = ", ".join(LEVEL_NAMES)
        template = Phrase("there is no level {text!r}; there are: {levels}")
        raise BadText(Phrase(template, text=args.level, levels=told))
    check_name(args.name)
    data = data_folder(args)
    games = _games(data)
    with (games / "playing.lock").open("w", encoding="utf-8") as playing:
        if not lock(playing):
            raise OSError("you are playing in another terminal already (crossroom play)")
        with _server(games) as server, using_language_of(args):
            return asyncio.run(_play(args, data, server))


@contextmanager
def _server(games: Path) -> "Iterator[LocalServer]":
    """Run the server at the port it had before, if that is free: addresses that it told stay good.

    Raises:
        OSError: it does not start.
    """
    from contextlib import ExitStack

    from crossroom_clients.connection.local_server import local_server

    file = games / "port"
    kept = file.read_text(encoding="utf-8").strip() if file.exists() else ""
    with ExitStack() as running:
        server = None
        if kept.isdecimal():
            with suppress(OSError):  # somebody else's port now
                server = running.enter_context(local_server(games, "--port", kept))
        server = server or running.enter_context(local_server(games))
        with suppress(OSError):
            file.write_text(f"{server.port}\n", encoding="utf-8")
        yield server


def _games(data: Path) -> Path:
    """The folder of these games: their own, so that a server for friends may run beside.

    Word lists are the same.
    """
    folder = data / "play"
    for private in (data, folder):
        private.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(OSError):  # there already; or the system lets no one make links
        (folder / "lexica").symlink_to(Path("..", "lexica"), target_is_directory=True)
    return folder


async def _play(args: argparse.Namespace, data: Path, server: "LocalServer") -> int:
    from crossroom_clients.cli.run_session import choose_screen, run_session
    from crossroom_clients.connection.saved_seats import SavedSeats
    from crossroom_clients.connection.session import ClientSession

    async def begin(connection: "Connection") -> None:
        if connection.status.is_playing and not args.new:
            screen.note(gettext("your game goes on; --new begins another one"))
            if args.level and f"{args.level}-bot" not in connection.status.players:
                screen.note(gettext(_ANOTHER, level=args.level))
        else:
            await _begin_game(connection, args.level, is_first=connection.resume.room == fresh)

    fresh = f"game-{secrets.token_hex(3)}"
    plain = args.plain or args.reader
    screen = choose_screen(
        plain=plain, opening=begin, full=not args.lines, notifies=args.notify, data=data
    )
    with closing(SavedSeats(data, SEATS_KEY)) as seats:
        seat = seats.find(name=args.name, held=True)
        name = args.name or login_name() or DEFAULT_NAME
        visit = ClientSession(
            replace(server.address, room=fresh),
            screen,
            seats,
            name,
            server.retry_pauses,
            reader=args.reader,
        )
        return await run_session(visit, seat, lambda _: [gettext(GAME_SAVED)])


async def _begin_game(connection: "Connection", level: str, *, is_first: bool) -> None:
    """Begin a game in the room of all of them, against *level* if named.

    Words are checked when they are played: who has never played need not know of challenges.
    """
    from crossroom_clients.connection.reconnecting import NotSent

    lines = ["/set hints on", "/set challenge void", f"/bot add {level}"] if is_first else []
    bots = [name for name in connection.status.players if name.split("-bot")[0] in LEVEL_NAMES]
    if connection.status.is_playing:
        lines.append("/resign yes")
    if not is_first and level and f"{level}-bot" not in bots:
        lines += [*(f"/bot remove {bot}" for bot in bots), f"/bot add {level}"]
    for line in (*lines, "/ready"):
        with suppress(NotSent):
            await (await connection.send(line))
