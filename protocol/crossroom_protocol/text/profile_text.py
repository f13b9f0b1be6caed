"""What a server remembers, in sentences."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from crossroom_engine.core.events import EndReason
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import say
from crossroom_protocol.base.wording import both, counted
from crossroom_protocol.events.results import Entrant, Finished, Profile, Ranked

_UNSETTLED: Final[dict[EndReason, str]] = {
    "aborted": Phrase("ended by agreement, without a result")
}


def day(at: int) -> str:
    """The date of a time in ms since 1970, UTC: ``2026-11-21``."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}"


def outcome(game: Finished) -> str:
    """Who won: ``alice wins``."""
    winners = [player.name for player in game.players if player.won]
    if game.why in _UNSETTLED:
        return say(_UNSETTLED[game.why])
    if not winners:
        return say("nobody wins")
    if winners[1:]:
        return say("{winners} share the win", winners=both(winners))
    return say("{winner} wins", winner=winners[0])


def final_scores(players: Sequence[Entrant]) -> str:
    """``alice 412, bob 388``."""
    return ", ".join(f"{player.name} {player.score}" for player in players)


def game_lines(room: str, games: Sequence[Finished], address: str) -> Iterator[str]:
    """The games of a room, one a line, with their pages at *address*."""
    if not games:
        yield say("no game has ended here yet")
    for game in games:
        rated = say(", rated") if game.rated else ""
        yield (
            say(
                "game {game}, {day}, {preset} rules{rated}: {final_scores}; {outcome}; "
                "{address}/g/{page}",
                game=game.game,
                day=day(game.ended),
                preset=game.preset,
                rated=rated,
                final_scores=final_scores(game.players),
                outcome=outcome(game),
                address=address,
                page=game.page,
            )
        )
    if any(game.listed for game in games):
        yield say("all of them: {address}/r/{room}", address=address, room=room)


def stats_lines(profile: Profile, address: str) -> Iterator[str]:
    """What somebody has done, and where their page is."""
    yield f"{profile.name}: {record(profile)}"
    if profile.games:
        yield averages(profile)
        yield bests(profile)
    yield from rating_lines(profile)
    yield say("page: {address}/p/{name}", address=address, name=profile.name)


def record(profile: Profile) -> str:
    """How many games, and how they went."""
    if not profile.games:
        return say("no game yet; games count from the one that begins after /register")
    told = say("{games}, {won} won", games=counted(profile.games, "game"), won=profile.won)
    if profile.shared:
        told += say(", {shared} shared", shared=profile.shared)
    if profile.with_bots:
        told += say(", {with_bots} with bots", with_bots=profile.with_bots)
    return told


def averages(profile: Profile) -> str:
    """Points a game and a turn."""
    told = say("{points:.0f} points a game", points=profile.points / profile.games)
    if profile.turns:
        told += say(", {points:.1f} a turn", points=profile.points / profile.turns)
    return told + say("; highest score {highest}", highest=profile.highest)


def bests(profile: Profile) -> str:
    """Bingos, and the best play."""
    told = say(
        "{bingos}, {average:.1f} a game",
        bingos=counted(profile.bingos, "bingo"),
        average=profile.bingos / profile.games,
    )
    if profile.best:
        best, points = profile.best, profile.best_points
        told += say("; best play {best} for {points}", best=best, points=points)
    return told


def rating_lines(profile: Profile) -> Iterator[str]:
    """The ratings, one a line."""
    for one in profile.ratings:
        games = counted(one.games, "rated game")
        yield say(
            "{preset}: rating {rating} after {games}, place {place} of {of}",
            preset=one.preset,
            rating=one.rating,
            games=games,
            place=one.place,
            of=one.of,
        )


def top_lines(preset: str, players: Sequence[Ranked]) -> Iterator[str]:
    """The strongest, one a line."""
    if not players:
        yield say(
            "nobody has a rating for {preset} yet; /help top says which games are rated",
            preset=preset,
        )
        return
    yield say("{preset} rules, the strongest first:", preset=preset)
    for place, one in enumerate(players, 1):
        games = counted(one.games, "game")
        yield say(
            "{place}. {name}: rating {rating}, {games}, {won} won",
            place=place,
            name=one.name,
            rating=one.rating,
            games=games,
            won=one.won,
        )
