"""Roles, bans, mutes and locks of a room, and the checks that follow from them.

Pure functions, like :mod:`crossroom_server.table.table`. Moderation commands are decided in
:mod:`crossroom_server.table.moderation`.
"""

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.events.moderation import (
    Banned,
    InvitationUsed,
    Invited,
    Locked,
    Muted,
    RoleGiven,
    Slowed,
    Unbanned,
    Unlocked,
    Unmuted,
)
from crossroom_protocol.events.room import LogEntry, Said, SeatTaken
from crossroom_server.identity import names
from crossroom_server.identity.client_address import rate_limit_key
from crossroom_server.identity.codes import code_digest

MAX_INVITATIONS: Final = 20
"""Tokens of a room that are valid at a time; a new one replaces the oldest."""

EntryProof: TypeAlias = str
"""The hash of the room's password or the digest of a token; empty after a wrong guess."""


@dataclass(frozen=True)
class Permissions:
    """The events in force; ``staff`` are the owner and the moderators.

    ``slow`` is the minimum of seconds between two messages of one person. ``last_spoke_at`` is kept
    while it is not 0, by name, in ms since 1970.
    """

    staff: tuple[RoleGiven, ...] = ()
    banned: tuple[Banned, ...] = ()
    muted: tuple[Muted, ...] = ()
    lock: Locked | None = None
    invitations: tuple[Invited, ...] = ()
    slow: int = 0
    last_spoke_at: Mapping[str, int] = field(default_factory=dict, repr=False)

    @property
    def owner(self) -> RoleGiven | None:
        """The owner: the first to take a seat, or to whom the role was given."""
        return next((one for one in self.staff if one.role == "owner"), None)

    def staff_role(self, member: str) -> RoleGiven | None:
        """Return the grant of an owner or a moderator."""
        return next((one for one in self.staff if one.member == member), None)

    def check_name(self, name: str) -> None:
        """Check that a name is not banned.

        Raises:
            Refusal: ``NAME_TAKEN``.
        """
        if any(names.comparison_key(ban.whom) == names.comparison_key(name) for ban in self.banned):
            raise Refusal("NAME_TAKEN", "{name} is banned here; choose another name", name=name)

    def check_member(self, member: str) -> None:
        """Check that a member may come back.

        Raises:
            Refusal: ``BANNED``.
        """
        if any(ban.member == member for ban in self.banned):
            raise Refusal("BANNED", "you may not come in here any more")

    def check_address(self, address: str, member: str | None = None) -> None:
        """Check that an address is not banned; staff may come back: they could lift the ban.

        Raises:
            Refusal: ``BANNED``.
        """
        if member is not None and self.staff_role(member) is not None:
            return
        if any(ban.address == rate_limit_key(address) for ban in self.banned):
            raise Refusal("BANNED", "you cannot come in from your address")

    def check_entry(self, address: str, proof: EntryProof | None, now: int) -> Invited | None:
        """Check that a newcomer may enter; return the invitation that this uses up, if any.

        Raises:
            Refusal: ``BANNED`` or ``NEED_KEY``.
        """
        self.check_address(address)
        if self.lock is None or (proof is not None and proof == self.lock.password):
            return None
        for invitation in self.invitations:
            if invitation.digest == proof and now < invitation.until:
                return invitation
        how = gettext("/join ROOM with an invitation")
        if self.lock.password is not None:
            how = gettext("/join ROOM PASSWORD, or with an invitation")
        wrong = gettext("this room is locked")
        if proof is not None:
            wrong = gettext("that does not open this room")
        raise Refusal(
            "NEED_KEY", "{wrong}: {how}; who was here before: /resume CODE", wrong=wrong, how=how
        )

    def find_invitation(self, key: str) -> EntryProof | None:
        """Return the digest of the invitation with the token *key*; compares in constant time."""
        digest = code_digest(key)
        found = [i.digest for i in self.invitations if hmac.compare_digest(i.digest, digest)]
        return found[0] if found else None

    def check_not_muted(self, member: str, name: str, now: int) -> None:
        """Check that neither the member nor the name is muted.

        Raises:
            Refusal: ``MUTED``.
        """
        for muted in self.muted:
            if _concerns(muted, member, name) and (muted.until is None or now < muted.until):
                if muted.until is None:
                    raise Refusal("MUTED", "{name} has muted you; you may play on", name=muted.name)
                prose = Phrase("{name} has muted you for {time}; you may play on")
                time = _duration(muted.until - now)
                raise Refusal("MUTED", prose, name=muted.name, time=time)

    def is_muted(self, member: str, name: str) -> bool:
        """Is there a mute for them, expired or not?"""
        return any(_concerns(muted, member, name) for muted in self.muted)


