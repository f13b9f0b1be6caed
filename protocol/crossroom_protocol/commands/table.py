"""Rooms and seats, rules and bots: what comes before a game."""

from typing import Literal

from crossroom_protocol.commands.base import Name, Secret, TableCommand


class RoomsCommand(TableCommand):
    """List the open rooms."""

    example = "/rooms"
    requires = "anywhere"
    do: Literal["rooms"] = "rooms"


class JoinCommand(TableCommand):
    """Enter a room, creating it if needed; with a name you take a free seat.

    PASSWORD is the password of the room, or what an invitation says in its place.
    """

    aliases = ("j", "create")
    example = "/join kitchen"
    requires = "anywhere"
    do: Literal["join"] = "join"
    room: Name
    key: Secret = ""


class LeaveCommand(TableCommand):
    """Leave the room. In a game your seat stays yours; /resume brings you back."""

    example = "/leave"
    do: Literal["leave"] = "leave"


class WatchCommand(TableCommand):
    """Give up your seat and watch."""

    example = "/watch"
    requires = "named"
    do: Literal["watch"] = "watch"


class SitCommand(TableCommand):
    """Take a free seat, between games."""

    example = "/sit"
    requires = "named"
    do: Literal["sit"] = "sit"


class SeatsCommand(TableCommand):
    """Show who sits where, and who is ready."""

    example = "/seats"
    do: Literal["seats"] = "seats"


class ReadyCommand(TableCommand):
    """Agree to the rules and the word list; when everybody seated has, the game begins."""

    aliases = ("rematch", "start")
    example = "/ready"
    requires = "seated"
    do: Literal["ready"] = "ready"
    answer: Literal["yes", "no"] = "yes"


class SetCommand(TableCommand):
    """Show the settings, or change one: of the room, or of your own lines.

    Between games, preset chooses one of the published rule texts, and every other setting changes
    one rule. Each change takes back everybody's /ready. slow is for owner and moderators, at any
    time: the seconds between two lines of one person. Yours alone are reader, ansi, language, width
    (characters after which lines are wrapped, or off) and board (each, mine or off: when it comes
    by itself).
    """

    example = "/set challenge five"
    requires = "anywhere"
    do: Literal["set"] = "set"
    setting: Name = ""
    value: Name = ""


class InviteCommand(TableCommand):
    """Show what to send to a friend so that they can join.

    In a locked room it makes an invitation, which admits one person, once, within a day.
    """

    example = "/invite"
    do: Literal["invite"] = "invite"


class WhoCommand(TableCommand):
    """Show who is in the room."""

    aliases = ("w",)
    example = "/who"
    do: Literal["who"] = "who"


class BotCommand(TableCommand):
    """Add a bot, remove one, list the levels, or say that you are a program.

    /bot me says that you are a program: games that begin with you are not rated.
    """

    example = "/bot add greedy"
    requires = "named"
    do: Literal["bot"] = "bot"
    action: Literal["add", "remove", "levels", "me"] = "levels"
    what: Name = ""
