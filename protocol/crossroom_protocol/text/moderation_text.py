"""What the log says to people of who keeps order and how."""

from typing import Final, assert_never

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import say
from crossroom_protocol.base.wording import counted
from crossroom_protocol.events.moderation import (
    Banned,
    Given,
    InvitationUsed,
    Invited,
    Kicked,
    Locked,
    Muted,
    OrderEvent,
    RoleGiven,
    Slowed,
    Unbanned,
    Unlocked,
    Unmuted,
)

_ROLES: Final[dict[Given, str]] = {
    "owner": Phrase("{name} gives the room to {whom}"),
    "moderator": Phrase("{name} makes {whom} a moderator"),
    "player": Phrase("{name} takes the role of {whom} back"),
}


def tell(event: OrderEvent) -> str:
    """The sentence about *event*."""
    match event:
        case RoleGiven(name, _, whom, role):
            return say(_ROLES[role], name=name, whom=whom)
        case Kicked(name, _, whom):
            return say("{name} sends {whom} away", name=name, whom=whom)
        case Banned(name, _, whom, address):
            if address is None:
                return say("{name} bans {whom}", name=name, whom=whom)
            return say("{name} bans {whom} and where they come from", name=name, whom=whom)
        case Unbanned(name, whom):
            return say("{name} lets {whom} come in again", name=name, whom=whom)
        case Muted(name, _, whom, until):
            if until is None:
                return say("{name} mutes {whom}", name=name, whom=whom)
            return say("{name} mutes {whom} for a while", name=name, whom=whom)
        case Unmuted(name, _, whom):
            return say("{name} lets {whom} talk again", name=name, whom=whom)
        case Locked(name, password):
            if password is None:
                return say("{name} locks the room: newcomers need an invitation", name=name)
            return say(
                "{name} locks the room: newcomers need the password or an invitation", name=name
            )
        case Unlocked(name):
            return say("{name} unlocks the room: everybody may come in", name=name)
        case Invited(name):
            return say("{name} makes an invitation", name=name)
        case InvitationUsed(name):
            return say("somebody comes in, whom {name} has invited", name=name)
        case Slowed(name, 0):
            return say("{name} lets everybody talk as they like", name=name)
        case Slowed(name, seconds):
            return say(
                "{name} slows talk down: {seconds} between two lines",
                name=name,
                seconds=counted(seconds, "second"),
            )
        case _:
            assert_never(event)
