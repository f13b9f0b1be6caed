"""Moderation commands, for the owner of a room and its moderators."""

from typing import Annotated, Literal

from pydantic import Field

from crossroom_protocol.commands.base import ModerationCommand, Name, Secret
from crossroom_protocol.events.moderation import AssignableRole


class RoleCommand(ModerationCommand):
    """Make somebody a moderator, or the owner in your place, or take that back.

    Whoever sat down first owns the room. Owner, moderator, player, watcher: each acts on those
    below only, and only the owner gives roles.
    """

    example = "/role bob moderator"
    do: Literal["role"] = "role"
    name: Name
    role: AssignableRole = "moderator"


class KickCommand(ModerationCommand):
    """Send somebody away; they may come back. In a game their seat stays theirs."""

    example = "/kick carol"
    no_abbreviation = True
    do: Literal["kick"] = "kick"
    name: Name


class BanCommand(ModerationCommand):
    """Send somebody away for good; in a game they resign. With address, all who come from there.

    People of one household often share an address.
    """

    example = "/ban carol"
    no_abbreviation = True
    do: Literal["ban"] = "ban"
    name: Name
    what: Literal["name", "address"] = "name"


class UnbanCommand(ModerationCommand):
    """Let somebody come in again."""

    example = "/unban carol"
    do: Literal["unban"] = "unban"
    name: Name


class BansCommand(ModerationCommand):
    """Show who is banned or muted, and how newcomers get in."""

    example = "/bans"
    do: Literal["bans"] = "bans"


class MuteCommand(ModerationCommand):
    """Mute somebody, for some minutes or until /unmute. They can still play."""

    example = "/mute carol 10"
    do: Literal["mute"] = "mute"
    name: Name
    minutes: Annotated[int | None, Field(ge=1, le=100_000)] = None


class UnmuteCommand(ModerationCommand):
    """Let somebody talk again."""

    example = "/unmute carol"
    do: Literal["unmute"] = "unmute"
    name: Name


class LockCommand(ModerationCommand):
    """Let newcomers in with this password only; without one, only by /invite.

    Whoever was here comes back with their code as ever.
    """

    example = "/lock open-sesame"
    do: Literal["lock"] = "lock"
    password: Secret = ""


class UnlockCommand(ModerationCommand):
    """Let everybody in."""

    example = "/unlock"
    do: Literal["unlock"] = "unlock"
