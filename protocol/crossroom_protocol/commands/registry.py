"""Everything a client may ask, declared once.

The union :data:`Command` is the registry. From each class come its line syntax (the fields in
order; see :mod:`crossroom_protocol.commands.parser`), its JSON form and schema, its help and its
entry in the reference (the docstring), and a test (the example). To add a command: write the class,
add it to the union, and answer it in the server.
"""

from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import Field, StringConstraints, TypeAdapter

from crossroom_protocol.commands.base import (
    NAMED,
    Command,
    ConnectionCommand,
    Letters,
    MoveCommand,
    Name,
    Notation,
    Place,
    QueryCommand,
    Secret,
    Swap,
    TableCommand,
    TalkCommand,
    Turn,
    Words,
    name_of,
)
from crossroom_protocol.commands.moderation import (
    BanCommand,
    BansCommand,
    KickCommand,
    LockCommand,
    MuteCommand,
    RoleCommand,
    UnbanCommand,
    UnlockCommand,
    UnmuteCommand,
)
from crossroom_protocol.commands.offers import (
    AbortCommand,
    AdjournCommand,
    AgreeCommand,
    DeclineCommand,
    NudgeCommand,
    StoredCommand,
    UndoCommand,
)
from crossroom_protocol.commands.profiles import (
    GamesCommand,
    RegisterCommand,
    StatsCommand,
    TopCommand,
)
from crossroom_protocol.commands.study import (
    AnalyzeCommand,
    CheckCommand,
    ExportCommand,
    HintCommand,
    RecallCommand,
    TryCommand,
)


class PlayCommand(MoveCommand):
    """Lay a word: 8H across, H8 down; lower case is a blank, . a tile that lies there.

    [CH] is a tile of several letters. swap=10F takes back the blank on 10F for your own letter,
    where the rules allow it; several squares with commas. turn=5 makes it count in turn 5 only.
    """

    aliases = ("p",)
    example = "/play 8H QUIz turn=1"
    do: Literal["play"] = "play"
    at: Place
    word: Notation
    swap: Swap = None
    turn: Turn = None


class ExchangeCommand(MoveCommand):
    """Put tiles back into the bag and draw as many; ends your turn. * or ? is a blank."""

    aliases = ("x", "swap")
    example = "/exchange QV"
    do: Literal["exchange"] = "exchange"
    tiles: Letters = ""
    turn: Turn = None


class PassCommand(MoveCommand):
    """End your turn without doing anything."""

    example = "/pass"
    do: Literal["pass"] = "pass"
    turn: Turn = None


class ChallengeCommand(MoveCommand):
    """Doubt the words of the latest play; /r challenges says what you risk."""

    example = "/challenge"
    spelt_out = True
    do: Literal["challenge"] = "challenge"
    word: Name = ""
    turn: Turn = None


class AcceptCommand(MoveCommand):
    """Let the play that ends the game stand."""

    aliases = ("ok",)
    example = "/accept"
    do: Literal["accept"] = "accept"
    turn: Turn = None


class ResignCommand(MoveCommand):
    """Give up the game, on turn or off."""

    example = "/resign"
    spelt_out = True
    do: Literal["resign"] = "resign"
    turn: Turn = None


class RackCommand(QueryCommand):
    """Show your tiles."""

    example = "/rack"
    where = "seated"
    do: Literal["rack"] = "rack"


class ShuffleCommand(QueryCommand):
    """Show your tiles in another order; it helps to see words."""

    example = "/shuffle"
    brief = True
    where = "seated"
    do: Literal["shuffle"] = "shuffle"


class BoardCommand(QueryCommand):
    """Show the board."""

    aliases = ("b", "look", "l")
    example = "/board"
    do: Literal["board"] = "board"


class ScoreCommand(QueryCommand):
    """Show the score sheet: every turn with its points and totals."""

    aliases = ("sheet",)
    example = "/score"
    do: Literal["score"] = "score"


class HistoryCommand(QueryCommand):
    """Show the moves of this game, or the last so many."""

    aliases = ("moves",)
    example = "/history 5"
    do: Literal["history"] = "history"
    last: Annotated[int | None, Field(ge=1, le=999)] = None


class BagCommand(QueryCommand):
    """Show how many tiles the bag holds, and which ones you have not seen."""

    aliases = ("unseen",)
    example = "/bag"
    do: Literal["bag"] = "bag"


class ClockCommand(QueryCommand):
    """Show the time everybody has used, and what is left."""

    example = "/clock"
    do: Literal["clock"] = "clock"


class RulesCommand(QueryCommand):
    """Show the rules of this room, or one section of them."""

    aliases = ("r",)
    example = "/rules scoring"
    where = "anywhere"
    do: Literal["rules"] = "rules"
    section: Name = ""


class HelpCommand(QueryCommand):
    """List the commands, or explain one."""

    aliases = ("h", "?")
    example = "/help play"
    where = "anywhere"
    do: Literal["help"] = "help"
    about: Name = ""


class StateCommand(QueryCommand):
    """Show where the game stands: rack, turn, scores, bag."""

    example = "/state"
    brief = True
    do: Literal["state"] = "state"


class RoomsCommand(TableCommand):
    """List the open rooms."""

    example = "/rooms"
    where = "anywhere"
    do: Literal["rooms"] = "rooms"


class JoinCommand(TableCommand):
    """Enter a room, which opens if it does not exist; a name then takes a free seat.

    PASSWORD is the password of the room, or what an invitation says in its place.
    """

    aliases = ("j", "create")
    example = "/join kitchen"
    where = "anywhere"
    do: Literal["join"] = "join"
    room: Name
    key: Secret = ""


