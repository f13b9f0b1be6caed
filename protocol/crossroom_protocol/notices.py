"""Everything the server tells a client. The same models feed plain lines, tags and JSON."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Final, Literal, TypeAlias, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.game.views import View
from crossroom_protocol.base.translate import ENGLISH
from crossroom_protocol.events.offers import OfferKind
from crossroom_protocol.events.results import FinishedGame, Profile, RankedPlayer
from crossroom_protocol.events.room import RoomEvent

Role: TypeAlias = Literal["watcher", "player", "moderator", "owner"]
"""The roles of people in a room."""
ROLES: Final[tuple[Role, ...]] = get_args(Role)
"""From the lowest to the highest: each keeps order among those before them only."""

PROTOCOL_VERSION: Literal[1] = 1


def _keep_phrase(text: object, check: ValidatorFunctionWrapHandler) -> str:
    """A phrase as it is, where pydantic would make a plain text of it."""
    return text if isinstance(text, Phrase) else check(text)


Sentence: TypeAlias = Annotated[str, WrapValidator(_keep_phrase)]
"""A line for people; while it is a phrase, it can be said in their language."""


class SeatView(BaseModel):
    """One seat of a room. ``here``: connected now (a bot always is).

    ``stand_in`` is the level of the bot that plays while somebody stays away. ``program``: they
    have said that they are a program (/bot me).
    """

    model_config = ConfigDict(frozen=True)

    name: str
    ready: bool
    here: bool
    bot: str | None = None
    stand_in: str | None = None
    program: bool = False


class OpenOffer(BaseModel):
    """An offer that is open: what ``name`` asks for, who has still to answer, and until when.

    ``until`` is in ms since 1970.
    """

    model_config = ConfigDict(frozen=True)

    what: OfferKind
    name: str
    waiting: tuple[str, ...]
    until: int


class RoomView(BaseModel):
    """A room as one reader may see it.

    ``seat`` (0-based) and ``name`` are the reader's own, None if none; ``seq`` is the number of the
    newest entry of the log. ``game`` is the game on the table, over or not. ``role`` is what the
    reader is; ``owner`` and ``moderators`` are names. ``door`` says how newcomers come in: freely,
    with a password or an invitation, or with an invitation only. ``page`` is the last part of the
    address ``/g/...`` at which the game on the table is kept, once it is over; else empty.
    """

    model_config = ConfigDict(frozen=True)

    room: str
    seq: int
    name: str | None
    seat: int | None
    seats: tuple[SeatView, ...]
    watchers: tuple[str, ...]
    preset: str
    lexicon: str
    games: int
    game: View | None
    role: Role = "watcher"
    owner: str | None = None
    moderators: tuple[str, ...] = ()
    door: Literal["open", "password", "invitation"] = "open"
    offer: OpenOffer | None = None
    page: str = ""


class Notice(BaseModel):
    """Base of all notices. ``mark`` is the first character of its plain lines."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    mark: ClassVar[str]


class Welcome(Notice):
    """You are in a room (or, with ``room`` None, at the door)."""

    mark = "-"
    tell: Literal["welcome"] = "welcome"
    protocol: int = PROTOCOL_VERSION
    features: tuple[str, ...] = ("tags", "json", "resume")
    room: RoomView | None
    rules: Ruleset | None


class Happened(Notice):
    """An entry of the room's log, as this reader may hear it, and what the room is then."""

    mark = "*"
    tell: Literal["event"] = "event"
    seq: int
    at: int
    event: Annotated[RoomEvent, Field(discriminator="kind")]
    room: RoomView


class YourState(Notice):
    """Your rack and where the game stands. Idempotent; not part of the log."""

    mark = "="
    tell: Literal["state"] = "state"
    room: RoomView


class YourTurn(Notice):
    """It is on you to act."""

    mark = "?"
    tell: Literal["turn"] = "turn"
    room: RoomView


class YourName(Notice):
    """Your name here, and the secret that brings you back. Nobody else is ever told it.

    ``registered``: the name is yours on this server.
    """

    mark = "-"
    tell: Literal["name"] = "name"
    name: str
    code: str
    registered: bool = False


class YourRegistration(Notice):
    """The name is yours on this server, and ``code`` proves it. Nobody is ever told it again."""

    mark = "-"
    tell: Literal["registered"] = "registered"
    name: str
    code: str


class YourStats(Notice):
    """The record of a player; the paths of pages continue ``address``."""

    mark = "-"
    tell: Literal["stats"] = "stats"
    profile: Profile
    address: str


class WaitingGame(BaseModel):
    """A game that is not over; ``left`` are the seconds that the player on turn has, if limited."""

    model_config = ConfigDict(frozen=True)

    room: str
    on_turn: str
    is_yours: bool
    is_adjourned: bool = False
    left: int | None = None


class YourTurns(Notice):
    """Your games that are not over, those first in which you are to move, by the time left."""

    mark = "-"
    tell: Literal["turns"] = "turns"
    name: str
    games: tuple[WaitingGame, ...]


class TopPlayers(Notice):
    """The strongest players under one preset of the rules, the best first."""

    mark = "-"
    tell: Literal["top"] = "top"
    preset: str
    players: tuple[RankedPlayer, ...]


