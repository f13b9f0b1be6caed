"""Handlers of the commands about other rooms, and about what the server remembers."""

from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import PRESETS
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext, using_language
from crossroom_protocol.commands.offers import StoredCommand
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.commands.profiles import (
    GamesCommand,
    StatsCommand,
    TopCommand,
    TurnsCommand,
)
from crossroom_protocol.commands.table import RoomsCommand
from crossroom_protocol.notices import GameList, TopPlayers, WaitingGame, YourStats, YourTurns
from crossroom_server.identity import names
from crossroom_server.identity.urls import http_url
from crossroom_server.lobby.lobby import MAX_LISTED_ROOMS, Lobby
from crossroom_server.session.session import Session


async def list_rooms(session: Session, request: Request, _: RoomsCommand) -> None:
    """List the rooms with people or a game in them, at all nodes, the fullest first."""
    with using_language(session.style.language):
        session.answer(request, _open_rooms(session.server.lobby))


def _open_rooms(lobby: Lobby) -> list[str]:
    rooms = lobby.listed()
    told = [
        gettext(
            "{name}: {people} here, {seated} seated",
            name=line.name,
            people=line.people,
            seated=line.seated,
        )
        + (gettext(", a game is on") if line.playing else "")
        + (gettext(", locked") if line.locked else "")
        for line in rooms[:MAX_LISTED_ROOMS]
    ]
    if (more := len(rooms) - MAX_LISTED_ROOMS) > 0:
        told.append(gettext("and {more} more", more=more))
    return told or [gettext("no room is open; /join ROOM opens one")]


async def list_unfinished(session: Session, request: Request, command: StoredCommand) -> None:
    """List the games of somebody that are not over.

    Raises:
        Refusal: ``NEED_NAME`` or ``BAD_NAME``, or the store is out of order.
    """
    name = command.name or session.name or ""
    if not name:
        raise Refusal("NEED_NAME", "say whose games: /stored NAME")
    told = [
        gettext("{room}: adjourned, {name} to move", room=line.room, name=line.on_turn)
        if line.adjourned
        else gettext("{room}: not over, {name} to move", room=line.room, name=line.on_turn)
        for line in await session.server.lobby.unfinished_games.of(names.check_name(name))
    ]
    if told:
        told.append(gettext("/resume CODE, with the code you were given there, comes back to one"))
    session.answer(request, told or [gettext("no game of {name} waits here", name=name)])


async def list_turns(session: Session, request: Request, _: TurnsCommand) -> None:
    """List the games of whoever asks, those first in which they are to move, by the time left.

    Raises:
        Refusal: ``NEED_NAME``, they have not proven a name; or the store is out of order.
    """
    name = session.name
    if name is None or names.comparison_key(name) not in session.proven:
        prose = Phrase(
            "your games are found by your registered name: /name NAME CODE; in a room, /register "
            "gives you the code"
        )
        raise Refusal("NEED_NAME", prose)
    lobby = session.server.lobby
    games = [
        WaitingGame(
            room=game.room,
            on_turn=game.on_turn,
            is_yours=game.on_turn == name and not game.adjourned,
            is_adjourned=game.adjourned,
            left=None if game.due is None else max(0, (game.due - lobby.now()) // 1000),
        )
        for game in await lobby.unfinished_games.of(name, is_own=True)
    ]
    games.sort(key=_urgency)
    session.tell(YourTurns(name=name, games=tuple(games)), label=request.label)


def _urgency(game: WaitingGame) -> tuple[bool, bool, int, str]:
    return not game.is_yours, game.left is None, game.left or 0, game.room


async def show_profile(session: Session, request: Request, command: StatsCommand) -> None:
    """Show the statistics of somebody.

    Raises:
        Refusal: ``NEED_NAME``, or ``NOBODY`` has registered that name.
    """
    lobby, name = session.server.lobby, command.name or session.name or ""
    if not name:
        raise Refusal("NEED_NAME", "say whose: /stats NAME")
    claim = await lobby.accounts.owner_of(names.check_name(name))
    if claim is None:
        prose = Phrase("{name} is not registered here: only games of registered names are counted")
        if not command.name or command.name == session.name:
            prose = Phrase(
                "your games are not counted: /register makes the name {name} yours first"
            )
        raise Refusal("NOBODY", prose, name=name)
    profile = await lobby.leaderboard.profile(claim.name)
    told = YourStats(profile=profile, address=http_url(session.base_url))
    session.tell(told, label=request.label)


async def show_top(session: Session, request: Request, command: TopCommand) -> None:
    """Show the ranking under a preset: the named one, or that of the room.

    Raises:
        Refusal: ``BAD_SETTING``, there is no such preset.
    """
    preset = command.preset.lower()
    if not preset:
        preset = await session.room.preset() if session.room is not None else "official"
    if preset not in PRESETS:
        raise Refusal(
            "BAD_SETTING",
            "there is no preset {preset}; {presets}",
            preset=preset,
            presets=", ".join(PRESETS),
        )
    players = await session.server.lobby.leaderboard.top(preset)
    session.tell(TopPlayers(preset=preset, players=players), label=request.label)


async def list_games(session: Session, request: Request, command: GamesCommand) -> None:
    """List the games that are over in this room, the newest first."""
    assert session.room is not None, "the command needs a room"
    room = session.room.name
    games = await session.server.lobby.leaderboard.played_in(room, command.last)
    told = GameList(room=room, games=games, address=http_url(session.base_url))
    session.tell(told, label=request.label)
