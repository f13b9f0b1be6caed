"""Tell people who keeps order, and how."""

from typing import Final, assert_never

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_count
from crossroom_protocol.events.moderation import (
    AssignableRole,
    Banned,
    InvitationUsed,
    Invited,
    Kicked,
    Locked,
    ModerationEvent,
    Muted,
    RoleGiven,
    Slowed,
    Unbanned,
    Unlocked,
    Unmuted,
)

_ROLES: Final[dict[AssignableRole, str]] = {
    "owner": Phrase("{name} gives the room to {whom}"),
    "moderator": Phrase("{name} makes {whom} a moderator"),
    "player": Phrase("{name} removes {whom} as moderator"),
}


def moderation_line(event: ModerationEvent) -> str:
    """The sentence about *event*."""
    match event:
        case RoleGiven(name, _, whom, role):
            return gettext(_ROLES[role], name=name, whom=whom)
        case Kicked(name, _, whom):
            return gettext("{name} sends {whom} away", name=name, whom=whom)
        case Banned(name, _, whom, address):
            if address is None:
                return gettext("{name} bans {whom}", name=name, whom=whom)
            return gettext("{name} bans {whom} and their address", name=name, whom=whom)
        case Unbanned(name, whom):
            return gettext("{name} lets {whom} come in again", name=name, whom=whom)
        case Muted(name, _, whom, until):
            if until is None:
                return gettext("{name} mutes {whom}", name=name, whom=whom)
            return gettext("{name} mutes {whom} for a while", name=name, whom=whom)
        case Unmuted(name, _, whom):
            return gettext("{name} lets {whom} talk again", name=name, whom=whom)
        case Locked(name, password):
            if password is None:
                return gettext("{name} locks the room: newcomers need an invitation", name=name)
            return gettext(
                "{name} locks the room: newcomers need the password or an invitation", name=name
            )
        case Unlocked(name):
            return gettext("{name} unlocks the room: everybody may come in", name=name)
        case Invited(name):
            return gettext("{name} makes an invitation", name=name)
        case InvitationUsed(name):
            return gettext("somebody whom {name} has invited comes in", name=name)
        case Slowed(name, 0):
            return gettext("{name} ends slow talk", name=name)
        case Slowed(name, seconds):
            return gettext(
                "{name} slows talk down: {seconds} between two lines",
                name=name,
                seconds=format_count(seconds, "second"),
            )
        case _:
            assert_never(event)
