"""Decides messages to the room; permission to talk has been checked before."""

from collections import Counter

from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.events import Seat
from crossroom_engine.game.game import Game
from crossroom_engine.game.views import move_options
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands import talk as talk_commands
from crossroom_protocol.events.room import Said
from crossroom_server.table.state import CommandContext, Events


def say(at: CommandContext, command: talk_commands.SayCommand) -> Events:
    """Say something.

    Raises:
        Refusal: ``BAD_ARGS``, it is a command that lacks but the slash.
    """
    if meant := _command_without_slash(at, command.text):
        raise Refusal(
            "BAD_ARGS",
            "did you mean {meant}? To say it to all, write //{text}",
            meant=meant,
            text=command.text,
        )
    return (Said(at.person.name, command.text),)


def emote(at: CommandContext, command: talk_commands.MeCommand) -> Events:
    """Say something as an action."""
    return (Said(at.person.name, command.text, me=True),)


def _command_without_slash(at: CommandContext, text: str) -> str:
    """Return the command that somebody has probably meant, as ``/play 8H WORD``; "" if none."""
    seat, game = at.table.game_seat_of(at.person.member), at.table.playing
    words = text.split()
    if game is None:
        return "/ready" if words == ["ready"] and _may_agree(at) else ""
    if seat is None or game.players[seat].retired:
        return ""
    match words:
        case [word] if word in _alone(game, seat):
            return f"/{word}"
        case [verb, place, word] if verb.lower() in ("p", "play", "try") and _is_spot(place):
            return f"/{verb.lower()} {place} {word}"
        case [place, word] if _is_spot(place) and any(letter.isalpha() for letter in word):
            return f"/play {place} {word}"
        case [verb, tiles] if verb.lower() in ("x", "exchange", "swap"):
            try:
                named = Counter(game.rules.tiles.parse_tiles(tiles))
            except BadText:
                return ""
            return f"/exchange {tiles}" if named <= Counter(game.players[seat].rack) else ""
        case _:
            return ""


def _may_agree(at: CommandContext) -> bool:
    seat = at.table.seat_of(at.person.member)
    return seat is not None and not at.table.seats[seat].ready


def _alone(game: Game, seat: Seat) -> set[str]:
    """Return the moves of a seat that are one word, and that would be talk by mistake."""
    options = move_options(game, seat)
    return {"pass", "challenge", "accept", "resign"} & set(options)


def _is_spot(text: str) -> bool:
    try:
        Spot.parse(text)
    except BadText:
        return False
    return True
