"""Applies offers and stand-ins to a table; see :mod:`crossroom_server.table.offer_rules`."""

from typing import Final, assert_never

from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.units import MINUTE_MS
from crossroom_protocol.events.offers import (
    Answered,
    Lapsed,
    Offered,
    OfferEvent,
    Returned,
    StoodIn,
)
from crossroom_server.table.state import Offer, Table, with_seat

OFFER_LIFETIME_MS: Final = MINUTE_MS
"""Time for which an offer may be answered, in ms."""
OFFER_INTERVAL_MS: Final = MINUTE_MS
"""Minimum time from an offer that came to nothing to the next one alike of that person, in ms."""


def apply_offer(table: Table, what: OfferEvent) -> Table:
    """Return the table after *what*."""
    match what:
        case Offered(seat, name, deal, asked, until=until):
            return replace(table, offer=Offer(deal, seat, name, asked, until) if asked else None)
        case Answered(seat, agrees=True) if table.offer is not None:
            waiting = tuple(other for other in table.offer.waiting if other != seat)
            offer = replace(table.offer, waiting=waiting) if waiting else None
            return replace(table, offer=offer)
        case Answered() | Lapsed():
            return replace(_with_failed_offer(table), offer=None)
        case StoodIn(seat, _, level):
            return with_seat(table, seat, stand_in=level)
        case Returned(seat):
            return with_seat(table, seat, stand_in=None)
        case _:
            assert_never(what)


def _with_failed_offer(table: Table) -> Table:
    """Return the table that remembers when the offer was made that nobody took."""
    if (offer := table.offer) is None:
        return table
    made = offer.until - OFFER_LIFETIME_MS
    failed = {**table.seats[offer.seat].failed_offers, offer.what: made}
    return with_seat(table, offer.seat, failed_offers=failed)


def end_offers(table: Table) -> Table:
    """Return the table without the offers and agreements that a move of its game has ended.

    The next turn ends an offer to take the last one back. An end or an adjournment ends every
    offer; then bots stop playing for people, and everybody still in the game must agree anew.
    """
    game, offer = table.game, table.offer
    if offer is not None and offer.what == "undo" and game and game.undoable != offer.seat:
        table = replace(table, offer=None)
    if game is None or not (game.phase == "over" or game.adjourned):
        return table
    for seat, seat_state in enumerate(table.seats):
        out = game.adjourned and game.players[seat].retired
        if (seat_state.agreed, seat_state.stand_in) != (out, None):
            table = with_seat(table, seat, agreed=out, stand_in=None)
    return replace(table, offer=None)
