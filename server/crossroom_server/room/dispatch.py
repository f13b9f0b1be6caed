"""Carries out requests in a room, by the routes of their commands."""

from typing import Any

from crossroom_engine.core.moves import CallTime
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.parser import Request
from crossroom_server.room.analysis_jobs import AnalysisJob
from crossroom_server.room.audience import AnswerFactory
from crossroom_server.room.client import Client
from crossroom_server.room.parts import Asked, RoomParts, check_may_show, query_context
from crossroom_server.room.routes import ROUTES, Route
from crossroom_server.table import moderation
from crossroom_server.table.state import CommandContext, Person, Table


def route_of(command: Command, table: Table) -> Route[Any]:
    """Return the route of a command, which may depend on its arguments and the *table*."""
    route = ROUTES[type(command)]
    return route if route.pick is None else route.pick(command, table)


async def carry_out(room: RoomParts, client: Client, request: Request) -> AnalysisJob | None:
    """Carry out a request; return the job to run outside the room first, if there is one.

    Raises:
        Refusal: it was not done, and nothing has changed.
    """
    if client not in room.audience:
        raise Refusal("NOT_IN_ROOM", "you are not in this room any more")
    command, known = request.command, room.audience.identity_of(client)
    asked = Asked(client, request, known.person if known is not None else None)
    if request.shown:
        check_may_show(asked)
    if command.requires in ("named", "seated"):
        _ = asked.person  # there must be one
    route = route_of(command, room.table)
    if route.prepare is not None:
        if route.decide is not None:  # may it be told afterwards?
            route.decide(CommandContext(room.table, asked.person, room.sources), command)
        return route.prepare(query_context(room, asked), command)
    if route.answer is not None:
        answer, context = route.answer, query_context(room, asked)
        room.audience.tell_answer(client, request, lambda: answer(context, command))
    elif route.act is not None:
        await route.act(room, asked, command)
    else:
        await decide(room, asked.person, command, route)
    return None


async def tell_found(
    room: RoomParts, client: Client, request: Request, found: AnswerFactory
) -> None:
    """Send the answer of an analysis, if it is still allowed.

    Raises:
        Refusal: it is not.
    """
    route, known = route_of(request.command, room.table), room.audience.identity_of(client)
    if route.decide is not None and known is not None:
        await decide(room, known.person, request.command, route)  # all hear of it, if it is given
    if client in room.audience:
        room.audience.tell_answer(client, request, found)


async def decide(room: RoomParts, person: Person, command: Command, route: Route[Any]) -> None:
    """Decide a command at the table; store, apply and broadcast its events.

    Raises:
        Refusal: it was not done, and nothing has changed.
    """
    kind = route.kind
    if kind in ("move", "offer", "moderation"):
        await room.clock.run(CallTime())  # whoever is too late is told so
    if kind in ("settings", "offer"):
        await room.log.release_absent()  # after a restart all are gone at first
    table, absent, target = room.table, set[str](), None
    if kind == "talk":
        room.membership.check_talk(person)
    elif kind == "offer":
        absent = room.inactivity.absent_members(table)
    elif kind == "moderation":
        moderation.check_staff(table, person, route.role)
        name: str | None = getattr(command, "name", None)
        target = room.audience.find(table, name) if name is not None else None
    assert route.decide is not None, f"/{command.do} is not decided at the table"
    context = CommandContext(table, person, room.sources, target, absent)
    await room.log.commit(route.decide(context, command))
    if kind == "moderation":
        await room.log.release_absent()  # whoever was sent away
