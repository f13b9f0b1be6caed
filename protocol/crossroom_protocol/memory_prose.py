"""What a server remembers, in sentences."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from crossroom_engine.events import Reason
from crossroom_protocol.finished import Entrant, Finished, Profile, Ranked
from crossroom_protocol.wording import both, counted

_UNSETTLED: Final[dict[Reason, str]] = {"aborted": "ended by agreement, without a result"}


def day(at: int) -> str:
    """The date of a time in ms since 1970, UTC: ``2026-11-21``."""
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}"


def outcome(game: Finished) -> str:
    """Who won: ``alice wins``."""
    winners = [player.name for player in game.players if player.won]
    if game.why in _UNSETTLED:
        return _UNSETTLED[game.why]
    if not winners:
        return "nobody wins"
    return f"{both(winners)} {'share the win' if winners[1:] else 'wins'}"


def final_scores(players: Sequence[Entrant]) -> str:
    """``alice 412, bob 388``."""
    return ", ".join(f"{player.name} {player.score}" for player in players)


def game_lines(room: str, games: Sequence[Finished], address: str) -> Iterator[str]:
    """The games of a room, one a line, with their pages at *address*."""
    if not games:
        yield "no game has ended here yet"
    for game in games:
        rated = ", rated" if game.rated else ""
        yield (
            f"game {game.game}, {day(game.ended)}, {game.preset} rules{rated}: "
            f"{final_scores(game.players)}; {outcome(game)}; {address}/g/{game.page}"
        )
    if any(game.listed for game in games):
        yield f"all of them: {address}/r/{room}"


def stats_lines(profile: Profile, address: str) -> Iterator[str]:
    """What somebody has done, and where their page is."""
    yield f"{profile.name}: {record(profile)}"
    if profile.games:
        yield averages(profile)
        yield bests(profile)
    yield from rating_lines(profile)
    yield f"page: {address}/p/{profile.name}"


def record(profile: Profile) -> str:
    """How many games, and how they went."""
    if not profile.games:
        return "no game yet; games count from the one that begins after /register"
    told = f"{counted(profile.games, 'game')}, {profile.won} won"
    if profile.shared:
        told += f", {profile.shared} shared"
    return f"{told}, {profile.with_bots} with bots" if profile.with_bots else told


def averages(profile: Profile) -> str:
    """Points a game and a turn."""
    told = f"{profile.points / profile.games:.0f} points a game"
    if profile.turns:
        told += f", {profile.points / profile.turns:.1f} a turn"
    return f"{told}; highest score {profile.highest}"


def bests(profile: Profile) -> str:
    """Bingos, and the best play."""
    told = f"{counted(profile.bingos, 'bingo')}, {profile.bingos / profile.games:.1f} a game"
    return f"{told}; best play {profile.best} for {profile.best_points}" if profile.best else told


def rating_lines(profile: Profile) -> Iterator[str]:
    """The ratings, one a line."""
    for one in profile.ratings:
        games = counted(one.games, "rated game")
        yield f"{one.preset}: rating {one.rating} after {games}, place {one.place} of {one.of}"


def top_lines(preset: str, players: Sequence[Ranked]) -> Iterator[str]:
    """The strongest, one a line."""
    if not players:
        yield f"nobody has a rating for {preset} yet; /help top says which games are rated"
        return
    yield f"{preset} rules, the strongest first:"
    for place, one in enumerate(players, 1):
        games = counted(one.games, "game")
        yield f"{place}. {one.name}: rating {one.rating}, {games}, {one.won} won"
