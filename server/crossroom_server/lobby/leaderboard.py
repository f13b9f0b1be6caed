"""The profiles and ratings of registered players, added up from finished games."""

import asyncio
import logging
from dataclasses import replace
from typing import Final

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.results import FinishedGame, Profile, RankedPlayer, Rating
from crossroom_server.identity import names
from crossroom_server.store.contract import Store, Unavailable
from crossroom_server.store.refusals import refusing_outages
from crossroom_server.table.player_totals import PlayerTotals, Skill
from crossroom_server.table.standings import add_games, keys_of

log = logging.getLogger(__name__)

MAX_RANKED: Final = 50
"""Players in a list of the strongest."""
GAMES_PER_BATCH: Final = 50
"""Games that are added up at a time: a few ms, in which nothing else is done."""
CATCH_UP_INTERVAL_S: Final = 10.0
"""Between two looks for games that are not in the sums yet."""


class Leaderboard:
    """Profiles and ratings; every method may refuse if the store is out of order.

    The sums are stored, but follow from the finished games in the order of their ends. They are
    brought up to date now and then, and whenever somebody asks.

    Args:
        store: Has the games, and the sums.
    """

    def __init__(self, store: Store) -> None:
        self._store, self._adding = store, asyncio.Lock()

    async def profile(self, name: str) -> Profile:
        """Return the profile of the registered player *name*."""
        await self._bring_up_to_date()
        key, standings = names.comparison_key(name), self._store.standings
        with refusing_outages():
            found = (await standings.find([key])).get(key, PlayerTotals(Profile(name)))
            latest = await standings.games(found.latest)
            ratings = [
                await self._rating(preset, key, skill)
                for preset, skill in sorted(found.skills.items())
            ]
        return replace(found.profile, name=name, ratings=tuple(ratings), latest=tuple(latest))

    async def top(self, preset: str) -> tuple[RankedPlayer, ...]:
        """Return the strongest players under one preset, the best first."""
        await self._bring_up_to_date()
        with refusing_outages():
            return tuple(await self._store.standings.strongest(preset, MAX_RANKED))

    async def played_in(self, room: str, last: int) -> tuple[FinishedGame, ...]:
        """Return the *last* finished games of a room, the newest first."""
        with refusing_outages():
            return tuple(await self._store.finished_in(room, last))

    async def follow(self) -> None:
        """Add up games for ever, while nobody asks."""
        while True:
            try:
                added = 0
                while batch := await self.add_games():
                    added += batch
                    if added % (1000 * GAMES_PER_BATCH) == 0:
                        log.info("%d finished games are added up", added)
            except Unavailable as error:
                log.warning("finished games are not added up now: %s", error)
            await asyncio.sleep(CATCH_UP_INTERVAL_S)

    async def add_games(self) -> int:
        """Add the next games to the sums; return how many.

        Raises:
            Unavailable: the store is out of order.
        """
        standings = self._store.standings
        async with self._adding:
            after = await standings.counted()
            if after is None:  # a newer node adds them up, in its way
                return 0
            games = await self._store.finished(after, GAMES_PER_BATCH)
            if games:
                keys = {key for _, game in games for key in keys_of(game)}
                totals = await standings.find(keys)
                await asyncio.to_thread(add_games, totals, games)
                await standings.save(after, games[-1][0], totals)
            return len(games)

    async def _bring_up_to_date(self) -> None:
        with refusing_outages():
            if await self.add_games() == GAMES_PER_BATCH:
                prose = Phrase("many games are being added up just now; ask again in a minute")
                raise Refusal("INTERNAL", prose)

    async def _rating(self, preset: str, key: str, skill: Skill) -> Rating:
        place, of = await self._store.standings.place(preset, key, skill.rating)
        return Rating(preset, skill.rating, skill.games, place, of)
