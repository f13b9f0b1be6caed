"""Lists that whoever is connected may ask for, in a room or at the door."""

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_server.identity import names
from crossroom_server.lobby.lobby import MAX_LISTED_ROOMS, Lobby


def open_rooms(lobby: Lobby) -> list[str]:
    """The rooms with people in them or a game going on, at all nodes, the fullest first."""
    rooms = lobby.listed()
    told = [
        gettext(
            "{name}: {people} here, {seated} seated",
            name=line.name,
            people=line.people,
            seated=line.seated,
        )
        + (gettext(", a game is on") if line.playing else "")
        + (gettext(", locked") if line.locked else "")
        for line in rooms[:MAX_LISTED_ROOMS]
    ]
    if (more := len(rooms) - MAX_LISTED_ROOMS) > 0:
        told.append(gettext("and {more} more", more=more))
    return told or [gettext("no room is open; /join NAME opens one")]


async def stored_games(lobby: Lobby, name: str) -> list[str]:
    """The games of somebody that are not over.

    Raises:
        Refusal: ``NEED_NAME`` or ``BAD_NAME``, or the store is out of order.
    """
    if not name:
        raise Refusal("NEED_NAME", "say whose games: /stored NAME")
    told = [
        gettext("{room}: adjourned, {name} to move", room=line.room, name=line.on_turn)
        if line.adjourned
        else gettext("{room}: not over, {name} to move", room=line.room, name=line.on_turn)
        for line in await lobby.unfinished(names.check_name(name))
    ]
    if not told:
        return [gettext("no game of {name} waits here", name=name)]
    return [*told, gettext("/resume CODE, with the code you were given there, comes back to one")]
