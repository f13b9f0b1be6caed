"""The lines that say what may be done now, and what the tentative play would earn. Pure."""

from typing import Final

from crossroom_clients.tui.board_render import Piece
from crossroom_clients.tui.placement import TentativePlay
from crossroom_clients.tui.state import TableState
from crossroom_engine.core.board import Premium
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.tiles import Letter
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_count, format_spot, join_and, strip_brackets
from crossroom_protocol.notices import OpenOffer, Refused, RoomView, Tried
from crossroom_protocol.text.board_text import EMPTY_SQUARE
from crossroom_protocol.text.offer_text import OFFER_TEXTS
from crossroom_protocol.text.premiums import premium_name
from crossroom_protocol.text.rules_text import rules_lines
from crossroom_protocol.text.status_text import result_text

LOST_PROMPT: Final = Phrase("not connected; trying again …")
ENTERING_PROMPT: Final = Phrase("joining …")
AT_DOOR_PROMPT: Final = Phrase("type a room name to join or create it   /rooms lists them")
PASSWORD_PROMPT: Final = Phrase(
    "the room is locked: type its password, which is not shown; Enter alone: another room"
)
NAME_PROMPT: Final = Phrase("type the name you play under; Enter alone if you only watch")
SUGGESTED_NAME_PROMPT: Final = Phrase(
    "Enter takes {name}; or type another name   /watch only watches"
)


def prompt(
    state: TableState,
    now: int,
    *,
    wait: str,
    unnamed: bool,
    suggested: str,
    is_locked: bool,
    laid: bool,
    at_board: bool,
) -> Piece:
    """Say what is going on and what may be done, at *now* (the server's time, in ms).

    ``wait`` is why nothing may be, if so. ``suggested`` is the name that Enter alone takes;
    ``is_locked``: is a password asked for? ``laid``: do tiles lie on the board that are not played
    yet? ``at_board``: do keys lay tiles, or write a line?
    """
    room = state.room
    if wait:
        return gettext(wait), "trouble"
    if room is None:
        return gettext(PASSWORD_PROMPT if is_locked else AT_DOOR_PROMPT), "own"
    if state.moment is not None:
        return _looking_back(state), "own"
    if room.offer is not None and state.no():
        return _offer(room.offer, room.name, now), "turn"
    if unnamed:
        told = gettext(SUGGESTED_NAME_PROMPT, name=suggested) if suggested else gettext(NAME_PROMPT)
        return told, "turn"
    return _turn(state, room, laid, at_board) if state.is_playing else _between(state, room)


def _looking_back(state: TableState) -> str:
    moments = state.history.moments
    at = state.moment or 0
    where = (
        gettext("move {at} of {moments}", at=at, moments=len(moments) - 1)
        if at
        else gettext("the beginning")
    )
    return gettext(
        "looking back at {where}: PgUp older, PgDn newer, End back to the game", where=where
    )


