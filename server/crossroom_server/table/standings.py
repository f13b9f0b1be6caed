"""Adds finished games to the sums of their players, in the order in which the games ended."""

from collections.abc import Iterable
from dataclasses import replace

from crossroom_protocol.events.results import FinishedGame, PlayerResult, Profile
from crossroom_server.identity import names
from crossroom_server.table.player_totals import MAX_LATEST_GAMES, PlayerTotals
from crossroom_server.table.ratings import UNRATED, update_skills


def keys_of(game: FinishedGame) -> list[str]:
    """Return the comparison keys of the players of a game, by seat."""
    return [names.comparison_key(player.name) for player in game.players]


def add_games(totals: dict[str, PlayerTotals], games: Iterable[tuple[int, FinishedGame]]) -> None:
    """Add numbered games to the sums of their registered players, by comparison key."""
    for number, game in games:
        if game.counts:
            _add_game(totals, number, game)


def _add_game(totals: dict[str, PlayerTotals], number: int, game: FinishedGame) -> None:
    keys = keys_of(game)
    for key, player in zip(keys, game.players, strict=True):
        if player.registered and not player.program:
            before = totals.get(key, PlayerTotals(Profile(player.name)))
            latest = before.latest
            if game.listed:
                latest = (number, *latest)[:MAX_LATEST_GAMES]
            profile = _with_game(before.profile, player, game)
            totals[key] = replace(before, profile=profile, latest=latest)
    if game.rated:  # then all are registered
        skills = [totals[key].skills.get(game.preset, UNRATED) for key in keys]
        for key, skill in zip(keys, update_skills(skills, game.players), strict=True):
            rated = totals[key].skills | {game.preset: skill}
            totals[key] = replace(totals[key], skills=rated)


def _with_game(before: Profile, player: PlayerResult, game: FinishedGame) -> Profile:
    together = sum(other.won for other in game.players) > 1
    better = player.best_points > before.best_points
    return replace(
        before,
        name=player.name,
        games=before.games + 1,
        won=before.won + (player.won and not together),
        shared=before.shared + (player.won and together),
        with_bots=before.with_bots
        + any(other.bot is not None or other.program for other in game.players),
        points=before.points + player.score,
        turns=before.turns + player.turns,
        highest=max(before.highest, player.score) if before.games else player.score,
        bingos=before.bingos + player.bingos,
        best=player.best if better else before.best,
        best_points=max(before.best_points, player.best_points),
    )
