"""Tell results, records and ratings in sentences."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from crossroom_engine.core.events import EndReason
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_count, format_time_left, join_and, shown_name
from crossroom_protocol.events.results import FinishedGame, PlayerResult, Profile, RankedPlayer
from crossroom_protocol.notices import WaitingGame

_UNSETTLED: Final[dict[EndReason, str]] = {
    "aborted": Phrase("ended by agreement, without a result")
}


def format_date(at: int) -> str:
    """The date of a time in ms since 1970, UTC: ``2026-11-21``."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}"


def outcome_text(game: FinishedGame) -> str:
    """Name the winners: ``alice wins``."""
    winners = [player.name for player in game.players if player.won]
    if game.why in _UNSETTLED:
        return gettext(_UNSETTLED[game.why])
    if not winners:
        return gettext("nobody wins")
    if winners[1:]:
        return gettext("{winners} share the win", winners=join_and(winners))
    return gettext("{winner} wins", winner=winners[0])


def final_scores(players: Sequence[PlayerResult]) -> str:
    """``alice 412, bob 388``."""
    return ", ".join(f"{player.name} {player.score}" for player in players)


def turn_lines(name: str, games: Sequence[WaitingGame]) -> Iterator[str]:
    """The unfinished games of somebody, one a line."""
    for game in games:
        if game.is_adjourned:
            text = gettext("{room}: adjourned, {name} to move", room=game.room, name=game.on_turn)
        elif game.is_yours:
            text = gettext("{room}: your turn", room=game.room)
        else:
            text = gettext("{room}: {name} to move", room=game.room, name=game.on_turn)
        yield text if game.left is None else f"{text}, {format_time_left(game.left)}"
    if games:
        yield gettext("/join ROOM goes to one; you take your seat there")
    else:
        yield gettext("no game of {name} waits here", name=name)


def game_lines(room: str, games: Sequence[FinishedGame], address: str) -> Iterator[str]:
    """The games of a room, one a line, with their pages at *address*."""
    if not games:
        yield gettext("no game has ended here yet")
    for game in games:
        rated = gettext(", rated") if game.rated else ""
        yield (
            gettext(
                "game {game}, {day}, {preset} rules{rated}: {final_scores}; {outcome}; "
                "{address}/g/{page}",
                game=game.game,
                day=format_date(game.ended),
                preset=shown_name(game.preset),
                rated=rated,
                final_scores=final_scores(game.players),
                outcome=outcome_text(game),
                address=address,
                page=game.page,
            )
        )
    if any(game.listed for game in games):
        yield gettext("all of them: {address}/r/{room}", address=address, room=room)


def stats_lines(profile: Profile, address: str) -> Iterator[str]:
    """List the record of a player, and the address of their page."""
    yield f"{profile.name}: {record_text(profile)}"
    if profile.games:
        yield averages_text(profile)
        yield bests_text(profile)
    yield from rating_lines(profile)
    yield gettext("page: {address}/p/{name}", address=address, name=profile.name)


def record_text(profile: Profile) -> str:
    """Count the games, and how they ended."""
    if not profile.games:
        return gettext("no game yet; games count from the one that begins after /register")
    told = gettext("{games}, {won} won", games=format_count(profile.games, "game"), won=profile.won)
    if profile.shared:
        told += gettext(", {shared} shared", shared=profile.shared)
    if profile.with_bots:
        told += gettext(", {with_bots} with bots", with_bots=profile.with_bots)
    return told


def averages_text(profile: Profile) -> str:
    """Points a game and a turn."""
    told = gettext("{points:.0f} points a game", points=profile.points / profile.games)
    if profile.turns:
        told += gettext(", {points:.1f} a turn", points=profile.points / profile.turns)
    return told + gettext("; highest score {highest}", highest=profile.highest)


def bests_text(profile: Profile) -> str:
    """Bingos, and the best play."""
    told = gettext(
        "{bingos}, {average:.1f} a game",
        bingos=format_count(profile.bingos, "bingo"),
        average=profile.bingos / profile.games,
    )
    if profile.best:
        best, points = profile.best, profile.best_points
        told += gettext("; best play {best} for {points}", best=best, points=points)
    return told


def rating_lines(profile: Profile) -> Iterator[str]:
    """The ratings, one a line."""
    for one in profile.ratings:
        games = format_count(one.games, "rated game")
        yield gettext(
            "{preset}: rating {rating} after {games}, place {place} of {of}",
            preset=shown_name(one.preset),
            rating=one.rating,
            games=games,
            place=one.place,
            of=one.of,
        )


def top_lines(preset: str, players: Sequence[RankedPlayer]) -> Iterator[str]:
    """The strongest, one a line."""
    if not players:
        yield gettext(
            "nobody has a rating for {preset} yet; /help top says which games are rated",
            preset=shown_name(preset),
        )
        return
    yield gettext("{preset} rules, the strongest first:", preset=shown_name(preset))
    for place, one in enumerate(players, 1):
        games = format_count(one.games, "game")
        yield gettext(
            "{place}. {name}: rating {rating}, {games}, {won} won",
            place=place,
            name=one.name,
            rating=one.rating,
            games=games,
            won=one.won,
        )
