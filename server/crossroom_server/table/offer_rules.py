"""What players do together: take a turn back, end a game, stop it, and go on with it.

Decided like everything at a table (:mod:`crossroom_server.table.table`): nothing here changes
anything. Bots agree to whatever the people do, and whoever has been away for too long is not asked.
"""

from collections.abc import Container
from typing import Final, TypeAlias

from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.moves import Abort, Adjourn, Continue, OfficialMove, Undo
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.game.game import Game
from crossroom_engine.game.undo import check_undo
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands import offers as ask
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.table import ReadyCommand
from crossroom_protocol.events.offers import Answered, Lapsed, Offered, OfferKind, Returned
from crossroom_protocol.events.room import Agreed, RoomEvent
from crossroom_protocol.text.offer_text import OFFER_TEXTS
from crossroom_server.table.offers import INTERVAL, LIFETIME
from crossroom_server.table.state import Person, Sources, Table
from crossroom_server.table.table import attend

Happenings: TypeAlias = tuple[RoomEvent, ...]

_OFFERS: Final = (ask.UndoCommand, ask.AbortCommand, ask.AdjournCommand)
_ANSWERS: Final = (ask.AgreeCommand, ask.DeclineCommand)


def concerns(command: Command, table: Table) -> bool:
    """Is this about an offer, or about going on with an adjourned game?"""
    rests = table.playing is not None and table.playing.adjourned
    return isinstance(command, (*_OFFERS, *_ANSWERS)) or (
        rests and isinstance(command, ReadyCommand)
    )


def decide(
    table: Table, person: Person, command: Command, gone: Container[str], sources: Sources
) -> Happenings:
    """What happens when *person* makes an offer or answers one; *gone* are members not asked.

    Raises:
        Refusal: it may not be done; the table is as it was.
    """
    seat, game = table.chair_of(person.member), table.playing
    if seat is None:
        raise Refusal("NEED_SEAT", "you are watching; this is for the players to settle")
    if game is None:
        raise Refusal("NO_GAME", "no game is being played")
    if game.players[seat].retired:
        raise Refusal("WRONG_PHASE", "you are out of this game; you may watch and talk")
    match command:
        case ReadyCommand(answer=answer):
            return _return(table, seat, answer == "yes", sources)
        case ask.AgreeCommand() | ask.DeclineCommand():
            return _answer(table, seat, isinstance(command, ask.AgreeCommand), sources)
        case ask.UndoCommand() | ask.AbortCommand() | ask.AdjournCommand():
            return _offer(table, game, seat, command.do, gone, sources)
        case _:
            raise AssertionError(f"/{command.do} is no offer")


def lapse(table: Table, now: int) -> Happenings:
    """The open offer ends if its time is over; *now* in ms since 1970."""
    offer = table.offer
    return (Lapsed(offer.name, offer.what),) if offer and now >= offer.until else ()


def reopened(table: Table, last: int | None, now: int) -> Happenings:
    """After a restart nobody is there yet, and an offer open at the time *last* stands again."""
    return (*unready(table, ()), *_renewed(table, last, now))


def _renewed(table: Table, last: int | None, now: int) -> Happenings:
    offer = table.offer
    if offer is None or last is None or not offer.is_open(last):
        return ()
    seat, waiting, until = offer.seat, offer.waiting, now + LIFETIME
    return (Offered(seat, offer.name, offer.what, waiting, now, until, again=True),)


def unready(table: Table, present: Container[str]) -> Happenings:
    """While a game is adjourned, those who are not *present* cannot be ready to go on with it."""
    if table.playing is None or not table.playing.adjourned:
        return ()
    return tuple(
        Agreed(seat, chair.name, False)
        for seat, chair in enumerate(table.chairs)
        if chair.agreed and seat in table.playing.active and chair.member not in present
    )


def take_over(table: Table, member: str) -> Happenings:
    """Somebody plays again in place of the bot that stood in for them, if one did."""
    return tuple(
        Returned(seat, chair.name)
        for seat, chair in enumerate(table.chairs)
        if chair.member == member and chair.stand_in is not None
    )


def _offer(
    table: Table, game: Game, seat: int, what: OfferKind, gone: Container[str], sources: Sources
) -> Happenings:
    now, chair = sources.now(), table.chairs[seat]
    if table.offer is not None and table.offer.is_open(now):
        if what == table.offer.what and seat in table.offer.waiting:  # two ask for the same
            return _answer(table, seat, True, sources)
        prose = Phrase("{name} asks to {deal}; /agree or /decline first")
        if table.offer.seat == seat:
            prose = Phrase("you have asked to {deal}; /decline takes that back first")
        deal = OFFER_TEXTS[table.offer.what]
        raise Refusal("OFFER_OPEN", prose, name=table.offer.name, deal=deal)
    _check_sense(game, seat, what)
    if chair.offered is not None and now < chair.offered + INTERVAL:
        seconds = -(-(chair.offered + INTERVAL - now) // 1000)
        raise Refusal(
            "SLOW_DOWN", "one offer a minute; wait {seconds} s for the next", seconds=seconds
        )
    waiting = tuple(
        other
        for other in game.active
        if other != seat
        and table.chairs[other].mind is None
        and table.chairs[other].member not in gone
    )
    offered = Offered(seat, chair.name, what, waiting, now, now + LIFETIME)
    return (offered,) if waiting else (offered, *attend(table, _duty(what, seat), sources))


def _check_sense(game: Game, seat: int, what: OfferKind) -> None:
    if game.adjourned and what != "abort":
        raise Refusal("ADJOURNED", "the game is adjourned; it goes on when all say /ready")
    if what == "undo":
        try:
            check_undo(game, seat)
        except IllegalMove as error:
            raise Refusal(error.code, error.prose) from None


def _answer(table: Table, seat: int, agrees: bool, sources: Sources) -> Happenings:
    offer, chair = table.offer, table.chairs[seat]
    if offer is None or not offer.is_open(sources.now()):
        raise Refusal("NO_OFFER", "nothing is offered now; an offer stands for a minute at most")
    if seat == offer.seat:
        if agrees:
            raise Refusal("NO_OFFER", "the offer is your own; the others answer it")
        return (Lapsed(chair.name, offer.what, early=True),)
    if seat not in offer.waiting:
        raise Refusal("NO_OFFER", "you have answered, or were not asked")
    answered = Answered(seat, chair.name, offer.what, agrees)
    if not agrees or offer.waiting != (seat,):
        return (answered,)
    return (answered, *attend(table, _duty(offer.what, offer.seat), sources))


def _duty(what: OfferKind, seat: int) -> OfficialMove:
    match what:
        case "undo":
            return Undo(seat)
        case "abort":
            return Abort()
        case "adjourn":
            return Adjourn("agreed")


def _return(table: Table, seat: int, ready: bool, sources: Sources) -> Happenings:
    """Somebody is ready to go on with the adjourned game, or not any more."""
    chair = table.chairs[seat]
    if chair.agreed == ready:
        if ready:
            raise Refusal("BAD_ARGS", "you have said so; waiting for the others")
        raise Refusal("BAD_ARGS", "you are not ready")
    said = Agreed(seat, chair.name, ready)
    others = (other for at, other in enumerate(table.chairs) if at != seat)
    if ready and all(other.ready for other in others):
        return (said, *attend(table, Continue(), sources))
    return (said,)
