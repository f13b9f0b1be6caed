"""Decides messages to the room; permission to talk has been checked before."""

from collections import Counter

from crossroom_engine.core.board import Spot
from crossroom_engine.core.errors import BadText
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands import talk as talk_commands
from crossroom_protocol.events.room import Said
from crossroom_server.table.state import CommandContext, Events


def say(at: CommandContext, command: talk_commands.SayCommand) -> Events:
    """Say something.

    Raises:
        Refusal: ``BAD_ARGS``, it would show a player's move, and lacks but the slash.
    """
    if meant := _move_without_slash(at, command.text):
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


def _move_without_slash(at: CommandContext, text: str) -> str:
    """Return the command that a player has probably meant, ``/play 8H WORD``; "" if none."""
    seat, game = at.table.game_seat_of(at.person.member), at.table.playing
    if seat is None or game is None or game.players[seat].retired:
        return ""
    match text.split():
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


def _is_spot(text: str) -> bool:
    try:
        Spot.parse(text)
    except BadText:
        return False
    return True