def _offer(offer: OpenOffer, name: str | None, now: int) -> str:
    left = format_count(max(0, (offer.until - now) // 1000), "second")
    if name == offer.name:
        return gettext(
            "you ask to {deal}; {waiting} may answer for {left}; Ctrl+N takes it back",
            deal=OFFER_TEXTS[offer.what],
            waiting=join_and(offer.waiting),
            left=left,
        )
    return gettext(
        "{name} asks to {deal}: Ctrl+Y agrees, Ctrl+N declines ({left})",
        name=offer.name,
        deal=OFFER_TEXTS[offer.what],
        left=left,
    )


def _turn(state: TableState, room: RoomView, laid: bool, at_board: bool) -> Piece:
    game = state.game
    assert game is not None
    play = game.open_play if "challenge" in game.options else None
    doubt = (
        gettext("F5 challenges {words}", words=strip_brackets(play.words)[0])
        if play is not None
        else ""
    )
    if game.adjourned:
        agree = gettext("Ctrl+Y when you are") if state.yes() else _waiting(room)
        return gettext("the game is adjourned until all are ready; {agree}", agree=agree), "own"
    if "accept" in game.options and play is not None:
        name = game.players[play.seat].name
        return gettext(
            "{name}'s play ends the game: Ctrl+Y lets it stand; {doubt}", name=name, doubt=doubt
        ), "turn"
    if game.phase == "last_word":
        waiting = join_and([game.players[seat].name for seat in game.awaited])
        return gettext("the last play waits for {waiting}", waiting=waiting), "own"
    if state.is_yours and state.is_sending:
        return gettext("your turn {turn}: sending …", turn=game.turn), "own"
    if state.is_yours:
        how = gettext("Enter plays") if laid else gettext("type on the board")
        how = how if at_board else gettext("Tab goes to the board")
        return _joined(gettext("your turn {turn}: {how}", turn=game.turn, how=how), doubt), "turn"
    whose = gettext(
        "{name} to move (turn {turn})", name=game.players[game.on_turn].name, turn=game.turn
    )
    watching = gettext("you watch") if room.seat is None else ""
    return _joined(whose, watching, doubt), "own"


def _between(state: TableState, room: RoomView) -> Piece:
    over = f"{result_text(state.game)}; " if state.game is not None else ""
    if room.seat is None:
        return over + gettext("you watch; /sit takes a free seat"), "own"
    if state.yes():
        again = gettext("another game") if state.game is not None else gettext("the rules (/rules)")
        return over + gettext(
            "Ctrl+Y when you agree to {again}; /bot add seats a bot", again=again
        ), "turn"
    return over + gettext("you are ready; {waiting}", waiting=_waiting(room)), "own"


def _waiting(room: RoomView) -> str:
    missing = [seat.name for seat in room.seats if not seat.ready]
    if not missing:
        return gettext("a game takes two: /invite, /bot add")
    return gettext("waiting for {missing}", missing=join_and(missing))


def tentative_line(tentative: TentativePlay, state: TableState) -> Piece:
    """Return the score of the laid tiles, or else describe the square under the cursor."""
    if not tentative.laid:
        return under_cursor(tentative, state), "label"
    attempt = tentative.attempt()
    if attempt is None:
        return gettext("not in one line without a gap"), "refusal"
    match state.tried:
        case Tried(points=points, words=words, good=good):
            text = f"{format_count(points, 'point')}: {join_and(strip_brackets(words))}"
            if good is None:
                return gettext("{text} (not checked; can be challenged)", text=text), "good"
            if good:
                return gettext("{text}, in the word list", text=text), "good"
            if len(words) == 1:
                return gettext("{text}, not in the word list", text=text), "refusal"
            return gettext("{text}; not all in the word list", text=text), "refusal"
        case Refused(text=text):
            return text, "refusal"
    return f"{attempt.at} {attempt.word} …", "label"


def under_cursor(tentative: TentativePlay, state: TableState) -> str:
    """The square under the cursor in words: ``8H across, double word``."""
    rules, square = state.rules, tentative.cursor
    if rules is None or not tentative.holds(square):
        return ""
    spot = Spot(square.row, square.col, tentative.across)
    where = format_spot(spot, spoken=True)
    tile = tentative.at(square)
    if tile == EMPTY_SQUARE:
        premium = rules.layout.premium(square)
        what = premium_name(premium) if premium != Premium() else ""
        return f"{where}  {what}".rstrip()
    letter = Letter(tile.upper(), blank=tile != tile.upper())
    if letter.blank:
        back = gettext("; its letter takes it back") if square in tentative.reclaimable else ""
        return gettext(
            "{where}  a blank for {letter}{back}", where=where, letter=letter.letter, back=back
        )
    return f"{where}  {letter.letter}, {format_count(rules.tiles.points(letter.letter), 'point')}"


def risks(state: TableState) -> tuple[str, ...]:
    """Say what a challenge does in this room, if it is right and if it is wrong."""
    rules = state.rules
    return rules_lines(rules, "challenges")[3:5] if rules is not None else ()


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
