"""Tell offers, and those who stay away, to people."""

from collections.abc import Sequence
from typing import Final, assert_never

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_count, join_and
from crossroom_protocol.events.offers import (
    Answered,
    Lapsed,
    Offered,
    OfferEvent,
    OfferKind,
    Returned,
    StoodIn,
)
from crossroom_protocol.notices import OpenOffer, RoomView

OFFER_TEXTS: Final[dict[OfferKind, str]] = {
    "undo": Phrase("take the latest turn back"),
    "abort": Phrase("end the game without a result"),
    "adjourn": Phrase("adjourn the game"),
}
"""The texts of offers: ``alice asks to adjourn the game``."""


def offer_line(event: OfferEvent, room: RoomView) -> str:
    """The sentence about *event*; *room* is as it was right after."""
    match event:
        case Offered(_, name, what, asked, since, until, again):
            if not asked:
                return gettext(
                    "{name} wants to {deal}; nobody else needs to agree",
                    name=name,
                    deal=OFFER_TEXTS[what],
                )
            names = [room.seats[seat].name for seat in asked]
            within = format_count(round((until - since) / 1000), "second")
            template = Phrase("{name} asks to {deal}: {choice} within {within}")
            if again:
                template = Phrase("{name} still asks to {deal}: {choice} within {within}")
            deal = OFFER_TEXTS[what]
            return gettext(template, name=name, deal=deal, choice=_choice(names), within=within)
        case Answered(_, name, what, agrees):
            if not agrees:
                return gettext(
                    "{name} declines to {deal}; the game goes on", name=name, deal=OFFER_TEXTS[what]
                )
            waiting = (
                gettext("; waiting for {waiting}", waiting=join_and(room.offer.waiting))
                if room.offer
                else ""
            )
            return gettext("{name} agrees to {deal}", name=name, deal=OFFER_TEXTS[what]) + waiting
        case Lapsed(name, what, early=True):
            return gettext(
                "{name} takes back the offer to {deal}", name=name, deal=OFFER_TEXTS[what]
            )
        case Lapsed(name, what):
            return gettext(
                "the offer of {name} to {deal} was not answered in time",
                name=name,
                deal=OFFER_TEXTS[what],
            )
        case StoodIn(_, name, bot):
            return gettext(
                "{name} stays away; until they are back, a bot plays for them, level {bot}",
                name=name,
                bot=bot,
            )
        case Returned(_, name):
            return gettext("{name} plays again, in place of the bot", name=name)
        case _:
            assert_never(event)


def open_offer_line(offer: OpenOffer) -> str:
    """An offer that is open, for somebody who comes back."""
    return gettext(
        "{name} asks to {deal}: {choice}",
        name=offer.name,
        deal=OFFER_TEXTS[offer.what],
        choice=_choice(offer.waiting),
    )


def _choice(names: Sequence[str]) -> str:
    return gettext("{names}, /agree or /decline", names=join_and(names))
