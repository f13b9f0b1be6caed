"""A game beside the best of every turn: what was known, what was done, what it lost."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from crossroom_engine.analysis.position import Position
from crossroom_engine.analysis.review import (
    Analysis,
    TurnAnalysis,
    analyze,
    analyze_record,
    analyze_turns,
)
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import CorruptLog
from crossroom_engine.core.events import (
    Drew,
    Event,
    Exchanged,
    Passed,
    Played,
    Started,
    TurnSkipped,
)
from crossroom_engine.core.moves import Accept, Challenge, Exchange, Pass, Place
from crossroom_engine.core.tiles import multiset, take_tiles
from crossroom_engine.game.game import apply, initial_game
from crossroom_engine.game.views import move_options, view
from crossroom_engine.movegen import plays
from crossroom_engine.movegen.leaves import NO_LEAVES, Leaves
from crossroom_engine.movegen.play import Play
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_engine.records.gcg_write import record_from_events
from tests.support.game_driver import NAMES, GameDriver
from tests.support.tiny_ruleset import RULES, CheckedGame, with_hidden_tiles_reshuffled

TURNS = (Played, Exchanged, Passed, TurnSkipped)


def whole(*racks: str, **changes: Any) -> GameDriver:
    """A table whose log begins with the beginning."""
    table = GameDriver(racks=racks, **changes)
    digest, hands = table.lexicon.digest, (player.rack for player in table.game.players)
    started = Started(table.rules, NAMES[: len(racks)], "tiny", digest, table.now)
    table.log = [started, *(Drew(seat, hand) for seat, hand in enumerate(hands)), *table.log]
    return table


def analyzed(table: GameDriver, leaves: Leaves = NO_LEAVES) -> Analysis:
    return analyze(table.log, table.lexicon, leaves)


def brief(turn: TurnAnalysis) -> tuple[int, int, str, int]:
    return turn.turn, turn.seat, turn.fate, turn.lost


def test_a_turn_beside_the_best() -> None:
    table = whole("HORNITS", "FARMCAT")
    table.play(0, "8H", "ON")
    table.play(1, "7F", "FARM")
    (on, farm), lost = analyzed(table)
    best = max(play.points for play in plays_of(on.position))
    assert brief(on) == (1, 0, "stood", 1000 * best - 4000)
    assert on.done.move == Place(Spot.parse("8H"), "ON")
    assert (on.earned, on.best.equity, on.best.points) == (4000, 1000 * best, best)
    assert lost == (on.lost, farm.lost)
    assert farm.done.points == table.last_play.points


def test_what_is_kept_counts() -> None:
    table = whole("CATSTTT", "FARMDOG")
    table.play(0, "8F", "CATS")
    assert analyzed(table).lost == (0, 0)
    keeper = Leaves("keeper", {"S": 50_000})
    (turn,), lost = analyzed(table, keeper)
    assert isinstance(turn.best.move, Place)
    assert "S" in turn.best.kept
    assert turn.earned == 1000 * turn.done.points
    assert turn.lost == turn.best.equity - turn.earned == lost[0] > 0


def test_an_exchange_and_a_pass() -> None:
    table = whole("CATSTTT", "DOGSQ")
    table.exchange(0, "TT")
    table.pass_(1)
    likes = Leaves("likes", {"S": 7_000, "T": -1_000})
    exchange, passing = analyzed(table, likes).turns
    assert exchange.done.move == Exchange(("T", "T"))
    assert exchange.done.kept == multiset("CATST")
    assert exchange.earned == 7_000 - 2_000
    assert passing.done.move == Pass()
    assert passing.earned == 7_000
    assert min(exchange.lost, passing.lost) > 0


def test_a_phony_that_was_taken_back_is_worth_a_pass() -> None:
    table = whole("HORNITS", "FARMCAT")
    table.play(0, "8F", "NORTH")
    table.challenge(1)
    table.play(1, "8F", "FARM")
    likes = Leaves("likes", {"S": 7_000})
    phony, farm = analyzed(table, likes).turns
    assert (phony.turn, phony.seat, phony.fate) == (1, 0, "withdrawn")
    assert phony.done.points > 0
    assert phony.earned == 7_000
    assert phony.lost == phony.best.equity - 7_000
    assert (farm.turn, farm.seat, farm.fate) == (2, 1, "stood")


def test_a_phony_that_stood_may_earn_more_than_any_word() -> None:
    table = whole("ZJXATII", "FARMCAT")
    table.play(0, "8D", "ZJXAT")
    table.pass_(1)
    phony, _ = analyzed(table).turns
    assert phony.fate == "phony"
    assert phony.earned == 1000 * table.game.players[0].score
    assert phony.lost < 0


def test_a_turn_that_was_lost_to_a_challenge_is_worth_a_pass() -> None:
    table = whole("HORNITS", "FARMCAT")
    table.play(0, "8F", "HORN")
    table.challenge(1)
    table.pass_(0)
    _, lost, passed = analyzed(table).turns
    assert (lost.turn, lost.seat, lost.fate) == (2, 1, "forfeited")
    assert lost.done.move == Pass()
    assert lost.position.rack == multiset("FARMCAT")
    assert lost.lost > 0
    assert brief(passed)[:3] == (3, 0, "stood")


def test_a_play_that_takes_a_blank_back() -> None:
    table = whole("CT?IIII", "TOBACAA", preset="race")
    table.play(0, "8F", "CaT")
    table.play(1, "F8", ".aB", "8G")
    _, turn = analyzed(table).turns
    assert turn.done.kept == multiset(take_tiles(("A", "B"), multiset("TOBACAA")))
    assert turn.done.points == table.last_play.points
    assert turn.lost >= 0


def test_turns_are_worked_out_one_by_one() -> None:
    table = whole("HORNITS", "FARMCAT")
    table.play(0, "8F", "HORN")
    found = analyze_turns([*table.log, table.log[0]], table.lexicon, NO_LEAVES)
    assert next(found).seat == 0
    with pytest.raises(CorruptLog, match="started twice"):
        list(found)


@pytest.mark.parametrize("log", [[], [Passed(0)]])
def test_what_is_no_game_is_not_analyzed(log: Sequence[Event]) -> None:
    with pytest.raises(CorruptLog):
        analyze(log, GameDriver().lexicon, NO_LEAVES)


# Whole games, by every rule there is.


def played(rules: str, players: int, seed: int) -> CheckedGame:
    """A small game: mostly good plays, some of them challenged, some exchanges and passes."""
    session, dice = CheckedGame(RULES[rules], players, seed), Random(seed)
    while (game := session.game).phase != "over":
        session.now += 1_000
        seat = game.awaited[0] if game.awaited else game.on_turn
        offered = move_options(game, seat)
        if "challenge" in offered and dice.random() < 0.2:
            session.attempt(seat, Challenge())
        elif "accept" in offered:
            session.attempt(seat, Accept())
        elif dice.random() < 0.8 and (found := plays_of(seen(session, seat))):
            assert session.attempt(seat, dice.choice(found).move)
        elif "exchange" in offered:
            session.attempt(seat, Exchange(game.players[seat].rack[:1]))
        else:
            session.attempt(seat, Pass())
    return session


def seen(session: CheckedGame, seat: int) -> Position:
    return Position.from_view(view(session.game, seat), session.game.rules, session.lexicon)


def plays_of(known: Position) -> list[Play]:
    return plays(known.rules, known.board, known.rack, known.lexicon, known.reclaimable)


@pytest.mark.parametrize("rules", RULES)
def test_every_turn_of_every_kind_of_game(rules: str) -> None:
    likes, fates = Leaves("likes", {"A": 2_000, "?": 9_000, "B": -3_000}), set()
    for seed in range(4):
        players = 2 + seed % (RULES[rules].players - 1)
        session = played(rules, players, seed)
        analysis = analyze(session.log, session.lexicon, likes)
        done = [event for event in session.log if isinstance(event, TURNS)]
        assert [turn.seat for turn in analysis.turns] == [event.seat for event in done]
        for seat in range(players):
            mine = [turn.lost for turn in analysis.turns if turn.seat == seat]
            assert analysis.lost[seat] == sum(mine)
        for turn in analysis.turns:
            assert turn.fate != "phony"
            assert turn.lost >= 0
            points = [play.points for play in plays_of(turn.position)]
            assert turn.best.points <= max(points, default=0)
            fates.add(turn.fate)
    challenges = RULES[rules].challenge
    assert fates >= {"stood", "forfeited"} if challenges == "double" else {"stood"}


def test_nothing_but_what_the_player_knew_decides() -> None:
    session = played("race", 3, 5)
    game = initial_game(session.log[0])
    found = iter(analyze(session.log, session.lexicon, NO_LEAVES).turns)
    for at, event in enumerate(session.log[1:]):
        if isinstance(event, TURNS):
            other = with_hidden_tiles_reshuffled(game, event.seat, at)
            known = Position.from_view(view(other, event.seat), game.rules, session.lexicon)
            assert next(found).position == known
        game = apply(game, event)
    assert next(found, None) is None


# Records.


@pytest.mark.parametrize("rules", RULES)
def test_the_record_of_a_game_tells_the_same(rules: str) -> None:
    likes = Leaves("likes", {"A": 2_000, "?": 9_000, "B": -3_000})
    for seed in range(3):
        players = 2 + seed % (RULES[rules].players - 1)
        session = played(rules, players, seed)
        record = record_from_events(session.log)
        seats = [NAMES.index(player.name) for player in record.players]
        told = list(analyze_record(record, session.lexicon, likes))
        known = list(analyze_turns(session.log, session.lexicon, likes))
        assert [turn.position for turn in told] == [turn.position for turn in known]
        assert [turn._replace(seat=seats[turn.seat], turn=0) for turn in told] == [
            turn._replace(turn=0) for turn in known
        ]


RECORD = """\
#player1 ann Ann
#player2 bob Bob
>ann: HORNITS 8F HORN +14 14
>bob: FARM 8H N +0 0
>ann: AEIISTT -IT +0 14
>bob: ACFMRT? H6 FA.M +9 9
>bob: ACFMRT? -- -9 0
>ann: AEISTUV -2 +0 14
>bob: ACFMRT? - +0 0
>ann: ZZZZZZZ - +0 14
"""


def test_what_a_record_leaves_open_is_left_out() -> None:
    lexicon = GameDriver(racks=("", "")).lexicon
    found = list(analyze_record(read_gcg(RECORD), lexicon, NO_LEAVES))
    assert [(turn.turn, turn.seat, turn.fate) for turn in found] == [
        (1, 0, "stood"),  # not 2: part of a rack
        (3, 0, "stood"),
        (4, 1, "withdrawn"),  # not 5: an exchange of tiles that are not named
        (6, 1, "stood"),  # not 7: there is one Z
    ]
    assert found[0].done.points == 14
    assert found[1].done.move == Exchange(("I", "T"))
