"""Entries of a room's log about offers between players, and about those who stay away."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

OfferKind: TypeAlias = Literal["undo", "abort", "adjourn"]
"""The kinds of offers, by the name of the command."""


@dataclass(frozen=True)
class Offered:
    """A player asks for something to which the seats ``asked`` must agree before ``until``.

    Both ``since`` and ``until`` are in ms since 1970. It stands ``again`` if it was open when the
    server stopped. With nobody to ask it is done at once.
    """

    seat: int
    name: str
    what: OfferKind
    asked: tuple[int, ...]
    since: int
    until: int
    again: bool = False
    kind: Literal["offered"] = "offered"


@dataclass(frozen=True)
class Answered:
    """Somebody who was asked agrees or declines; one who declines ends the offer."""

    seat: int
    name: str
    what: OfferKind
    agrees: bool
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True)
class Lapsed:
    """The offer of ``name`` is no more: taken back (``early``), or not answered in time."""

    name: str
    what: OfferKind
    early: bool = False
    kind: Literal["lapsed"] = "lapsed"


@dataclass(frozen=True)
class StoodIn:
    """The player on ``seat`` stays away; until they return, a bot of that level plays for them."""

    seat: int
    name: str
    bot: str
    kind: Literal["stood_in"] = "stood_in"


@dataclass(frozen=True)
class Returned:
    """The player on ``seat`` is back, and plays again in place of the bot."""

    seat: int
    name: str
    kind: Literal["returned"] = "returned"


OfferEvent: TypeAlias = Offered | Answered | Lapsed | StoodIn | Returned
