"""What the log says of offers and of those who stay away."""

from collections.abc import Sequence
from typing import Final, assert_never

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import say
from crossroom_protocol.base.wording import both, counted
from crossroom_protocol.events.offers import (
    Answered,
    Deal,
    Lapsed,
    Offered,
    OfferEvent,
    Returned,
    StoodIn,
)
from crossroom_protocol.notices import Offering, RoomView

DEALS: Final[dict[Deal, str]] = {
    "undo": Phrase("take the latest turn back"),
    "abort": Phrase("end the game without a result"),
    "adjourn": Phrase("adjourn the game"),
}
"""What is asked for: ``alice asks to adjourn the game``."""


def tell_offer(event: OfferEvent, room: RoomView) -> str:
    """The sentence about *event*; *room* is as it was right after."""
    match event:
        case Offered(_, name, what, asked, since, until, again):
            if not asked:
                return say(
                    "{name} wants to {deal}, and nobody has to be asked",
                    name=name,
                    deal=DEALS[what],
                )
            names = [room.seats[seat].name for seat in asked]
            within = counted(round((until - since) / 1000), "second")
            template = Phrase("{name} asks to {deal}: {choice} within {within}")
            if again:
                template = Phrase("{name} still asks to {deal}: {choice} within {within}")
            deal = DEALS[what]
            return say(template, name=name, deal=deal, choice=_choice(names), within=within)
        case Answered(_, name, what, agrees):
            if not agrees:
                return say(
                    "{name} declines to {deal}; the game goes on", name=name, deal=DEALS[what]
                )
            waiting = (
                say("; waiting for {waiting}", waiting=both(room.offer.waiting))
                if room.offer
                else ""
            )
            return say("{name} agrees to {deal}", name=name, deal=DEALS[what]) + waiting
        case Lapsed(name, what, early=True):
            return say("{name} takes back the offer to {deal}", name=name, deal=DEALS[what])
        case Lapsed(name, what):
            return say(
                "the offer of {name} to {deal} was not answered in time",
                name=name,
                deal=DEALS[what],
            )
        case StoodIn(_, name, bot):
            return say(
                "{name} stays away; until they are back, a bot plays for them, level {bot}",
                name=name,
                bot=bot,
            )
        case Returned(_, name):
            return say("{name} plays again, in place of the bot", name=name)
        case _:
            assert_never(event)


def standing_offer(offer: Offering) -> str:
    """An offer that is open, for somebody who comes back."""
    return say(
        "{name} asks to {deal}: {choice}",
        name=offer.name,
        deal=DEALS[offer.what],
        choice=_choice(offer.waiting),
    )


def _choice(names: Sequence[str]) -> str:
    return say("{names}, /agree or /decline", names=both(names))
