"""Decides the moderation commands: who may give them, to whom, and the events."""

import contextlib
from typing import Final, TypeAlias

from crossroom_engine.core.moves import Resign
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.units import DAY_MS, MINUTE_MS
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext, ngettext
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.moderation import (
    BanCommand,
    KickCommand,
    LockCommand,
    MuteCommand,
    RoleCommand,
    UnbanCommand,
    UnlockCommand,
    UnmuteCommand,
)
from crossroom_protocol.commands.table import SetCommand
from crossroom_protocol.events.moderation import (
    Banned,
    InvitationUsed,
    Invited,
    Kicked,
    Locked,
    Muted,
    RoleGiven,
    Slowed,
    Unbanned,
    Unlocked,
    Unmuted,
)
from crossroom_protocol.events.room import RoomEvent
from crossroom_protocol.notices import ROLES, Role
from crossroom_server.identity import names
from crossroom_server.identity.client_address import is_loopback, rate_limit_key
from crossroom_server.identity.codes import new_code
from crossroom_server.table import table
from crossroom_server.table.passwords import hash_password
from crossroom_server.table.permissions import Permissions
from crossroom_server.table.state import CommandContext, Events, Person, Sources, Table, Target

INVITATION_LIFETIME_MS: Final = DAY_MS
MAX_SLOW_S: Final = 600
"""Maximum of ``/set slow``: seconds between two messages of one person."""
CLOSE_SENT_AWAY: Final = 4003
"""Close code of the protocol: kicked or banned."""
MAX_BANS: Final = 1000
"""Maximum of bans in one room, and of mutes."""

HOST: Final = Person("host", "the host")
"""The operator of the server, above every role; no name of a person has a space in it."""

_ROLE_NAMES: Final[dict[Role, str]] = {
    "watcher": Phrase("watcher"),
    "player": Phrase("player"),
    "moderator": Phrase("moderator"),
    "owner": Phrase("owner"),
}

_About: TypeAlias = BanCommand | KickCommand | MuteCommand | RoleCommand | UnmuteCommand


def role_of(at: Table, member: str | None) -> Role:
    """Return the role of a member in the room."""
    keeper = at.permissions.staff_role(member) if member is not None else None
    if keeper is not None and keeper.role != "player":
        return keeper.role
    return "watcher" if at.seat_of(member) is None else "player"


def _rank(at: Table, person: Person) -> int:
    return len(ROLES) if person == HOST else ROLES.index(role_of(at, person.member))


def check_staff(at: Table, person: Person, role: Role = "moderator") -> None:
    """Check that *person* has at least that *role*.

    Raises:
        Refusal: ``NEED_ROLE``.
    """
    if _rank(at, person) < ROLES.index(role):
        owner = at.permissions.owner
        whose = f" ({owner.whom})" if owner is not None else ""
        prose = Phrase("this is for the owner of the room{whose} and the moderators")
        if role == "owner":
            prose = Phrase("this is for the owner of the room{whose}")
        raise Refusal("NEED_ROLE", prose, whose=whose)


async def with_hashed_secret(
    at: Table, person: Person, command: Command, secret_field: str
) -> Command:
    """Return *command* with its secret, if there is one, replaced by the hash.

    Hashing is slow: do it outside the task that serves the room.

    Raises:
        Refusal: ``NEED_ROLE``, *person* may not give the command.
    """
    if not (secret := getattr(command, secret_field)):
        return command
    check_staff(at, person)
    return command.model_copy(update={secret_field: await hash_password(secret)})


def set_slow(at: CommandContext, command: SetCommand) -> Events:
    """Set the minimum seconds between two messages of one person."""
    return (Slowed(at.person.name, _seconds(command.value)),)


def lock(at: CommandContext, command: LockCommand) -> Events:
    """Keep newcomers out; the password arrives hashed (:func:`with_hashed_secret`)."""
    return (Locked(at.person.name, command.password or None),)


def unlock(at: CommandContext, _: UnlockCommand) -> Events:
    """Let newcomers in."""
    if at.table.permissions.lock is None:
        raise Refusal("BAD_ARGS", "the room is not locked")
    return (Unlocked(at.person.name),)


def unban(at: CommandContext, command: UnbanCommand) -> Events:
    """Lift the ban of a name."""
    for ban in at.table.permissions.banned:
        if names.comparison_key(ban.whom) == names.comparison_key(command.name):
            return (Unbanned(at.person.name, ban.whom),)
    raise Refusal("NOBODY", "{name} is not banned; /bans shows who is", name=command.name)


def ban(at: CommandContext, command: BanCommand) -> Events:
    """Ban somebody, who resigns; or a name that nobody has here."""
    name = at.person.name
    if at.target is None and command.what == "name":
        _check_ban_count(at.table.permissions)
        return (Banned(name, None, names.check_name(command.name)),)
    target = _target(at, command)
    whom = target.person
    _check_ban_count(at.table.permissions)
    address = _address(target) if command.what == "address" else None
    return (
        *_resignation(at.table, whom, at.sources),
        Banned(name, whom.member, whom.name, address),
    )


def kick(at: CommandContext, command: KickCommand) -> Events:
    """Disconnect somebody, who may come back."""
    whom = _target(at, command).person
    return (Kicked(at.person.name, whom.member, whom.name),)


def give_role(at: CommandContext, command: RoleCommand) -> Events:
    """Give a role, or take it back."""
    whom = _target(at, command).person
    return (RoleGiven(at.person.name, whom.member, whom.name, command.role),)


