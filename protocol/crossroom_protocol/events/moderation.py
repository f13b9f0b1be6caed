"""Entries of a room's log that keep order: roles, bans, mutes, locks, invitations.

``name`` is whoever does it, ``whom`` the one it is done to, ``member`` the identity of that one. A
digest, a hash or an address is written down, so that it still counts after a restart, but nobody is
ever told it.
"""

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

AssignableRole: TypeAlias = Literal["owner", "moderator", "player"]
"""The roles that are given; ``player`` takes one back."""


@dataclass(frozen=True)
class RoleGiven:
    """Somebody has another role. A room has one owner: who gives that away is a moderator then."""

    name: str
    member: str
    whom: str
    role: AssignableRole
    kind: Literal["role_given"] = "role_given"


@dataclass(frozen=True)
class Kicked:
    """Somebody was sent away; they may come back. In the view the others get, they are not here."""

    name: str
    member: str
    whom: str
    kind: Literal["kicked"] = "kicked"


@dataclass(frozen=True)
class Banned:
    """Somebody may not come in; ``member`` is None if they were not here, and their name is banned.

    ``address`` is what is banned beside it, None if nothing. In the view the others get, they
    are not here.
    """

    name: str
    member: str | None
    whom: str
    address: str | None = field(default=None, repr=False)
    kind: Literal["banned"] = "banned"


@dataclass(frozen=True)
class Unbanned:
    """Somebody may come in again."""

    name: str
    whom: str
    kind: Literal["unbanned"] = "unbanned"


@dataclass(frozen=True)
class Muted:
    """Somebody may not talk; ``until`` is in ms since 1970, None for good."""

    name: str
    member: str
    whom: str
    until: int | None
    kind: Literal["muted"] = "muted"


@dataclass(frozen=True)
class Unmuted:
    """Somebody may talk again."""

    name: str
    member: str
    whom: str
    kind: Literal["unmuted"] = "unmuted"


@dataclass(frozen=True)
class Locked:
    """Newcomers need an invitation or, if ``password`` is not None, the password.

    ``password`` is its hash, which nobody is told: for them it is empty.
    """

    name: str
    password: str | None = field(default=None, repr=False)
    kind: Literal["locked"] = "locked"


@dataclass(frozen=True)
class Unlocked:
    """Everybody may come in."""

    name: str
    kind: Literal["unlocked"] = "unlocked"


@dataclass(frozen=True)
class Invited:
    """A token lets one person in, once, ``until`` (ms since 1970)."""

    name: str
    until: int
    digest: str = field(repr=False)
    kind: Literal["invited"] = "invited"


@dataclass(frozen=True)
class InvitationUsed:
    """Somebody came in with the token that ``name`` had made."""

    name: str
    digest: str = field(repr=False)
    kind: Literal["invitation_used"] = "invitation_used"


@dataclass(frozen=True)
class Slowed:
    """Between two things that somebody says lie so many ``seconds``; 0: as they like.

    So many lie before the first thing, too, if they come in from now on.
    """

    name: str
    seconds: int
    kind: Literal["slowed"] = "slowed"


ModerationEvent: TypeAlias = (
    RoleGiven | Kicked | Banned | Unbanned | Muted | Unmuted | Locked | Unlocked | Invited
    | InvitationUsed | Slowed
)  # fmt: skip


def redact(what: ModerationEvent) -> ModerationEvent:
    """*what* without what nobody is told."""
    match what:
        case Banned(address=str()):
            return replace(what, address="")
        case Locked(password=str()):
            return replace(what, password="")
        case Invited() | InvitationUsed():
            return replace(what, digest="")
        case _:
            return what
