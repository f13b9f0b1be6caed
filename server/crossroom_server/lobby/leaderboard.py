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
    """Sums of all games so far: profiles by key, and by preset, how strong those keys are."""

    read: int = 0
    profiles: dict[str, Profile] = field(default_factory=dict)
    skills: dict[str, dict[str, Skill]] = field(default_factory=dict)

    def add(self, game: FinishedGame) -> None:
        keys = [names.comparison_key(player.name) for player in game.players]
        if not game.counts:
            return
        for key, player in zip(keys, game.players, strict=True):
            if player.registered:
                before = self.profiles.get(key, Profile(player.name))
                self.profiles[key] = _with_game(before, player, game)
        if game.rated:
            skills = self.skills.setdefault(game.preset, {})
            before_it = [skills.get(key, UNRATED) for key in keys]
            skills.update(zip(keys, update_skills(before_it, game.players), strict=True))

    def ranked(self, preset: str) -> list[tuple[str, Skill]]:
        """All who have a rating, the strongest first."""
        skills = self.skills.get(preset, {})
        return sorted(skills.items(), key=lambda item: (-displayed_rating(item[1]), item[0]))


class Leaderboard:
    """Profiles and ratings.

    They are nowhere stored: they follow from the finished games in the order in which these ended,
    are worked out when somebody first asks, and brought up to date whenever somebody asks again.

    Args:
        store: Has the games.
    """

    def __init__(self, store: Store) -> None:
        self._store, self._book, self._reading = store, _Totals(), asyncio.Lock()

    async def profile(self, name: str) -> Profile:
        """Return what the registered player *name* has done.

        Raises:
            Refusal: the store is out of order.
        """
        book, key = await self._read(), names.comparison_key(name)
        found = replace(book.profiles.get(key, Profile(name)), name=name)
        return replace(found, ratings=tuple(_ratings(book, key)))

    async def top(self, preset: str) -> tuple[RankedPlayer, ...]:
        """The strongest under one preset, the best first.

        Raises:
            Refusal: the store is out of order.
        """
        book = await self._read()
        return tuple(
            RankedPlayer(book.profiles[key].name, displayed_rating(skill), skill.games, skill.won)
            for key, skill in book.ranked(preset)[:MAX_RANKED]
        )

    async def played_in(self, room: str, last: int) -> tuple[FinishedGame, ...]:
        """The *last* games of a room that are over, the newest first.

        Raises:
            Refusal: the store is out of order.
        """
        with refusing_outages():
            return tuple(await self._store.finished_in(room, last))

    async def _read(self) -> _Totals:
        async with self._reading:
            with refusing_outages():
                games = await self._store.finished(self._book.read)
            if games:  # the first time these are all there are
                await asyncio.to_thread(_add, self._book, games)
        return self._book


def _add(book: _Totals, games: Iterable[tuple[int, FinishedGame]]) -> None:
    for number, game in games:
        book.add(game)
        book.read = number


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


def _ratings(book: _Totals, key: str) -> Iterable[Rating]:
    for preset, skills in sorted(book.skills.items()):
        if key in skills:
            order = [other for other, _ in book.ranked(preset)]
            skill = skills[key]
            place = order.index(key) + 1
            yield Rating(preset, displayed_rating(skill), skill.games, place, len(order))
