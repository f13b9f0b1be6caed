"""What the log says of offers and of those who stay away."""

from collections.abc import Sequence
from typing import Final, assert_never

from crossroom_protocol.notices import Offering, RoomView
from crossroom_protocol.offer_events import (
    Answered,
    Deal,
    Lapsed,
    Offered,
    OfferEvent,
    Returned,
    StoodIn,
)
from crossroom_protocol.wording import both, counted

DEALS: Final[dict[Deal, str]] = {
    "undo": "take the latest turn back",
    "abort": "end the game without a result",
    "adjourn": "adjourn the game",
}
"""What is asked for: ``alice asks to adjourn the game``."""


def tell_offer(event: OfferEvent, room: RoomView) -> str:
    """The sentence about *event*; *room* is as it was right after."""
    match event:
        case Offered(_, name, what, asked, since, until, again):
            if not asked:
                return f"{name} wants to {DEALS[what]}, and nobody has to be asked"
            names = [room.seats[seat].name for seat in asked]
            within = counted(round((until - since) / 1000), "second")
            asks = "still asks" if again else "asks"
            return f"{name} {asks} to {DEALS[what]}: {_choice(names)} within {within}"
        case Answered(_, name, what, agrees):
            if not agrees:
                return f"{name} declines to {DEALS[what]}; the game goes on"
            waiting = f"; waiting for {both(room.offer.waiting)}" if room.offer else ""
            return f"{name} agrees to {DEALS[what]}{waiting}"
        case Lapsed(name, what, early=True):
            return f"{name} takes back the offer to {DEALS[what]}"
        case Lapsed(name, what):
            return f"the offer of {name} to {DEALS[what]} was not answered in time"
        case StoodIn(_, name, bot):
            return f"{name} stays away; until they are back, a bot plays for them, level {bot}"
        case Returned(_, name):
            return f"{name} plays again, in place of the bot"
        case _:
            assert_never(event)


def standing_offer(offer: Offering) -> str:
    """An offer that is open, for somebody who comes back."""
    return f"{offer.name} asks to {DEALS[offer.what]}: {_choice(offer.waiting)}"


def _choice(names: Sequence[str]) -> str:
    return f"{both(names)}, /agree or /decline"
