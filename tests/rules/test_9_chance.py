"""RULES 9: the seed that decides the draws, its seal, and checking both."""

import re
import runpy
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from random import Random
from typing import Any

import pytest

from crossroom_engine.core.dice import Dice
from crossroom_engine.core.events import (
    Drew,
    DrewForFirst,
    Ended,
    Event,
    Exchanged,
    Started,
    TurnBegan,
)
from crossroom_engine.core.moves import Exchange, Move, Pass, Resign
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import multiset
from crossroom_engine.game.draw_verification import make_seal, verify_draws
from crossroom_engine.game.game import apply, replay
from crossroom_engine.game.referee import DecisionContext, decide, start_game
from crossroom_engine.game.views import redact
from crossroom_protocol.text.sheets import export_json
from tests.support.game_driver import WORDS, word_list
from tests.support.paths import ROOT
from tests.support.sealed_games import SEED, sealed_games

NAMES = ("ann", "Børge")
AT = 1_700_000_000_000
CHECKER = re.search(
    r"<!-- checker -->\n```python\n(.*?)```",
    (ROOT / "engine" / "RULES.md").read_text("utf-8"),
    re.DOTALL,
)


def context() -> DecisionContext:
    rules = PRESETS["official"]
    return DecisionContext(word_list(WORDS, rules.tiles), Random(1), AT)


def begun(seed: str = SEED, **changes: Any) -> list[Event]:
    rules = PRESETS["official"]
    for name, value in changes.items():
        rules = rules.override(name, value)
    return list(start_game(rules, NAMES, context(), seed))


def moved(log: list[Event], move: Move) -> list[Event]:
    game = replay(log)
    return [*log, *decide(game, game.on_turn, move, context())]


def of(kind: type[Event], log: list[Event]) -> Any:
    return next(event for event in log if isinstance(event, kind))


def test_9_1_the_seal_comes_first_and_is_made_as_written() -> None:
    log = begun()
    # worked out by another program, in another language
    expected = "47294fa099833beb57b89435af20a45d0d82c22288c25eee9c7e046696a4347b"
    assert isinstance(log[0], Started)
    assert (log[0].seal, log[0].seed) == (expected, SEED)
    assert expected == make_seal(SEED, PRESETS["official"].tiles.distribution, AT, NAMES)


@pytest.mark.parametrize("other", ["seed", "bag", "at", "players"])
def test_9_1_a_seal_is_of_one_game_only(other: str) -> None:
    facts = {"seed": SEED, "bag": ("A", "CH"), "at": 5, "players": NAMES}
    others = {"seed": "0" * 64, "bag": ("A", "C", "H"), "at": 6, "players": NAMES[::-1]}
    assert make_seal(**facts) != make_seal(**{**facts, other: others[other]})  # type: ignore[arg-type]


def test_9_2_the_numbers_of_dice_are_those_written() -> None:
    # as openssl dgst -sha256 -mac HMAC gives them
    numbers = [2904404602, 735861094, 3347700433, 2050662944, 1074918053, 897133515, 4110883197]
    dice = Dice(SEED, "draw 0")
    assert [dice.below(2**32) for _ in numbers] == numbers
    assert dice.below(2**32) == 1444920087
    dice = Dice(SEED, "draw 1")
    assert dice.below(2**32) not in numbers


def test_9_2_a_number_that_would_favour_some_is_passed_over() -> None:
    # with this limit only the numbers below it are fair; five of the first eight are not
    limit = 2**31 + 1
    dice, whole = Dice(SEED, "draw 0"), Dice(SEED, "draw 0")
    fair = [number for _ in range(64) if (number := whole.below(2**32)) < limit]
    assert 0 < len(fair) < 64
    assert [dice.below(limit) for _ in fair] == fair


def test_9_2_dice_refuse_to_draw_more_than_there_is() -> None:
    with pytest.raises(ValueError, match="3 of 2"):
        Dice(SEED, "draw 0").sample("AB", 3)


def test_9_3_tiles_come_out_one_by_one_and_the_others_move_up() -> None:
    bag = PRESETS["official"].tiles.distribution
    assert "".join(Dice(SEED, "draw 0").sample(bag, 7)) == "AGLAAPY"
    log = begun(first_player="seat")
    assert of(Drew, log) == Drew(0, multiset("AGLAAPY"))


