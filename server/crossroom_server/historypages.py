"""The pages of a registered player, and of the games of a room."""

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from crossroom_protocol.finished import Finished, Profile
from crossroom_protocol.memory_prose import averages, bests, day, outcome, record
from crossroom_server.gamepage import document, player_link


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
        "<h2>Latest games</h2>" + _games(profile.latest) if profile.latest else "",
    )


def room_page(room: str, games: Sequence[Finished], root: str) -> str:
    """The games of a room that anybody may know of, the newest first."""
    name = escape(room)
    return document(
        f"Games in {room}",
        root,
        f"<h1>Games in {name}</h1>",
        _games(games) if games else "<p>No game has ended here that anybody may see.</p>",
        f'<p><a href="../t/{name}">Go to the room</a></p>',
    )


def _ratings(profile: Profile) -> str:
    rows = "".join(
        f"<tr><th scope=row>{escape(one.preset)}</th><td class=n>{one.rating}</td>"
        f"<td class=n>{one.games}</td><td class=n>{one.place} of {one.of}</td></tr>"
        for one in profile.ratings
    )
    if not rows:
        return ""
    return (
        "<h2>Ratings</h2><table class=list><caption class=v>Ratings</caption><thead><tr>"
        "<th scope=col>rules</th><th scope=col class=n>rating</th><th scope=col class=n>games"
        f"</th><th scope=col class=n>place</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _games(games: Sequence[Finished]) -> str:
    rows = "".join(
        f"<tr><th scope=row>{_link(game)}<small>{escape(game.preset)}"
        f"{', rated' if game.rated else ''}</small></th><td>{_scores(game)}</td>"
        f"<td>{escape(outcome(game))}</td></tr>"
        for game in games
    )
    return (
        "<div class=scroll><table class=list><caption class=v>Games</caption><thead><tr>"
        "<th scope=col>game</th><th scope=col>players</th><th scope=col>result</th>"
        f"</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _link(game: Finished) -> str:
    what = f"{day(game.ended)}, {escape(game.room)} {game.game}"
    return f'<a href="../g/{quote(game.page)}">{what}</a>'


def _scores(game: Finished) -> str:
    return ", ".join(f"{player_link(player)} {player.score}" for player in game.players)
