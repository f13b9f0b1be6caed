"""Decides offers: to take a turn back, end a game, adjourn it, or go on with it.

Bots agree to everything, and players who have been away for too long are not asked.
"""

from collections.abc import Container

from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.moves import Abort, Adjourn, Continue, OfficialMove, Undo
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.game.game import Game
from crossroom_engine.game.undo import check_undo
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.offers import (
    AbortCommand,
    AdjournCommand,
    AgreeCommand,
    DeclineCommand,
    UndoCommand,
)
from crossroom_protocol.commands.table import ReadyCommand
from crossroom_protocol.events.offers import Answered, Lapsed, Offered, OfferKind, Returned
from crossroom_protocol.events.room import Agreed
from crossroom_protocol.text.offer_text import OFFER_TEXTS
from crossroom_server.table.offers import OFFER_INTERVAL_MS, OFFER_LIFETIME_MS
from crossroom_server.table.state import CommandContext, Events, Table
from crossroom_server.table.table import apply_official, ready_unchanged


def offer(at: CommandContext, command: UndoCommand | AbortCommand | AdjournCommand) -> Events:
    """Make an offer to the other players; bots and the absent are not asked.

    Raises:
        Refusal: ``OFFER_OPEN`` or ``SLOW_DOWN``, or it makes no sense now.
    """
    seat, game = _player(at)
    table, what, now = at.table, command.do, at.sources.now()
    if table.offer is not None and table.offer.is_open(now):
        if what == table.offer.what and seat in table.offer.waiting:  # two ask for the same
            return _answer(at, agrees=True)
        prose = Phrase("{name} asks to {deal}; /agree or /decline first")
        if table.offer.seat == seat:
            prose = Phrase("you have asked to {deal}; /decline takes that back first")
        deal = OFFER_TEXTS[table.offer.what]
        raise Refusal("OFFER_OPEN", prose, name=table.offer.name, deal=deal)
    _check_possible(game, seat, what)
    seat_state = table.seats[seat]
    if (wait := seat_state.failed_offers.get(what, 0) + OFFER_INTERVAL_MS - now) > 0:
        raise Refusal(
            "SLOW_DOWN",
            "that came to nothing; you may ask to {deal} again in {seconds} s",
            deal=OFFER_TEXTS[what],
            seconds=-(-wait // 1000),
        )
    waiting = tuple(
        other
        for other in game.active
        if other != seat
        and table.seats[other].bot_level is None
        and table.seats[other].member not in at.absent
    )
    offered = Offered(seat, seat_state.name, what, waiting, now, now + OFFER_LIFETIME_MS)
    if waiting:
        return (offered,)
    return (offered, *apply_official(table, _official_move(what, seat), at.sources))


def accept(at: CommandContext, _: AgreeCommand) -> Events:
    """Agree to the offer, which is carried out when all have."""
    return _answer(at, agrees=True)


def decline(at: CommandContext, _: DeclineCommand) -> Events:
    """Decline the offer, or take back one's own."""
    return _answer(at, agrees=False)


def agree_to_continue(at: CommandContext, command: ReadyCommand) -> Events:
    """Be ready to go on with the adjourned game, or not any more; it goes on when all are."""
    seat, _ = _player(at)
    table, ready = at.table, command.answer == "yes"
    if table.seats[seat].agreed == ready:
        raise ready_unchanged(ready=ready)
    said = Agreed(seat, table.seats[seat].name, ready)
    others = (*table.seats[:seat], *table.seats[seat + 1 :])
    if ready and all(other.ready for other in others):
        return (said, *apply_official(table, Continue(), at.sources))
    return (said,)


def _player(at: CommandContext) -> tuple[int, Game]:
    """Return the seat, 0-based, and the game of somebody who plays.

    Raises:
        Refusal: ``NEED_SEAT``, ``NO_GAME``, or they are out of it.
    """
    seat, game = at.table.seat_of(at.person.member), at.table.playing
    if seat is None:
        raise Refusal("NEED_SEAT", "you are watching; this is for the players to settle")
    if game is None:
        raise Refusal("NO_GAME", "no game is being played")
    if game.players[seat].retired:
        raise Refusal("WRONG_PHASE", "you are out of this game; you may watch and talk")
    return seat, game


def lapse_if_due(table: Table, now: int) -> Events:
    """End the open offer if its time is over; *now* in ms since 1970."""
    offer = table.offer
    return (Lapsed(offer.name, offer.what),) if offer and now >= offer.until else ()


def offer_after_restart(table: Table, last: int | None, now: int) -> Events:
    """Revoke every /ready, and renew an offer that was open at *last*, in ms since 1970."""
    offer, revoked = table.offer, revoke_ready(table, ())
    if offer is None or last is None or not offer.is_open(last):
        return revoked
    seat, waiting, until = offer.seat, offer.waiting, now + OFFER_LIFETIME_MS
    return (*revoked, Offered(seat, offer.name, offer.what, waiting, now, until, again=True))


def revoke_ready(table: Table, present: Container[str]) -> Events:
    """Revoke the /ready of all who are not *present*, while a game is adjourned."""
    if table.playing is None or not table.playing.adjourned:
        return ()
    return tuple(
        Agreed(seat, seat_state.name, False)
        for seat, seat_state in enumerate(table.seats)
        if seat_state.agreed and seat in table.playing.active and seat_state.member not in present
    )


def replace_stand_in(table: Table, member: str) -> Events:
    """Let *member* play again in place of the bot that stood in for them, if one did."""
    return tuple(
        Returned(seat, seat_state.name)
        for seat, seat_state in enumerate(table.seats)
        if seat_state.member == member and seat_state.stand_in is not None
    )


def _check_possible(game: Game, seat: int, what: OfferKind) -> None:
    if game.adjourned and what != "abort":
        raise Refusal("ADJOURNED", "the game is adjourned; it goes on when all say /ready")
    if what == "undo":
        try:
            check_undo(game, seat)
        except IllegalMove as error:
            raise Refusal(error.code, error.prose) from None


def _answer(at: CommandContext, *, agrees: bool) -> Events:
    seat, _ = _player(at)
    table, offer, seat_state = at.table, at.table.offer, at.table.seats[seat]
    if offer is None or not offer.is_open(at.sources.now()):
        raise Refusal("NO_OFFER", "nothing is offered now; an offer stands for a minute at most")
    if seat == offer.seat:
        if agrees:
            raise Refusal("NO_OFFER", "the offer is your own; the others answer it")
        return (Lapsed(seat_state.name, offer.what, early=True),)
    if seat not in offer.waiting:
        raise Refusal("NO_OFFER", "you have answered, or were not asked")
    answered = Answered(seat, seat_state.name, offer.what, agrees)
    if not agrees or offer.waiting != (seat,):
        return (answered,)
    return (answered, *apply_official(table, _official_move(offer.what, offer.seat), at.sources))


def _official_move(what: OfferKind, seat: int) -> OfficialMove:
    match what:
        case "undo":
            return Undo(seat)
        case "abort":
            return Abort()
        case "adjourn":
            return Adjourn("agreed")
