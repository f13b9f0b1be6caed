"""Handlers of what people ask about themselves: all that is kept of them, or to be forgotten."""

import json
from typing import Final

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.commands.profiles import MyDataCommand
from crossroom_server.identity import names
from crossroom_server.lobby.personal_data import Whose
from crossroom_server.session.session import Session

_ALL_ROOMS: Final = Phrase(
    "your codes, your registration and what you have said are deleted, and in finished games you "
    "are a former player; nothing brings that back: /me delete yes"
)
_THIS_ROOM: Final = Phrase(
    "your code and what you have said here are deleted, and in finished games of this room you are "
    "a former player; nothing brings that back: /me delete yes"
)


async def show_or_erase(session: Session, request: Request, command: MyDataCommand) -> None:
    """Tell somebody all that is kept of them, or forget them.

    Raises:
        Refusal: ``NEED_NAME``, ``NOT_IN_ROOM`` as a guest, ``NOT_CONFIRMED``, ``TOO_MANY``; or
            what stands in the way.
    """
    who, lobby = _whose(session), session.server.lobby
    if command.action == "export":
        session.server.count_personal_data(session.address)
        told = await lobby.personal_data.export(who)
        session.answer(request, json.dumps(told, ensure_ascii=False, indent=1).splitlines())
        return
    if command.sure != "yes":
        raise Refusal(
            "NOT_CONFIRMED",
            _ALL_ROOMS if who.room is None else _THIS_ROOM,
        )
    if lobby.cluster is not None:
        raise Refusal("INTERNAL", "several servers share these games; ask the host to delete them")
    session.server.count_personal_data(session.address)
    await lobby.personal_data.check(who)
    await session.leave()
    alias = await lobby.personal_data.erase(who)
    session.proven.discard(who.key)
    session.name = None
    session.answer(
        request, [gettext("you are forgotten; in finished games you are {name}", name=alias)]
    )


def _whose(session: Session) -> Whose:
    """Return whom the data of a session are about: what they have proved to be."""
    room = session.room
    if session.name is None or (room is not None and not session.is_named_here):
        raise Refusal("NEED_NAME", "take the name first: /name YOURNAME")
    if names.comparison_key(session.name) in session.proven:
        return Whose(session.name, None)
    if room is None:
        raise Refusal(
            "NOT_IN_ROOM", "what guests leave is in their rooms; come back to yours first"
        )
    return Whose(session.name, room.name)
