"""List the people in the room, and the actions for each of them. Pure.

What may be done is only offered here; whether it is, the server decides.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from crossroom_protocol.base.translate import gettext
from crossroom_protocol.notices import ROLES, Role, RoomView, SeatView

STAFF_ROLES: Final = ("moderator", "owner")


@dataclass(frozen=True)
class PersonInfo:
    """Somebody in the room; ``facts`` are what there is to say about them, in words."""

    name: str
    role: Role
    facts: tuple[str, ...]
    is_own: bool
    is_bot: bool
    is_here: bool


class PersonAction(NamedTuple):
    """Something that may be done: ``text`` in a list, then a question with its choices.

    A choice is the line to send, and its text. With no choices ``line`` is only begun.
    """

    text: str
    title: str = ""
    told: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    line: str = ""


def everybody(room: RoomView) -> list[PersonInfo]:
    """Return those who have a name: the seated in the order of the seats, then watchers."""
    seated = [_person(room, seat.name, seat) for seat in room.seats]
    return [*seated, *(_person(room, name, None) for name in room.watchers)]


def _person(room: RoomView, name: str, seat: SeatView | None) -> PersonInfo:
    role: Role = "player" if seat is not None else "watcher"
    role = "owner" if name == room.owner else role
    role = "moderator" if name in room.moderators else role
    is_own, is_bot = name == room.name, seat is not None and seat.bot is not None
    is_here = seat is None or seat.here
    facts = (
        gettext("you") if is_own else "",
        gettext("bot") if is_bot else "",
        gettext("a program") if seat is not None and seat.program else "",
        gettext("owner") if role == "owner" else "",
        gettext("moderator") if role == "moderator" else "",
        gettext("seated") if seat is not None else gettext("watching"),
        "" if is_here else gettext("away"),
        gettext("a bot stands in") if seat is not None and seat.stand_in else "",
    )
    return PersonInfo(name, role, tuple(filter(None, facts)), is_own, is_bot, is_here)


def actions_for(room: RoomView, person: PersonInfo) -> list[PersonAction]:
    """Return the actions that the reader of *room* may take on a person; none on themselves."""
    name, found = person.name, list[PersonAction]()
    if person.is_own or room.name is None:
        return found
    if person.is_bot:
        is_free = room.game is None or room.game.phase == "over"
        return [_remove(name)] if is_free else []
    if person.is_here:
        found.append(PersonAction(gettext("whisper"), line=_line("tell", name, "")))
    if room.role in STAFF_ROLES and ROLES.index(person.role) < ROLES.index(room.role):
        found += [_mute(name), _unmute(name), _send_away(name), _ban(name)]
    if room.role == "owner":
        found += [_demote(name) if person.role == "moderator" else _promote(name), _hand_over(name)]
    return found


def _line(do: str, *given: str) -> str:
    return " ".join((f"/{do}", *given))


def _remove(name: str) -> PersonAction:
    line = _line("bot", "remove", name)
    told = gettext("The seat is free then.")
    title = gettext("Send {name} away?", name=name)
    return PersonAction(gettext("send away"), title, told, ((line, gettext("send away")),))


def _mute(name: str) -> PersonAction:
    choices = (
        (_line("mute", name, "10"), gettext("ten minutes")),
        (_line("mute", name, "60"), gettext("an hour")),
        (_line("mute", name), gettext("until further notice")),
    )
    told = gettext("Playing goes on; only talk is not heard.")
    return PersonAction(gettext("mute"), gettext("Mute {name}", name=name), told, choices)


def _unmute(name: str) -> PersonAction:
    told = gettext("{name} will be able to talk again.", name=name)
    choices = ((_line("unmute", name), gettext("let {name} talk", name=name)),)
    return PersonAction(gettext("unmute"), gettext("Unmute {name}", name=name), told, choices)


def _send_away(name: str) -> PersonAction:
    told = gettext("They may come back. In a game their seat stays theirs.")
    choices = ((_line("kick", name), gettext("send away")),)
    title = gettext("Send {name} away?", name=name)
    return PersonAction(gettext("send away"), title, told, choices)


def _ban(name: str) -> PersonAction:
    choices = (
        (_line("ban", name), gettext("ban")),
        (
            _line("ban", name, "address"),
            gettext("all who come from where they are: often a household"),
        ),
    )
    told = gettext("They may not come in again; in a game they resign.")
    return PersonAction(gettext("ban"), gettext("Ban {name}?", name=name), told, choices)


def _promote(name: str) -> PersonAction:
    told = gettext("Moderators may mute, send away, ban and lock.")
    choices = ((_line("role", name), gettext("promote")),)
    title = gettext("Make {name} a moderator?", name=name)
    return PersonAction(gettext("promote to moderator"), title, told, choices)


def _demote(name: str) -> PersonAction:
    told = gettext("{name} will no longer be a moderator.", name=name)
    choices = ((_line("role", name, "player"), gettext("demote")),)
    title = gettext("Remove {name} as moderator?", name=name)
    return PersonAction(gettext("demote: remove as moderator"), title, told, choices)


def _hand_over(name: str) -> PersonAction:
    told = gettext("{name} will own the room, and you will not.", name=name)
    choices = ((_line("role", name, "owner"), gettext("give it")),)
    title = gettext("Make {name} the owner?", name=name)
    return PersonAction(gettext("owner: hand over the room"), title, told, choices)