def _concerns(muted: Muted, member: str, name: str) -> bool:
    """Does a mute concern them, as a member or by name?"""
    return muted.member == member or names.comparison_key(muted.whom) == names.comparison_key(name)


def _duration(milliseconds: int) -> str:
    seconds = -(-milliseconds // 1000)
    if seconds < 120:
        return f"{seconds} s"
    return gettext("{minutes} minutes", minutes=-(-seconds // 60))


def apply(permissions: Permissions, entry: LogEntry) -> Permissions:
    """Return the permissions after *entry*."""
    match entry.what:
        case SeatTaken(_, member, name, None) if permissions.owner is None:
            return replace(
                permissions, staff=(RoleGiven(name, member, name, "owner"), *permissions.staff)
            )
        case RoleGiven() as given:
            return replace(permissions, staff=_with_role(permissions.staff, given))
        case Banned(member=member, whom=whom) as ban:
            keepers = tuple(one for one in permissions.staff if one.member != member)
            return replace(
                permissions, staff=keepers, banned=(*_without_ban(permissions.banned, whom), ban)
            )
        case Unbanned(whom=whom):
            return replace(permissions, banned=_without_ban(permissions.banned, whom))
        case Muted(member=member) as muted:
            others = (m for m in _active_mutes(permissions.muted, entry.at) if m.member != member)
            return replace(permissions, muted=(*others, muted))
        case Unmuted(member=member, whom=whom):
            mutes = tuple(
                muted for muted in permissions.muted if not _concerns(muted, member, whom)
            )
            return replace(permissions, muted=mutes)
        case Locked() as lock:
            return replace(permissions, lock=lock)
        case Unlocked():
            return replace(permissions, lock=None)
        case Invited() as invitation:
            good = [i for i in permissions.invitations if entry.at < i.until]
            return replace(permissions, invitations=(*good[1 - MAX_INVITATIONS :], invitation))
        case InvitationUsed(digest=digest):
            left = tuple(i for i in permissions.invitations if i.digest != digest)
            return replace(permissions, invitations=left)
        case Slowed(seconds=seconds):
            return replace(permissions, slow=seconds, last_spoke_at={})
        case Said(name=name) if permissions.slow:
            recent = entry.at - permissions.slow * 1000
            spoke = {who: at for who, at in permissions.last_spoke_at.items() if at > recent}
            return replace(permissions, last_spoke_at=spoke | {name: entry.at})
        case _:
            return permissions


def _with_role(keepers: Iterable[RoleGiven], given: RoleGiven) -> tuple[RoleGiven, ...]:
    others = [one for one in keepers if one.member != given.member]
    if given.role == "owner":
        others = [replace(one, role="moderator") for one in others]
    return (*others, given) if given.role != "player" else tuple(others)


def _without_ban(banned: Iterable[Banned], whom: str) -> tuple[Banned, ...]:
    return tuple(
        ban for ban in banned if names.comparison_key(ban.whom) != names.comparison_key(whom)
    )


def _active_mutes(muted: Iterable[Muted], now: int) -> tuple[Muted, ...]:
    return tuple(one for one in muted if one.until is None or now < one.until)
