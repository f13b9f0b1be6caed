"""The pages a browser sees: how to join, in words that can be copied. No script, nothing from afar.

Links are relative, so that a proxy may put the server under any path.
"""

from collections.abc import Iterable
from html import escape
from typing import Final

from crossroom_server.lobby import MOST_LISTED, RoomLine

STYLE: Final = (
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}"
    "pre{overflow-x:auto;padding:.75rem;border:1px solid;border-radius:.3rem}"
)
EXAMPLE: Final = "kitchen"


def landing(url: str, rooms: Iterable[RoomLine], line_port: int | None) -> str:
    """The first page: what this is, how to join, which rooms are open."""
    return _page(
        "crossroom",
        "<p>Friends play the crossword tile game here, from their terminals. A table is a room; "
        "any name opens one. Pick one of these lines, with a name of your own in place of "
        f"<code>{EXAMPLE}</code>:</p>",
        _ways(url, EXAMPLE, line_port),
        "<p>There, <code>/help</code> lists the commands and <code>/r</code> tells the rules.</p>",
        "<h2>Open rooms</h2>",
        _rooms(rooms),
    )


def room(url: str, name: str, rooms: Iterable[RoomLine], line_port: int | None) -> str:
    """The page of one room, which need not be open yet."""
    line = next((line for line in rooms if line.name == name), None)
    state = f"It is open: {_state(line)}." if line else "Nobody is there; whoever comes opens it."
    return _page(
        f"Room {escape(name)}",
        f"<p>{state} Come in with one of these lines:</p>",
        _ways(url, name, line_port),
        "<p>There, <code>/name YOURNAME</code> takes a free seat, <code>/ready</code> begins, and "
        "<code>/help</code> tells the rest.</p>",
        '<p><a href="../">All rooms</a></p>',
    )


def not_found(why: str) -> str:
    """The page that is shown where there is none."""
    return _page("Not found", f"<p>{escape(why)}</p>")


def _ways(url: str, name: str, line_port: int | None) -> str:
    address = f"{url}/t/{name}"
    lines = [
        f"crossroom join {address}",
        f"python3 -m websockets {address}",
        f"wscat -c {address}",
        f"websocat {address}",
    ]
    if line_port is not None:
        lines.append(f"nc {_hostname(url)} {line_port}        # then: /join {name}")
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def _hostname(url: str) -> str:
    host = url.partition("://")[2].partition("/")[0]
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _rooms(rooms: Iterable[RoomLine]) -> str:
    listed = list(rooms)
    items = [
        f'<li><a href="t/{escape(line.name)}">{escape(line.name)}</a>: {_state(line)}</li>'
        for line in listed[:MOST_LISTED]
    ]
    if (more := len(listed) - MOST_LISTED) > 0:
        items.append(f"<li>and {more} more</li>")
    return f"<ul>{''.join(items)}</ul>" if items else "<p>None at the moment.</p>"


def _state(line: RoomLine) -> str:
    game = ", a game is on" if line.playing else ""
    return f"{line.people} here, {line.seated} seated{game}"


def _page(title: str, *parts: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>"
        f"<body><h1>{title}</h1>{''.join(parts)}</body></html>\n"
    )
