"""The contract of snapshots and sums, for every store there is."""

from collections.abc import Iterator
from itertools import count

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.events.results import FinishedGame, PlayerResult, RankedPlayer
from crossroom_server.lobby import leaderboard
from crossroom_server.lobby.leaderboard import Leaderboard
from crossroom_server.store.contract import Store
from crossroom_server.store.derived_contract import ENTRIES_PER_SNAPSHOT, Place, Snapshot
from crossroom_server.table.player_totals import PlayerTotals
from crossroom_server.table.standings import add_games
from tests.contracts.test_store import KINDS, make, said


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    store = make(request.param, request)()
    yield store
    store.close()


async def test_the_newest_snapshot_up_to_an_entry_is_found(store: Store) -> None:
    first = ENTRIES_PER_SNAPSHOT - 1
    await store.append("kitchen", 0, said(*range(1, first + 3)))
    assert await store.snapshots.find("kitchen") is None
    for seq in (5, first - 1, first, first + 1):
        await store.snapshots.save("kitchen", Snapshot(seq, f"at {seq}"))
    assert await store.snapshots.find("kitchen") == (first + 1, f"at {first + 1}")
    assert await store.snapshots.find("kitchen", first + 1) == (first + 1, f"at {first + 1}")
    assert await store.snapshots.find("kitchen", first) == (first, f"at {first}")
    assert await store.snapshots.find("kitchen", first - 1) is None, "thinned out"
    assert await store.snapshots.find("attic") is None
    await store.snapshots.save("kitchen", Snapshot(first, "again"))
    assert await store.snapshots.find("kitchen", first) == (first, "again")


async def test_a_room_that_is_gone_has_no_snapshot(store: Store) -> None:
    await store.append("kitchen", 0, said(1, 2))
    await store.snapshots.save("kitchen", Snapshot(1, "of old"))
    assert await store.delete_vacant("kitchen", 1_800_000_000_000)
    await store.append("kitchen", 0, said(1, 2))
    assert await store.snapshots.find("kitchen") is None


def game(number: int, ann: int, bob: int, *, rated: bool = True) -> FinishedGame:
    """A game of two registered players, or if not *rated* of one and a bot."""
    players = (
        PlayerResult("Ann", ann, won=ann > bob, registered=True, turns=2, best="AX", best_points=9),
        PlayerResult("bob", bob, won=bob > ann, registered=rated, bot=None if rated else "greedy"),
    )
    room = f"room{number}"
    return FinishedGame(room, room, 1, 1, 1, 5, 6, "race", "tiny", "out", players, rated=rated)


async def play(store: Store, *games: FinishedGame) -> None:
    for one in games:
        await store.append(one.room, 0, said(1), [one])


async def test_sums_end_where_the_last_one_to_add_games_said(store: Store) -> None:
    standings, totals = store.standings, dict[str, PlayerTotals]()
    add_games(totals, [(7, game(1, 300, 200))])
    assert await standings.counted() == 0
    assert not await standings.save(3, 7, totals), "somebody was behind"
    assert await standings.find(["ann"]) == {}
    assert await standings.save(0, 7, totals)
    assert await standings.counted() == 7
    assert await standings.find(["ann", "bob", "zoe"]) == totals
    assert await standings.find([]) == {}
    assert not await standings.save(0, 8, {})


async def test_players_are_ranked_by_rating_and_then_by_name(store: Store) -> None:
    totals = dict[str, PlayerTotals]()
    add_games(totals, [(1, game(1, 300, 200))])
    totals["carl"] = totals["ann"]
    await store.standings.save(0, 1, totals)
    ann, bob = totals["ann"].skills["race"], totals["bob"].skills["race"]
    assert await store.standings.strongest("race", 2) == [
        RankedPlayer("Ann", ann.rating, 1, 1),
        RankedPlayer("Ann", ann.rating, 1, 1),
    ]
    assert await store.standings.strongest("official", 9) == []
    places = [
        await store.standings.place("race", key, skill.rating)
        for key, skill in (("ann", ann), ("carl", ann), ("bob", bob))
    ]
    assert places == [Place(1, 3), Place(2, 3), Place(3, 3)]


async def test_a_profile_is_the_sum_of_the_games_however_they_are_added(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [game(n, 100 + n, 90 + 2 * n, rated=n % 3 > 0) for n in range(1, 26)]
    await play(store, *games[:7])
    board = Leaderboard(store)
    assert (await board.profile("ann")).games == 7
    monkeypatch.setattr(leaderboard, "GAMES_PER_BATCH", 4)
    await play(store, *games[7:])
    while await board.add_games():
        pass
    right = dict[str, PlayerTotals]()
    add_games(right, zip(count(1), games, strict=False))
    profile = await Leaderboard(store).profile("ann")
    assert profile.games == 25
    assert profile.points == sum(one.players[0].score for one in games)
    assert profile.latest == tuple(reversed(games[5:]))
    assert profile.ratings[0].rating == right["ann"].skills["race"].rating
    assert (profile.ratings[0].place, profile.ratings[0].of) == (2, 2)
    assert [player.name for player in await board.top("race")] == ["bob", "Ann"]


async def test_who_asks_while_many_games_are_added_is_told_to_wait(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaderboard, "GAMES_PER_BATCH", 3)
    await play(store, *(game(n, 2, 1) for n in range(1, 6)))
    board = Leaderboard(store)
    with pytest.raises(Refusal, match="ask again in a minute"):
        await board.top("race")
    assert len(await board.top("race")) == 2


async def test_of_two_who_add_the_same_games_one_does(store: Store) -> None:
    await play(store, *(game(n, 2, 1) for n in range(1, 6)))
    first, second = Leaderboard(store), Leaderboard(store)
    await first.add_games()
    await second.add_games()
    assert (await second.profile("ann")).games == 5
