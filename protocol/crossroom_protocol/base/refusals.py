"""Why the server says no: one registry of codes, with what each means for the person who reads it.

The reference page and the JSON schema are generated from :data:`CODES`.
"""

from typing import Final

from crossroom_engine.core.phrases import Phrase

CODES: Final = {
    "UNKNOWN_COMMAND": "there is no such command; the answer names the nearest",
    "AMBIGUOUS": "the abbreviation fits several commands; the answer names them",
    "BAD_ARGS": "the command lacks something or has something it cannot use; the answer shows how",
    "NOT_IN_ROOM": "the command needs a room: /join ROOM",
    "NEED_NAME": "the command needs a name: /name YOURNAME",
    "NEED_SEAT": "only players may do this",
    "NEED_ROLE": "only the owner and the moderators may do this, and not to those above them",
    "NOBODY": "nobody here has that name",
    "NEED_KEY": "newcomers need the password of the room, or an invitation: /join ROOM PASSWORD",
    "BANNED": "you may not come in here",
    "MUTED": "you may not talk for now; the answer says how long",
    "NO_ROOM": "there is no such room, or its name is not allowed",
    "MOVED": "the room is moving to another server; the answer says whether anything was done",
    "ROOM_FULL": "no seat is free, or the room takes no more people",
    "NAME_TAKEN": "somebody here has that name, or one like it, or it is banned; choose another",
    "NAME_PROTECTED": "the name, or one like it, is registered on this server: /name NAME CODE",
    "BAD_NAME": "names are 1 to 20 letters, digits, - and _, beginning with a letter",
    "WRONG_PHASE": "not at this point of the game; the answer says what may be done",
    "NO_GAME": "no game has begun: /ready",
    "GAME_ON": "not while a game is being played",
    "NOT_CONFIRMED": "this cannot be taken back; the answer says how to say that you mean it",
    "NOT_YOUR_TURN": "wait for your turn",
    "STALE_TURN": "the turn this move was meant for is over; nothing was done",
    "BAD_PLAY": "the tiles cannot lie there; the answer says which rule forbids it",
    "NOT_A_WORD": "the room's word list lacks the words named",
    "NOT_IN_RACK": "you do not have these tiles",
    "BAG_TOO_SMALL": "the bag holds too few tiles for this exchange",
    "NO_HINTS": "the rules of this room allow no hints",
    "NOTHING_TO_CHALLENGE": "there is no play that you can challenge",
    "GAME_OVER": "the game is over",
    "ADJOURNED": "the game is adjourned; it goes on when all are back and have said /ready",
    "NOTHING_TO_UNDO": "the latest turn was not yours, or can no longer be taken back",
    "NO_OFFER": "there is no offer that you could answer, or it is too late",
    "OFFER_OPEN": "another offer is open; answer that first",
    "BAD_SETTING": "there is no such setting or value; the answer lists what there is",
    "NO_LEXICON": "the server does not have this word list, or not the one this game began with",
    "BAD_TOKEN": "this code is not known here, or not that of the name; look for typing errors",
    "SLOW_DOWN": "too many of these in too short a time; wait as long as the answer says",
    "TOO_LONG": "a line holds at most 1024 bytes; nothing of it was used",
    "INVALID_UTF8": "lines are UTF-8 text",
    "TOO_MANY": "this server has reached its limit of these for now",
    "SHUTTING_DOWN": "the server stops; games are stored, come back with /resume",
    "INTERNAL": "an internal error; nothing was done, and the room goes on",
}
"""Code and meaning. Codes are stable: programs switch on them. The prose beside them is not."""


class Refusal(Exception):
    """A request that is answered with no. Nothing has changed.

    Args:
        code: One of :data:`CODES`.
        prose: One sentence: what is wrong and what to do.
        about: What the prose names, see :class:`crossroom_engine.core.phrases.Phrase`.
    """

    def __init__(self, code: str, prose: str, /, **about: object) -> None:
        assert code in CODES, code
        self.code = code
        self.prose = Phrase(prose, **about)
        super().__init__(code, self.prose)

    def __str__(self) -> str:
        return self.prose
