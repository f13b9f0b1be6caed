"""The pages a browser sees: a table to sit at, and how to join from a terminal. Nothing from afar.

Links are relative, so that a proxy may put the server under any path. Without script there still
are the open rooms, and the lines that can be copied; :mod:`crossroom_server.web.assets` has the
rest.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from typing import Final

from crossroom_protocol.base.translate import ENGLISH, current_language, gettext
from crossroom_server.lobby.lobby import MAX_LISTED_ROOMS, RoomSummary
from crossroom_server.web.room_page import skeleton

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
    url: str, rooms: Iterable[RoomSummary], line_port: int | None, place: Place | None = None
) -> str:
    """The first page: which rooms are open, a form for a new one, how to join otherwise."""
    about = gettext(
        "Friends play the crossword tile game here. A table is a room; any name opens one."
    )
    pick = gettext(
        "Pick one of these lines, with a name of your own in place of {name}:",
        name=_code(EXAMPLE),
    )
    there = gettext(
        "There, {help} lists the commands and {rules} tells the rules.",
        help=_code("/help"),
        rules=_code("/r"),
    )
    return _page(
        "crossroom",
        place,
        "lobby",
        f"<p>{about}</p>",
        '<div class="start panel"></div>',
        f'<section id="rooms"><h2>{gettext("Open rooms")}</h2>{_rooms(rooms)}</section>',
        f'<details id="ways"><summary>{gettext("Join from a terminal")}</summary>',
        f"<p>{pick}</p>",
        _ways(url, EXAMPLE, line_port),
        f"<p>{there}</p>",
        "</details>",
    )


def room(
    url: str,
    name: str,
    rooms: Iterable[RoomSummary],
    line_port: int | None,
    now: int,
    place: Place | None = None,
) -> str:
    """The page of one room, which need not be open yet; *now* in ms since 1970."""
    line = next((line for line in rooms if line.name == name), None)
    state = gettext("Nobody is there; whoever comes opens it.")
    if line is not None:
        state = gettext("It is open: {state}.", state=_state(line))
    there = gettext(
        "There, {name} takes a free seat, {ready} begins, and {help} tells the rest.",
        name=_code(f"/name {gettext('YOURNAME')}"),
        ready=_code("/ready"),
        help=_code("/help"),
    )
    ways = (
        f'<details id="ways"><summary>{gettext("Join from a terminal")}</summary>'
        f"<p>{state} {gettext('Come in with one of these lines:')}</p>{_ways(url, name, line_port)}"
        f"<p>{there}</p></details>"
    )
    script = gettext("The board needs script; a terminal does not.")
    return _document(
        gettext("Room {name}", name=escape(name)),
        _head(place, "room") if place else "",
        '<body class="room">',
        f"<noscript><p>{script}</p>{ways}</noscript>",
        f"{skeleton(name, line, now)}<template>{ways}</template></body>",
    )


def not_found(why: str = "") -> str:
    """The page that is shown where there is none."""
    why = why or gettext("There is no such page.")
    return _page(gettext("Not found"), None, "", f"<p>{escape(why)}</p>")


def _ways(url: str, name: str, line_port: int | None) -> str:
    address = f"{url}/t/{name}"
    lines = [
        f"crossroom join {address}",
        f"python3 -m websockets {address}",
        f"wscat -c {address}",
        f"websocat {address}",
    ]
    if line_port is not None:
        lines.append(
            f"nc {_hostname(url)} {line_port}        # {gettext('then: /join {name}', name=name)}"
        )
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def _hostname(url: str) -> str:
    host = url.partition("://")[2].partition("/")[0]
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _rooms(rooms: Iterable[RoomSummary]) -> str:
    listed, none = list(rooms), gettext("None at the moment.")
    items = [
        f'<li><a href="t/{escape(line.name)}">{escape(line.name)}</a>: {_state(line)}</li>'
        for line in listed[:MAX_LISTED_ROOMS]
    ]
    if (more := len(listed) - MAX_LISTED_ROOMS) > 0:
        items.append(f"<li>{gettext('and {more} more', more=more)}</li>")
    return f"<ul>{''.join(items)}</ul>" if items else f"<p>{none}</p>"


def _state(line: RoomSummary) -> str:
    told = gettext("{people} here, {seated} seated", people=line.people, seated=line.seated)
    if line.playing:
        told += gettext(", a game is on")
    return told + gettext(", locked") if line.locked else told


def _code(text: str) -> str:
    return f"<code>{text}</code>"


def _page(title: str, place: Place | None, name: str, *parts: str) -> str:
    head, main = (_head(place, name), f'<main class="{name}">') if place else ("", "<main>")
    return _document(title, head, f"<body>{main}<h1>{title}</h1>", *parts, "</main></body>")


def _document(title: str, head: str, *parts: str) -> str:
    return (
        f'<!doctype html><html lang="{current_language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">'
        f"<title>{title}</title>{head}</head>{''.join(parts)}</html>\n"
    )


def _head(place: Place, name: str) -> str:
    """What the page loads: colours before all else, one style sheet, one script, its icons."""
    return (
        '<meta name="color-scheme" content="light dark">'
        f'<link rel="stylesheet" href="{place.file(f"{name}.css")}">'
        f'<script src="{place.file("apply_theme.js")}"></script>'
        f"{texts(place.file)}"
        f'<script type="module" src="{place.file(f"{name}.js")}"></script>'
        f'<link rel="icon" type="image/svg+xml" href="{place.file("icon.svg")}">'
        f'<link rel="apple-touch-icon" href="{place.file("icon.png")}">'
        f'<link rel="manifest" href="{place.file("crossroom.webmanifest")}">'
    )


def texts(file: Callable[[str], str]) -> str:
    """What loads the texts of the scripts, before them; nothing where they are said in English."""
    if current_language() == ENGLISH:
        return ""
    return f'<script defer src="{file(f"{current_language()}.js")}"></script>'
