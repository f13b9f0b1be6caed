"""The pages that lead to rooms: the first one, and the one that is shown where there is none.

Links are relative, so that a proxy may put the server under any path. Without script there still
are the open rooms, and the lines that can be copied; :mod:`crossroom_server.web.assets` has the
rest.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from crossroom_protocol.base.translate import gettext
from crossroom_server.lobby.lobby import MAX_LISTED_ROOMS, RoomSummary
from crossroom_server.web.templating import render

EXAMPLE_ROOM: Final = "kitchen"


@dataclass(frozen=True)
class PageLocation:
    """A place of the site: ``up`` leads to its root, ``assets`` from there to the static files."""

    up: str
    assets: str

    def file(self, name: str) -> str:
        """Return the relative address of a static file."""
        return f"{self.up}{self.assets}/{name}"


def landing_page(
    url: str, rooms: Iterable[RoomSummary], line_port: int | None, page: PageLocation
) -> str:
    """Render the first page: open rooms, a form for a new one, how to join from a terminal."""
    listed = list(rooms)
    return render(
        "landing.html",
        page=page,
        rooms=listed[:MAX_LISTED_ROOMS],
        more=max(0, len(listed) - MAX_LISTED_ROOMS),
        example=EXAMPLE_ROOM,
        commands=join_commands(url, EXAMPLE_ROOM, line_port),
    )


@dataclass(frozen=True)
class Retention:
    """How long a server keeps what people leave: days, 0 for ever; or not ``anything`` at all."""

    vacant_days: float = 0
    guest_days: float = 0
    anything: bool = True


def privacy_page(kept: Retention, page: PageLocation) -> str:
    """Render the page that tells what is kept of people."""
    return render("privacy.html", page=page, kept=kept)


def not_found_page(reason: str = "") -> str:
    """Render the page that is shown where there is none."""
    return render("not_found.html", reason=reason)


def join_commands(url: str, room: str, line_port: int | None) -> list[str]:
    """Return the shell commands that enter a room; *line_port* is that of plain TCP, if any."""
    address = f"{url}/t/{room}"
    commands = [
        f"crossroom join {address}",
        f"python3 -m websockets {address}",
        f"wscat -c {address}",
        f"websocat {address}",
    ]
    if line_port is not None:
        then = gettext("then: /join {name}", name=room)
        commands.append(f"nc {_hostname(url)} {line_port}        # {then}")
    return commands


def _hostname(url: str) -> str:
    host = url.partition("://")[2].partition("/")[0]
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
