"""The pages of a registered player, and of the games of a room."""

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from crossroom_protocol.base.translate import gettext
from crossroom_protocol.events.results import FinishedGame, Profile, Rating
from crossroom_protocol.text.profile_text import (
    averages_text,
    bests_text,
    format_date,
    outcome_text,
    record_text,
)
from crossroom_server.web.game_page import document, player_link


def player_page(profile: Profile, root: str) -> str:
    """What somebody has done, and the latest of their games that anybody may know of."""
    facts = [record_text(profile)]
    if profile.games:
        facts += [averages_text(profile), bests_text(profile)]
    told = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
    name = escape(profile.name)
    return document(
        profile.name,
        root,
        f"<h1>{name}</h1><ul class=facts>{told}</ul>",
        _ratings(profile),
        f"<h2>{gettext('Latest games')}</h2>" + _games(profile.latest) if profile.latest else "",
    )


def room_page(room: str, games: Sequence[FinishedGame], root: str) -> str:
    """The games of a room that anybody may know of, the newest first."""
    title, none = (
        gettext("Games in {room}", room=room),
        gettext("No game has ended here that anybody may see."),
    )
    return document(
        title,
        root,
        f"<h1>{escape(title)}</h1>",
        _games(games) if games else f"<p>{none}</p>",
        f'<p><a href="../t/{escape(room)}">{gettext("Go to the room")}</a></p>',
    )


def _ratings(profile: Profile) -> str:
    rows = "".join(
        f"<tr><th scope=row>{escape(one.preset)}</th><td class=number>{one.rating}</td>"
        f"<td class=number>{one.games}</td><td class=number>{_place(one)}</td></tr>"
        for one in profile.ratings
    )
    if not rows:
        return ""
    ratings, rules, games = gettext("Ratings"), gettext("rules"), gettext("games")
    return (
        f"<h2>{ratings}</h2><table class=list><caption class=sr-only>{ratings}</caption><thead><tr>"
        f"<th scope=col>{rules}</th><th scope=col class=number>{gettext('rating')}</th>"
        f"<th scope=col class=number>{games}</th>"
        f"<th scope=col class=number>{gettext('place')}</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _place(one: Rating) -> str:
    return gettext("{place} of {of}", place=one.place, of=one.of)


def _games(games: Sequence[FinishedGame]) -> str:
    rows = "".join(
        f"<tr><th scope=row>{_link(game)}<small>{escape(game.preset)}"
        f"{gettext(', rated') if game.rated else ''}</small></th><td>{_scores(game)}</td>"
        f"<td>{escape(outcome_text(game))}</td></tr>"
        for game in games
    )
    return (
        f"<div class=scroll><table class=list><caption class=sr-only>{gettext('Games')}</caption>"
        f"<thead><tr>"
        f"<th scope=col>{gettext('game')}</th><th scope=col>{gettext('players')}</th>"
        f"<th scope=col>{gettext('result')}</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _link(game: FinishedGame) -> str:
    what = f"{format_date(game.ended)}, {escape(game.room)} {game.game}"
    return f'<a href="../g/{quote(game.page)}">{what}</a>'


def _scores(game: FinishedGame) -> str:
    return ", ".join(f"{player_link(player)} {player.score}" for player in game.players)
