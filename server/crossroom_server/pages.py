"""The pages a browser sees: a table to sit at, and how to join from a terminal. Nothing from afar.

Links are relative, so that a proxy may put the server under any path. Without script there still
are the open rooms, and the lines that can be copied; :mod:`crossroom_server.assets` has the rest.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Final

from crossroom_server.lobby import MOST_LISTED, RoomLine
from crossroom_server.skeleton import skeleton

EXAMPLE: Final = "kitchen"


@dataclass(frozen=True)
class Place:
    """Where a page is: ``up`` leads to the server's root, ``assets`` from there to the files."""

    up: str
    assets: str

    def file(self, name: str) -> str:
        """The relative address of a file of the page."""
        return f"{self.up}{self.assets}/{name}"


def landing(
    url: str, rooms: Iterable[RoomLine], line_port: int | None, place: Place | None = None
) -> str:
    """The first page: which rooms are open, a form for a new one, how to join otherwise."""
    return _page(
        "crossroom",
        place,
        "lobby",
        "<p>Friends play the crossword tile game here. A table is a room; any name opens one.</p>",
        '<div class="start panel"></div>',
        f'<section id="rooms"><h2>Open rooms</h2>{_rooms(rooms)}</section>',
        '<details id="ways"><summary>Join from a terminal</summary>',
        f"<p>Pick one of these lines, with a name of your own in place of <code>{EXAMPLE}</code>:"
        "</p>",
        _ways(url, EXAMPLE, line_port),
        "<p>There, <code>/help</code> lists the commands and <code>/r</code> tells the rules.</p>",
        "</details>",
    )


def room(
    url: str,
    name: str,
    rooms: Iterable[RoomLine],
    line_port: int | None,
    place: Place | None = None,
) -> str:
    """The page of one room, which need not be open yet."""
    line = next((line for line in rooms if line.name == name), None)
    state = f"It is open: {_state(line)}." if line else "Nobody is there; whoever comes opens it."
    ways = (
        '<details id="ways"><summary>Join from a terminal</summary>'
        f"<p>{state} Come in with one of these lines:</p>{_ways(url, name, line_port)}"
        "<p>There, <code>/name YOURNAME</code> takes a free seat, <code>/ready</code> begins, and "
        "<code>/help</code> tells the rest.</p></details>"
    )
    return _document(
        f"Room {escape(name)}",
        _head(place, "table") if place else "",
        '<body class="table">',
        f"<noscript><p>The board needs script; a terminal does not.</p>{ways}</noscript>",
        f"{skeleton(name, line)}<template>{ways}</template></body>",
    )


def not_found(why: str) -> str:
    """The page that is shown where there is none."""
    return _page("Not found", None, "", f"<p>{escape(why)}</p>")


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
    locked = ", locked" if line.locked else ""
    return f"{line.people} here, {line.seated} seated{game}{locked}"


def _page(title: str, place: Place | None, name: str, *parts: str) -> str:
    head, main = (_head(place, name), f'<main class="{name}">') if place else ("", "<main>")
    return _document(title, head, f"<body>{main}<h1>{title}</h1>", *parts, "</main></body>")


def _document(title: str, head: str, *parts: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">'
        f"<title>{title}</title>{head}</head>{''.join(parts)}</html>\n"
    )


def _head(place: Place, name: str) -> str:
    """What the page loads: colours before all else, one style sheet, one script, its icons."""
    return (
        '<meta name="color-scheme" content="light dark">'
        f'<link rel="stylesheet" href="{place.file(f"{name}.css")}">'
        f'<script src="{place.file("dress.js")}"></script>'
        f'<script type="module" src="{place.file(f"{name}.js")}"></script>'
        f'<link rel="icon" type="image/svg+xml" href="{place.file("icon.svg")}">'
        f'<link rel="apple-touch-icon" href="{place.file("icon.png")}">'
        f'<link rel="manifest" href="{place.file("crossroom.webmanifest")}">'
    )
