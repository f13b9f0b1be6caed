"""The parts of a room that command handlers use, and the request they handle."""

from dataclasses import dataclass

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import Request
from crossroom_server.room.audience import Audience
from crossroom_server.room.client import Client
from crossroom_server.room.clock_tasks import ClockTasks
from crossroom_server.room.event_log import EventLog
from crossroom_server.room.inactivity import InactivityMonitor
from crossroom_server.room.membership import Membership
from crossroom_server.table.queries import QueryContext
from crossroom_server.table.state import Person, Sources, Table


@dataclass(frozen=True)
class RoomParts:
    """The parts of one room."""

    name: str
    audience: Audience
    log: EventLog
    membership: Membership
    clock: ClockTasks
    inactivity: InactivityMonitor
    sources: Sources

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self.log.table


@dataclass(frozen=True)
class Asked:
    """A request with its author; ``known`` is None for somebody without a name."""

    client: Client
    request: Request
    known: Person | None

    @property
    def person(self) -> Person:
        """The author.

        Raises:
            Refusal: ``NEED_NAME``.
        """
        if self.known is None:
            raise Refusal("NEED_NAME", "say who you are first: /name YOURNAME")
        return self.known


def check_may_show(asked: Asked) -> None:
    """Check that an answer may be shown to everybody.

    Raises:
        Refusal: ``NEED_NAME``, nobody would know who shows it; ``BAD_ARGS``, it is a secret.
    """
    if asked.known is None:
        raise Refusal("NEED_NAME", "say who you are before you show things: /name YOURNAME")
    if asked.request.command.requires == "seated":
        raise Refusal("BAD_ARGS", "your tiles are not for the whole room")


def query_context(room: RoomParts, asked: Asked) -> QueryContext:
    """Return the data for an answer; for one shown to everybody, as a watcher may see it."""
    request, table = asked.request, room.table
    reader = None if request.shown else asked.client
    return QueryContext(
        room=room.audience.views.view(table, reader),
        table=table,
        seat=room.audience.views.game_seat(table, reader) if reader is not None else None,
        sources=room.sources,
    )
