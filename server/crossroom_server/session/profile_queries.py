"""Answers from what the server remembers, beyond the game on the table."""

from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.profiles import GamesCommand, StatsCommand, TopCommand
from crossroom_protocol.notices import AnyNotice, GameList, TopPlayers, YourStats
from crossroom_server.identity import names
from crossroom_server.identity.urls import http_url
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.lobby.room_port import RoomPort


async def recollect(
    command: Command, lobby: Lobby, room: RoomPort | None, name: str | None, base_url: str
) -> AnyNotice | None:
    """The answer to somebody called *name* in *room*; None if this is no such question.

    Raises:
        Refusal: there is no answer; the prose says why.
    """
    address = http_url(base_url)
    match command:
        case StatsCommand(name=whose):
            whose = whose or name or ""
            if not whose:
                raise Refusal("NEED_NAME", "say whose: /stats NAME")
            claim = await lobby.register.owner_of(names.check_name(whose))
            if claim is None:
                prose = Phrase(
                    "{name} is not registered here; /register makes the name you have yours, and "
                    "games count from then on"
                )
                raise Refusal("NOBODY", prose, name=whose)
            profile = await lobby.annals.profile(claim.name)
            return YourStats(profile=profile, address=address)
        case TopCommand(preset=preset):
            preset = preset.lower() or (await room.preset() if room is not None else "official")
            if preset not in PRESETS:
                raise Refusal(
                    "BAD_SETTING",
                    "there is no preset {preset}; {presets}",
                    preset=preset,
                    presets=", ".join(PRESETS),
                )
            return TopPlayers(preset=preset, players=await lobby.annals.top(preset))
        case GamesCommand(last=last) if room is not None:
            games = await lobby.annals.played_in(room.name, last)
            return GameList(room=room.name, games=games, address=address)
    return None
