"""The profiles and ratings of registered players, added up from finished games."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from crossroom_protocol.events.results import (
    FinishedGame,
    PlayerResult,
    Profile,
    RankedPlayer,
    Rating,
)
from crossroom_server.identity import names
from crossroom_server.lobby.ratings import UNRATED, Skill, displayed_rating, update_skills
from crossroom_server.store.contract import Store
from crossroom_server.store.refusals import refusing_outages

MAX_PROFILE_GAMES: Final = 20
"""Games that a profile names."""
MAX_RANKED: Final = 50
"""Players in a list of the strongest."""


@dataclass
class _Totals:
    """Sums of the games up to number ``read``.

    ``profiles`` are by comparison key, ``skills`` by preset and then by key.
    """

    read: int = 0
    profiles: dict[str, Profile] = field(default_factory=dict)
    skills: dict[str, dict[str, Skill]] = field(default_factory=dict)

    def add(self, games: Iterable[tuple[int, FinishedGame]]) -> None:
        for number, game in games:
            if game.counts:
                self._add(game)
            self.read = number

    def _add(self, game: FinishedGame) -> None:
        keys = [names.comparison_key(player.name) for player in game.players]
        for key, player in zip(keys, game.players, strict=True):
            if player.registered:
                before = self.profiles.get(key, Profile(player.name))
                self.profiles[key] = _with_game(before, player, game)
        if game.rated:
            skills = self.skills.setdefault(game.preset, {})
            before_it = [skills.get(key, UNRATED) for key in keys]
            skills.update(zip(keys, update_skills(before_it, game.players), strict=True))

    def ranked(self, preset: str) -> list[tuple[str, Skill]]:
        """Return the keys of all who have a rating, with their skills, the strongest first."""
        skills = self.skills.get(preset, {})
        return sorted(skills.items(), key=lambda item: (-displayed_rating(item[1]), item[0]))

    def ratings(self, key: str) -> Iterable[Rating]:
        for preset, skills in sorted(self.skills.items()):
            if key in skills:
                order, skill = [other for other, _ in self.ranked(preset)], skills[key]
                shown, place = displayed_rating(skill), order.index(key) + 1
                yield Rating(preset, shown, skill.games, place, len(order))


class Leaderboard:
    """Profiles and ratings; every method may refuse if the store is out of order.

    They are not stored: they follow from the finished games in the order of their ends, and are
    brought up to date whenever somebody asks.

    Args:
        store: Has the games.
    """

    def __init__(self, store: Store) -> None:
        self._store, self._totals, self._reading = store, _Totals(), asyncio.Lock()

    async def profile(self, name: str) -> Profile:
        """Return the profile of the registered player *name*."""
        totals, key = await self._read(), names.comparison_key(name)
        found = totals.profiles.get(key, Profile(name))
        return replace(found, name=name, ratings=tuple(totals.ratings(key)))

    async def top(self, preset: str) -> tuple[RankedPlayer, ...]:
        """Return the strongest players under one preset, the best first."""
        totals = await self._read()
        return tuple(
            RankedPlayer(totals.profiles[key].name, displayed_rating(skill), skill.games, skill.won)
            for key, skill in totals.ranked(preset)[:MAX_RANKED]
        )

    async def played_in(self, room: str, last: int) -> tuple[FinishedGame, ...]:
        """Return the *last* finished games of a room, the newest first."""
        with refusing_outages():
            return tuple(await self._store.finished_in(room, last))

    async def _read(self) -> _Totals:
        async with self._reading:
            with refusing_outages():
                games = await self._store.finished(self._totals.read)
            if games:  # the first time these are all there are
                await asyncio.to_thread(self._totals.add, games)
        return self._totals


def _with_game(before: Profile, player: PlayerResult, game: FinishedGame) -> Profile:
    together = sum(other.won for other in game.players) > 1
    better = player.best_points > before.best_points
    latest = (game, *before.latest)[:MAX_PROFILE_GAMES] if game.listed else before.latest
    return replace(
        before,
        name=player.name,
        games=before.games + 1,
        won=before.won + (player.won and not together),
        shared=before.shared + (player.won and together),
        with_bots=before.with_bots + any(other.bot is not None for other in game.players),
        points=before.points + player.score,
        turns=before.turns + player.turns,
        highest=max(before.highest, player.score) if before.games else player.score,
        bingos=before.bingos + player.bingos,
        best=player.best if better else before.best,
        best_points=max(before.best_points, player.best_points),
        latest=latest,
    )
