"""What the log says to people of who keeps order and how."""

from typing import Final, assert_never

from crossroom_protocol.order_events import (
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
from crossroom_protocol.wording import counted

_ROLES: Final[dict[Given, str]] = {
    "owner": "gives the room to {whom}",
    "moderator": "makes {whom} a moderator",
    "player": "takes the role of {whom} back",
}


def tell(event: OrderEvent) -> str:
    """The sentence about *event*."""
    match event:
        case RoleGiven(name, _, whom, role):
            return f"{name} {_ROLES[role].format(whom=whom)}"
        case Kicked(name, _, whom):
            return f"{name} sends {whom} away"
        case Banned(name, _, whom, address):
            return f"{name} bans {whom}{'' if address is None else ' and where they come from'}"
        case Unbanned(name, whom):
            return f"{name} lets {whom} come in again"
        case Muted(name, _, whom, until):
            return f"{name} mutes {whom}{'' if until is None else ' for a while'}"
        case Unmuted(name, _, whom):
            return f"{name} lets {whom} talk again"
        case Locked(name, password):
            how = "an invitation" if password is None else "the password or an invitation"
            return f"{name} locks the room: newcomers need {how}"
        case Unlocked(name):
            return f"{name} unlocks the room: everybody may come in"
        case Invited(name):
            return f"{name} makes an invitation"
        case InvitationUsed(name):
            return f"somebody comes in, whom {name} has invited"
        case Slowed(name, 0):
            return f"{name} lets everybody talk as they like"
        case Slowed(name, seconds):
            return f"{name} slows talk down: {counted(seconds, 'second')} between two lines"
        case _:
            assert_never(event)
