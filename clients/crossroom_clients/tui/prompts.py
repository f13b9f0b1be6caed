"""The lines that say what may be done now, and what the tentative play would earn. Pure."""

from typing import Final

from crossroom_clients.tui.drawing import Piece
from crossroom_clients.tui.laying import Laying
from crossroom_clients.tui.situation import Situation
from crossroom_engine.board import Spot
from crossroom_engine.tiles import Letter
from crossroom_protocol.notices import Offering, Refused, RoomView, Tried
from crossroom_protocol.offer_prose import DEALS
from crossroom_protocol.picture import EMPTY
from crossroom_protocol.rules_text import rules_lines
from crossroom_protocol.standings import result
from crossroom_protocol.wording import both, counted, place, readable

LOST: Final = "not connected; trying again …"
AT_DOOR: Final = "type the name of a room: it is entered, or opened   /rooms lists them"


def prompt(situation: Situation, now: int, *, connected: bool, unnamed: bool, laid: bool) -> Piece:
    """What is going on and what may be done about it, at *now* (the server's time, in ms).

    ``laid``: do tiles lie on the board that are not played yet?
    """
    room = situation.room
    if not connected:
        return LOST, "trouble"
    if room is None:
        return AT_DOOR, "own"
    if situation.moment is not None:
        return _looking_back(situation), "own"
    if room.offer is not None and situation.no():
        return _offer(room.offer, room.name, now), "turn"
    if unnamed:
        return "type the name you play under; Enter alone if you only watch", "turn"
    return _turn(situation, room, laid) if situation.is_playing else _between(situation, room)


def _looking_back(situation: Situation) -> str:
    moments = situation.history.moments
    at = situation.moment or 0
    where = f"move {at} of {len(moments) - 1}" if at else "the beginning"
    return f"looking back at {where}: PgUp older, PgDn newer, End back to the game"


def _offer(offer: Offering, name: str | None, now: int) -> str:
    left = counted(max(0, (offer.until - now) // 1000), "second")
    if name == offer.name:
        return (
            f"you ask to {DEALS[offer.what]}; {both(offer.waiting)} may answer for {left}; "
            "Ctrl+N takes it back"
        )
    return f"{offer.name} asks to {DEALS[offer.what]}: Ctrl+Y agrees, Ctrl+N declines ({left})"


def _turn(situation: Situation, room: RoomView, laid: bool) -> Piece:
    game = situation.game
    assert game is not None
    play = game.open_play if "challenge" in game.options else None
    doubt = f"F5 challenges {readable(play.words)[0]}" if play is not None else ""
    if game.adjourned:
        agree = "Ctrl+Y when you are" if situation.yes() else "waiting for the others"
        return f"the game is adjourned until all are back and ready; {agree}", "own"
    if "accept" in game.options and play is not None:
        name = game.players[play.seat].name
        return f"{name}'s play ends the game: Ctrl+Y lets it stand; {doubt}", "turn"
    if game.phase == "last_word":
        waiting = both([game.players[seat].name for seat in game.awaited])
        return f"the last play waits for {waiting}", "own"
    if situation.is_yours and situation.is_sending:
        return f"your turn {game.turn}: sending …", "own"
    if situation.is_yours:
        how = "Enter plays" if laid else "type on the board"
        return f"your turn {game.turn}: {how}{'; ' + doubt if doubt else ''}", "turn"
    whose = f"{game.players[game.on_turn].name} to move (turn {game.turn})"
    watching = "; you watch" if room.seat is None else ""
    return f"{whose}{watching}{'; ' + doubt if doubt else ''}", "own"


def _between(situation: Situation, room: RoomView) -> Piece:
    over = f"{result(situation.game)}; " if situation.game is not None else ""
    if room.seat is None:
        return f"{over}you watch; /sit takes a free seat", "own"
    if situation.yes():
        again = "another game" if situation.game is not None else "the rules (/rules)"
        return f"{over}Ctrl+Y when you agree to {again}; /bot add seats a bot", "turn"
    missing = [seat.name for seat in room.seats if not seat.ready]
    waiting = f"waiting for {both(missing)}" if missing else "a game takes two: /invite, /bot add"
    return f"{over}you are ready; {waiting}", "own"


def tentative(laying: Laying, situation: Situation) -> Piece:
    """What the tiles that are laid would come to, or else what is under the cursor."""
    if not laying.laid:
        return under_cursor(laying, situation), "label"
    attempt = laying.attempt()
    if attempt is None:
        return "not in one line without a gap", "refusal"
    match situation.tried:
        case Tried(points=points, words=words, good=good):
            text = f"{counted(points, 'point')}: {both(readable(words))}"
            if good is None:
                return f"{text} (nobody checks; they may challenge)", "good"
            if good:
                return f"{text}, in the word list", "good"
            return f"{text}; not all in the word list", "refusal"
        case Refused(text=text):
            return text, "refusal"
    return f"{attempt.at} {attempt.word} …", "label"


def under_cursor(laying: Laying, situation: Situation) -> str:
    """The square under the cursor in words: ``8H across, double word``."""
    rules, square = situation.rules, laying.cursor
    if rules is None or not laying.holds(square):
        return ""
    spot = Spot(square.row, square.col, laying.across)
    where = place(spot, spoken=True)
    tile = laying.at(square)
    if tile == EMPTY:
        premium = rules.layout.premium(square)
        kinds = {1: "", 2: "double ", 3: "triple ", 4: "quadruple "}
        times = max(premium.word, premium.letter)
        what = f"{kinds[times]}{'word' if premium.word > 1 else 'letter'}" if times > 1 else ""
        return f"{where}  {what}".rstrip()
    letter = Letter(tile.upper(), blank=tile != tile.upper())
    if letter.blank:
        back = "; its letter takes it back" if square in laying.reclaimable else ""
        return f"{where}  a blank for {letter.letter}{back}"
    return f"{where}  {letter.letter}, {counted(rules.tiles.points(letter.letter), 'point')}"


def risks(situation: Situation) -> tuple[str, ...]:
    """What a challenge does in this room, a sentence a line."""
    rules = situation.rules
    return rules_lines(rules, "challenges")[1:] if rules is not None else ()
