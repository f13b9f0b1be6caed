"""What offers do to a table, entry by entry of its log, and who sits where meanwhile.

:mod:`crossroom_server.table.table` calls this; what may be offered and answered is decided in
:mod:`crossroom_server.table.offer_rules`.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, assert_never

from crossroom_protocol.events.offers import (
    Answered,
    Lapsed,
    Offered,
    OfferEvent,
    OfferKind,
    Returned,
    StoodIn,
)

if TYPE_CHECKING:
    from crossroom_server.table.table import Table

LIFETIME: Final = 60_000
"""How long an offer may be answered, in ms."""
INTERVAL: Final = 60_000
"""The time between two offers of one person, in ms."""


@dataclass(frozen=True)
class Offer:
    """What ``seat`` asks for; ``waiting`` are the seats that have still to agree.

    ``until`` is in ms since 1970.
    """

    what: OfferKind
    seat: int
    name: str
    waiting: tuple[int, ...]
    until: int

    def is_open(self, now: int) -> bool:
        """May it still be answered at the time *now*, in ms since 1970?"""
        return now < self.until


def after_offer(table: "Table", what: OfferEvent) -> "Table":
    """The table after *what*."""
    match what:
        case Offered(seat, name, deal, asked, since, until):
            offer = Offer(deal, seat, name, asked, until) if asked else None
            return replace(_with_chair(table, seat, offered=since), offer=offer)
        case Answered(seat, agrees=True) if table.offer is not None:
            waiting = tuple(other for other in table.offer.waiting if other != seat)
            offer = replace(table.offer, waiting=waiting) if waiting else None
            return replace(table, offer=offer)
        case Answered() | Lapsed():
            return replace(table, offer=None)
        case StoodIn(seat, _, level):
            return _with_chair(table, seat, stand_in=level)
        case Returned(seat):
            return _with_chair(table, seat, stand_in=None)
        case _:
            assert_never(what)


def after_moves(table: "Table") -> "Table":
    """The table when its game has gone on, ended, or been adjourned.

    The next turn ends an offer to take the last one back. An end or an adjournment ends every
    offer; then bots stop playing for people, and everybody still in the game must agree anew.
    """
    game, offer = table.game, table.offer
    if offer is not None and offer.what == "undo" and game and game.undoable != offer.seat:
        table = replace(table, offer=None)
    if game is None or not (game.phase == "over" or game.adjourned):
        return table
    for seat, chair in enumerate(table.chairs):
        out = game.adjourned and game.players[seat].retired
        if (chair.agreed, chair.stand_in) != (out, None):
            table = _with_chair(table, seat, agreed=out, stand_in=None)
    return replace(table, offer=None)


def _with_chair(table: "Table", seat: int, **changes: Any) -> "Table":
    chairs = list(table.chairs)
    chairs[seat] = replace(chairs[seat], **changes)
    return replace(table, chairs=tuple(chairs))
