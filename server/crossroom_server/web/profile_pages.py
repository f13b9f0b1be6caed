"""The pages of a registered player, and of the games of a room."""

from collections.abc import Sequence

from crossroom_protocol.base.translate import gettext
from crossroom_protocol.events.results import FinishedGame, Profile
from crossroom_protocol.text.profile_text import (
    averages_text,
    bests_text,
    format_date,
    outcome_text,
    record_text,
)
from crossroom_server.web.pages import PageLocation
from crossroom_server.web.templating import render


def player_page(profile: Profile, assets: str) -> str:
    """Render what somebody has done, and the latest of their games that anybody may know of.

    *assets* is the path of the static files from the server's root.
    """
    facts = [record_text(profile)]
    if profile.games:
        facts += [averages_text(profile), bests_text(profile)]
    return render(
        "player.html",
        page=PageLocation("../", assets),
        title=profile.name,
        facts=facts,
        ratings=profile.ratings,
        games=_game_rows(profile.latest),
    )


def room_games_page(room: str, games: Sequence[FinishedGame], assets: str) -> str:
    """Render the games of a room that anybody may know of, the newest first."""
    return render(
        "room_games.html",
        page=PageLocation("../", assets),
        title=gettext("Games in {room}", room=room),
        room=room,
        games=_game_rows(games),
    )


def _game_rows(games: Sequence[FinishedGame]) -> list[tuple[FinishedGame, str, str]]:
    """Return each game with its date and its outcome."""
    return [(game, format_date(game.ended), outcome_text(game)) for game in games]