def mute(at: CommandContext, command: MuteCommand) -> Events:
    """Forbid somebody to talk, for good or for a while."""
    whom = _target(at, command).person
    if len(at.table.permissions.muted) >= MAX_BANS:
        raise Refusal("TOO_MANY", "{most} people are muted here; /unmute some first", most=MAX_BANS)
    until = None if command.minutes is None else at.sources.now() + command.minutes * MINUTE_MS
    return (Muted(at.person.name, whom.member, whom.name, until),)


def unmute(at: CommandContext, command: UnmuteCommand) -> Events:
    """Let somebody talk again."""
    whom = _target(at, command).person
    if not at.table.permissions.is_muted(whom.member, whom.name):
        raise Refusal("BAD_ARGS", "{name} is not muted", name=whom.name)
    return (Unmuted(at.person.name, whom.member, whom.name),)


def _target(at: CommandContext, command: _About) -> Target:
    """Return the target of a command, who must rank below its author.

    Raises:
        Refusal: ``NOBODY`` or ``NEED_ROLE``, or the target is the author.
    """
    if at.target is None:
        raise Refusal("NOBODY", "nobody here is called {name}; /who shows them", name=command.name)
    whom = at.target.person
    if at.person.member == whom.member:
        raise Refusal("BAD_ARGS", "that is you")
    if _rank(at.table, at.person) <= _rank(at.table, whom):
        raise Refusal(
            "NEED_ROLE",
            "{name} is {theirs} here, and you are not above that",
            name=whom.name,
            theirs=_ROLE_NAMES[role_of(at.table, whom.member)],
        )
    return at.target


def _resignation(at: Table, whom: Person, sources: Sources) -> Events:
    """Resign for somebody who may not come back, so that the table does not wait for them."""
    seat = at.game_seat_of(whom.member)
    if at.playing is None or seat is None:
        return ()
    with contextlib.suppress(Refusal):  # they have resigned already
        return table.move(at, seat, Resign(), sources)
    return ()


def _address(target: Target) -> str:
    if target.address is None:
        name = target.person.name
        raise Refusal("BAD_ARGS", "{name} is not connected; /ban {name} bans the name", name=name)
    if is_loopback(target.address):
        raise Refusal("BAD_ARGS", "they come from the server's own machine, as others may")
    return rate_limit_key(target.address)


def _check_ban_count(permissions: Permissions) -> None:
    if len(permissions.banned) >= MAX_BANS:
        raise Refusal("TOO_MANY", "{most} are banned here; /unban some first", most=MAX_BANS)


def _seconds(value: str) -> int:
    if not (value.isascii() and value.isdecimal() and len(value) < 5 and int(value) <= MAX_SLOW_S):
        raise Refusal(
            "BAD_SETTING", "slow is a number of seconds from 0 to {slowest}", slowest=MAX_SLOW_S
        )
    return int(value)


def new_invitation(at: Table, person: Person | None, now: int) -> tuple[Invited, str] | None:
    """Make an invitation and its token; None if the room is not locked.

    Raises:
        Refusal: ``NEED_ROLE``, the room is locked and not theirs to open.
    """
    if at.permissions.lock is None:
        return None
    if person is None:
        raise Refusal("NEED_ROLE", "the room is locked, and you are watching")
    check_staff(at, person)
    code, digest = new_code()
    return Invited(person.name, now + INVITATION_LIFETIME_MS, digest), code


def consume_invitation(invitation: Invited | None) -> tuple[InvitationUsed, ...]:
    """Return the event that uses up *invitation*, if there is one."""
    return () if invitation is None else (InvitationUsed(invitation.name, invitation.digest),)


def disconnect_reason(what: RoomEvent) -> tuple[str, str] | None:
    """Return the member whom this event disconnects, and the reason they are told."""
    match what:
        case Kicked(name=name, member=member):
            return member, gettext("{name} has sent you away", name=name)
        case Banned(name=name, member=str() as member):
            return member, gettext("{name} has banned you", name=name)
        case _:
            return None


def ban_lines(permissions: Permissions, now: int) -> tuple[str, ...]:
    """List the bans and mutes, and the lock and the slow mode, if they are on."""
    lines = [
        gettext("{whom} is banned by {name}", whom=ban.whom, name=ban.name)
        if ban.address is None
        else gettext("{whom} is banned by {name}, with their address", whom=ban.whom, name=ban.name)
        for ban in permissions.banned
    ]
    for muted in permissions.muted:
        if muted.until is None:
            lines.append(gettext("{whom} is muted by {name}", whom=muted.whom, name=muted.name))
        elif muted.until > now:
            minutes = -(-(muted.until - now) // MINUTE_MS)
            prose = Phrase("{whom} is muted by {name}, {minutes} min to go")
            lines.append(gettext(prose, whom=muted.whom, name=muted.name, minutes=minutes))
    if not lines:
        lines = [gettext("nobody is banned or muted")]
    if permissions.lock is not None:
        good = sum(now < invitation.until for invitation in permissions.invitations)
        told = gettext("newcomers need the password or an invitation")
        if permissions.lock.password is None:
            told = gettext("newcomers need an invitation")
        valid = ngettext("{count} invitation is good", "{count} invitations are good", good)
        lines.append(f"{told}; {valid}")
    if permissions.slow:
        lines.append(
            gettext("talk is slow: {slow} s between two lines of one person", slow=permissions.slow)
        )
    return tuple(lines)