def test_9_3_the_next_hand_has_the_next_dice() -> None:
    log = begun(first_player="seat")
    game = replay(log)
    assert game.draws == 2
    rack = game.players[0].rack
    drew = of(Exchanged, moved(log, Exchange(rack[:3]))).drew
    assert drew == multiset(Dice(SEED, "draw 2").sample(game.bag, 3))
    assert replay(moved(moved(log, Pass()), Pass())).draws == 2


def test_9_3_the_draw_for_the_first_turn_has_dice_of_its_own() -> None:
    log = begun()
    bag = PRESETS["official"].tiles.distribution
    tiles = Dice(SEED, "first 0").sample(bag, 2)
    assert of(DrewForFirst, log) == DrewForFirst(((0, tiles[0]), (1, tiles[1])))
    assert of(Drew, log) == Drew(0, multiset("AGLAAPY"))


def test_9_3_a_random_first_player_is_one_throw() -> None:
    for number in range(8):
        seed = f"{number:064x}"
        first = of(TurnBegan, begun(seed, first_player="random")).seat
        assert first == Dice(seed, "first 0").below(2)


def test_9_4_nobody_is_told_the_seed_before_the_end_and_everybody_then() -> None:
    log = moved(begun(), Pass())
    for seat in (None, 0, 1):
        assert not [event for event in log if SEED in export_json([redact(event, seat)])]
    assert SEED not in repr(log)
    assert SEED not in repr(replay(log))
    log = moved(log, Resign())
    for seat in (None, 0, 1):
        assert redact(log[-1], seat) == log[-1]
    assert isinstance(log[-1], Ended)
    assert log[-1].seed == SEED


def test_9_4_every_way_to_end_reveals_the_seed() -> None:
    ends = [log[-1] for log in sealed_games()]
    assert {end.why for end in ends if isinstance(end, Ended)} >= {
        "out", "scoreless", "target", "resigned", "challenge", "time", "cancelled",
    }  # fmt: skip
    assert all(
        isinstance(log[-1], Ended) and isinstance(log[0], Started) and log[-1].seed == log[0].seed
        for log in sealed_games()
    )


def test_9_4_a_game_goes_on_alike_wherever_it_was_interrupted() -> None:
    log = begun()
    for _ in range(3):
        game = replay(log)
        again = reduce(apply, log[1:], replay(log[:1]))
        move = Exchange(game.players[game.on_turn].rack[:2])
        one, other = (decide(g, g.on_turn, move, context()) for g in (game, again))
        assert one == other
        log += one


def test_9_5_all_games_can_be_verified() -> None:
    verdicts = [verify_draws(log) for log in sealed_games()]
    assert not [finding for verdict in verdicts for finding in verdict.findings]
    assert sum(verdict.draws for verdict in verdicts) > 500


@pytest.fixture
def checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[Sequence[Event]], str]:
    """What the program in the text says about a game."""
    assert CHECKER is not None
    program, record = tmp_path / "checker.py", tmp_path / "game.json"
    program.write_text(CHECKER[1], encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [str(program), str(record)])

    def run(log: Sequence[Event]) -> str:
        record.write_text(export_json(log), encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # it is short, not tidy
            runpy.run_path(str(program))
        return capsys.readouterr().out

    return run


def test_9_5_the_program_in_the_text_agrees(checked: Callable[[Sequence[Event]], str]) -> None:
    for log in sealed_games():
        told = checked(log)
        assert told.startswith(f"seal {verify_draws(log).seal} ok\n")
        assert told.count("True") == verify_draws(log).draws
        assert "False" not in told


def test_9_5_it_knows_tiles_of_several_characters(
    checked: Callable[[Sequence[Event]], str],
) -> None:
    log = begun("3" * 64, tiles="spanish")
    for _ in range(4):
        log = moved(log, Exchange(replay(log).players[replay(log).on_turn].rack))
    log = moved(log, Resign())
    told = checked(log)
    drawn = [tile for event in log if isinstance(event, Exchanged) for tile in event.drew]
    assert any(len(tile) > 1 for tile in drawn)
    assert f"{verify_draws(log).seal} ok" in told
    assert (told.count("True"), told.count("False")) == (verify_draws(log).draws, 0)


def test_9_5_it_finds_what_was_changed(checked: Callable[[Sequence[Event]], str]) -> None:
    log = begun(first_player="seat")
    (place, drew), *_ = [(at, event) for at, event in enumerate(log) if isinstance(event, Drew)]
    log[place] = replace(drew, tiles=multiset("AGLAAPE"))
    told = checked(moved(log, Resign()))
    assert "draw 0 False" in told
    assert told.startswith("seal 47294fa0")
