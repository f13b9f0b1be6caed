"""The pages of a registered player, and of the games of a room."""

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from crossroom_protocol.base.translate import say
from crossroom_protocol.events.results import Finished, Profile, Rating
from crossroom_protocol.text.profile_text import averages, bests, day, outcome, record
from crossroom_server.web.game_page import document, player_link


def player_page(profile: Profile, root: str) -> str:
    """What somebody has done, and the latest of their games that anybody may know of."""
    facts = [record(profile)]
    if profile.games:
        facts += [averages(profile), bests(profile)]
    told = "".join(f"<li>{escape(fact)}</li>" for fact in facts)
    name = escape(profile.name)
    return document(
        profile.name,
        root,
        f"<h1>{name}</h1><ul class=facts>{told}</ul>",
        _ratings(profile),
        f"<h2>{say('Latest games')}</h2>" + _games(profile.latest) if profile.latest else "",
    )


def room_page(room: str, games: Sequence[Finished], root: str) -> str:
    """The games of a room that anybody may know of, the newest first."""
    title, none = (
        say("Games in {room}", room=room),
        say("No game has ended here that anybody may see."),
    )
    return document(
        title,
        root,
        f"<h1>{escape(title)}</h1>",
        _games(games) if games else f"<p>{none}</p>",
        f'<p><a href="../t/{escape(room)}">{say("Go to the room")}</a></p>',
    )


def _ratings(profile: Profile) -> str:
    rows = "".join(
        f"<tr><th scope=row>{escape(one.preset)}</th><td class=number>{one.rating}</td>"
        f"<td class=number>{one.games}</td><td class=number>{_place(one)}</td></tr>"
        for one in profile.ratings
    )
    if not rows:
        return ""
    ratings, rules, games = say("Ratings"), say("rules"), say("games")
    return (
        f"<h2>{ratings}</h2><table class=list><caption class=sr-only>{ratings}</caption><thead><tr>"
        f"<th scope=col>{rules}</th><th scope=col class=number>{say('rating')}</th>"
        f"<th scope=col class=number>{games}</th><th scope=col class=number>{say('place')}</th>"
        f"</tr></thead><tbody>{rows}</tbody></table>"
    )


def _place(one: Rating) -> str:
    return say("{place} of {of}", place=one.place, of=one.of)


def _games(games: Sequence[Finished]) -> str:
    rows = "".join(
        f"<tr><th scope=row>{_link(game)}<small>{escape(game.preset)}"
        f"{say(', rated') if game.rated else ''}</small></th><td>{_scores(game)}</td>"
        f"<td>{escape(outcome(game))}</td></tr>"
        for game in games
    )
    return (
        f"<div class=scroll><table class=list><caption class=sr-only>{say('Games')}</caption>"
        f"<thead><tr><th scope=col>{say('game')}</th><th scope=col>{say('players')}</th>"
        f"<th scope=col>{say('result')}</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _link(game: Finished) -> str:
    what = f"{day(game.ended)}, {escape(game.room)} {game.game}"
    return f'<a href="../g/{quote(game.page)}">{what}</a>'


def _scores(game: Finished) -> str:
    return ", ".join(f"{player_link(player)} {player.score}" for player in game.players)