class LeaveCommand(TableCommand):
    """Leave the room. In a game your seat stays yours; /resume brings you back."""

    example = "/leave"
    do: Literal["leave"] = "leave"


class WatchCommand(TableCommand):
    """Give your seat up and watch."""

    example = "/watch"
    where = "named"
    do: Literal["watch"] = "watch"


class SitCommand(TableCommand):
    """Take a free seat, while no game is being played."""

    example = "/sit"
    where = "named"
    do: Literal["sit"] = "sit"


class SeatsCommand(TableCommand):
    """Show who sits where, and who is ready."""

    example = "/seats"
    do: Literal["seats"] = "seats"


class ReadyCommand(TableCommand):
    """Agree to the rules and the word list; when everybody seated has, the game begins."""

    aliases = ("rematch", "start")
    example = "/ready"
    where = "seated"
    do: Literal["ready"] = "ready"
    answer: Literal["yes", "no"] = "yes"


class SetCommand(TableCommand):
    """Show the settings, or change one: of the room, or reader, ansi, language of your lines.

    While no game is being played, preset takes one of the published rule texts, and every other
    setting changes one rule. Each change takes everybody's /ready back. slow is for who keeps
    order, at any time: the seconds between two things that somebody says.
    """

    example = "/set challenge five"
    where = "anywhere"
    do: Literal["set"] = "set"
    setting: Name = ""
    value: Name = ""


class InviteCommand(TableCommand):
    """Show what to send to a friend so that they can join.

    Where newcomers are kept out it makes an invitation: it lets one person in, once, within a day.
    """

    example = "/invite"
    do: Literal["invite"] = "invite"


class WhoCommand(TableCommand):
    """Show who is in the room."""

    aliases = ("w",)
    example = "/who"
    do: Literal["who"] = "who"


class NameCommand(TalkCommand):
    """Say who you are: 1 to 20 letters, digits, - and _.

    CODE proves that a name is yours which is registered here (/register).
    """

    aliases = ("nick",)
    example = "/name alice"
    where = "anywhere"
    do: Literal["name"] = "name"
    name: Name
    code: Annotated[Secret, Field(title="CODE", repr=False)] = ""


class MeCommand(TalkCommand):
    """Say what you do: /me yawns."""

    example = "/me yawns"
    brief = True
    do: Literal["me"] = "me"
    text: Words


class SayCommand(TalkCommand):
    """Talk to the room; a line that is no command does the same."""

    example = "/say good luck"
    brief = True
    do: Literal["say"] = "say"
    text: Words


class TellCommand(TalkCommand):
    """Say something to one person here; nobody else hears it, and it is kept nowhere."""

    aliases = ("msg",)
    example = "/tell bob shall we stop after this game?"
    do: Literal["tell"] = "tell"
    to: Annotated[str, StringConstraints(min_length=1, max_length=64), Field(title="NAME")]
    text: Words


class BotCommand(TableCommand):
    """Seat a built-in opponent, take one away, or list the levels."""

    example = "/bot add greedy"
    where = "named"
    do: Literal["bot"] = "bot"
    action: Literal["add", "remove", "levels"] = "levels"
    what: Name = ""


class ResumeCommand(ConnectionCommand):
    """Come back to your seat with your code, and hear what happened after line number SEQ."""

    example = "/resume k7qm-4ftz-9w2h 9"
    do: Literal["resume"] = "resume"
    code: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    seq: Annotated[int | None, Field(ge=0)] = None


class HelloCommand(ConnectionCommand):
    """Choose how lines look: tags=1 puts stable tags in front of each."""

    example = "/hello tags=1"
    do: Literal["hello"] = "hello"
    tags: Annotated[int, Field(ge=0, le=1), NAMED] = 0


class PingCommand(ConnectionCommand):
    """Ask for a sign of life."""

    example = "/ping"
    do: Literal["ping"] = "ping"


class QuitCommand(ConnectionCommand):
    """Close the connection. In a game your seat stays yours."""

    aliases = ("q", "bye")
    example = "/quit"
    spelt_out = True
    do: Literal["quit"] = "quit"


Union: TypeAlias = (
    PlayCommand | ExchangeCommand | PassCommand | ChallengeCommand | AcceptCommand | ResignCommand
    | RackCommand | ShuffleCommand | BoardCommand | ScoreCommand | HistoryCommand | BagCommand
    | ClockCommand | RulesCommand | HelpCommand | StateCommand | RoomsCommand | JoinCommand
    | LeaveCommand | WatchCommand | SitCommand | SeatsCommand | ReadyCommand | SetCommand
    | InviteCommand | WhoCommand | NameCommand | MeCommand | SayCommand | TellCommand
    | RoleCommand | KickCommand | BanCommand | UnbanCommand | BansCommand | MuteCommand
    | UnmuteCommand | LockCommand | UnlockCommand | BotCommand | TryCommand | RecallCommand
    | CheckCommand | HintCommand | AnalyzeCommand | ExportCommand | ResumeCommand | HelloCommand
    | PingCommand | QuitCommand | UndoCommand | AbortCommand | AdjournCommand | AgreeCommand
    | DeclineCommand | NudgeCommand | StoredCommand | RegisterCommand | StatsCommand | TopCommand
    | GamesCommand
)  # fmt: skip
AnyCommand: TypeAlias = Annotated[Union, Field(discriminator="do")]

COMMAND: TypeAdapter[Union] = TypeAdapter(AnyCommand)

COMMANDS: Final[dict[str, type[Command]]] = {name_of(kind): kind for kind in get_args(Union)}
"""Every command by its name."""

NAMES: Final[dict[str, str]] = {
    name: do for do, kind in COMMANDS.items() for name in (do, *kind.aliases)
}
"""Every name and alias, with the name of the command it stands for."""