class GameList(Notice):
    """Games that were played in this room, the newest first; their pages are at ``address``."""

    mark = "-"
    tell: Literal["games"] = "games"
    room: str
    games: tuple[FinishedGame, ...]
    address: str


class CaughtUp(Notice):
    """You have heard everything up to ``seq`` and are in the room again, under these rules."""

    mark = "-"
    tell: Literal["live"] = "live"
    room_name: str
    seq: int
    rules: Ruleset


class Note(Notice):
    """Something for people to read; ``lines`` one by one."""

    mark = "-"
    tell: Literal["note"] = "note"
    about: str = "note"
    lines: tuple[Sentence, ...]


class Invitation(Notice):
    """An invitation to send to a friend: ``lines`` for each kind of client, ``page`` for a browser.

    Where the room is locked, both have in them what lets one person in, once.
    """

    mark = "-"
    tell: Literal["invitation"] = "invitation"
    page: str
    lines: tuple[str, ...]


class SeatLink(Notice):
    """A link that takes your seat to another device, once: ``page`` for a browser.

    ``lines`` say the same for each kind of client. ``squares`` is the page's address as a QR code:
    a row of 0 and 1 each, 1 is dark, without a border.
    """

    mark = "-"
    tell: Literal["seat_link"] = "seat_link"
    page: str
    lines: tuple[str, ...]
    squares: tuple[str, ...]


class Picture(Notice):
    """Drawn text: a board, a score sheet, a record. Not for programs to parse.

    ``spoken`` says the same in sentences, for those who listen; empty if the lines do already.
    """

    mark = "|"
    tell: Literal["picture"] = "picture"
    about: str
    lines: tuple[str, ...]
    spoken: tuple[str, ...] = ()


class Tried(Notice):
    """The worth of a play: ``spot`` and ``text`` as it would be written down, ``points``.

    ``at`` and ``word`` are what was asked. ``words`` are all that it makes, the main word first.
    ``good``: are they all in the word list? None where the rules leave that to the players.
    """

    mark = "-"
    tell: Literal["tried"] = "tried"
    at: str
    word: str
    spot: str
    text: str
    words: tuple[str, ...]
    points: int
    good: bool | None


class ReplayedEntry(BaseModel):
    """An entry of the log that was told before; ``plain`` is how, marks included."""

    model_config = ConfigDict(frozen=True)

    seq: int
    at: int
    event: Annotated[RoomEvent, Field(discriminator="kind")]
    plain: tuple[str, ...]


class Recalled(Notice):
    """Entries of the log, the oldest first, as you would have heard them."""

    mark = "*"
    tell: Literal["recalled"] = "recalled"
    entries: tuple[ReplayedEntry, ...]


class Refused(Notice):
    """No, and why. ``code`` is for programs, ``text`` for people."""

    mark = "!"
    tell: Literal["refused"] = "refused"
    code: str
    command: str
    text: Sentence


class Done(Notice):
    """A labelled command has been carried out; all its answers came before."""

    mark = "."
    tell: Literal["done"] = "done"


AnyNotice: TypeAlias = (
    Welcome
    | Happened
    | YourState
    | YourTurn
    | YourName
    | CaughtUp
    | Note
    | Picture
    | Tried
    | Recalled
    | Refused
    | Done
    | YourRegistration
    | YourStats
    | YourTurns
    | TopPlayers
    | GameList
    | Invitation
    | SeatLink
)
NOTICE: TypeAdapter[AnyNotice] = TypeAdapter(Annotated[AnyNotice, Field(discriminator="tell")])


BoardSetting: TypeAlias = Literal["each", "mine", "off"]
DISPLAY_SETTINGS: Final = ("reader", "ansi", "language", "width", "board")
"""The settings of /set that change one person's own lines."""


@dataclass(frozen=True)
class ReaderSettings:
    """The format that one reader wants. ``mode`` is the encoding, the others are for prose.

    ``language`` is one of :data:`crossroom_protocol.base.translate.LANGUAGES`, or its variant for
    the page (:func:`~crossroom_protocol.base.translate.page_language`). ``width`` is the number of
    characters after which plain lines are wrapped, 0 for never. ``board`` says when the board comes
    by itself: after each move, in one's own turn, or never; None leaves it to :attr:`shown_board`.
    """

    mode: Literal["plain", "tags", "json"] = "plain"
    reader: bool = False
    ansi: bool = False
    language: str = ENGLISH
    width: int = 0
    board: BoardSetting | None = None

    @cached_property
    def kind(self) -> tuple[object, ...]:
        """Equal for readers who are told the same things in the same words; quick to look up."""
        return self.mode, self.reader, self.ansi, self.language, self.width

    @cached_property
    def has_short_lines(self) -> bool:
        """Are moves told in short lines, and not in sentences?"""
        return not self.reader and self.mode != "json"

    @property
    def shown_board(self) -> BoardSetting:
        """When the board comes by itself: unless told otherwise, in plain mode in one's turn."""
        if self.mode == "json":
            return "off"
        return self.board or ("mine" if self.mode == "plain" and not self.reader else "off")
