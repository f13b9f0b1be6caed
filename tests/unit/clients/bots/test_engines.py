"""Engines in processes and functions, and the check that finds what is wrong with them."""

import sys
from pathlib import Path

import pytest

from crossroom_clients.bots import conformance
from crossroom_clients.bots.conformance import POSITIONS, Finding, check_engine, positions
from crossroom_clients.bots.engines import (
    CommandEngine,
    Engine,
    EngineFailed,
    FunctionEngine,
    UcgiEngine,
)
from crossroom_engine.analysis.position import Position, TurnMove, best_turn
from crossroom_engine.core.errors import BadText
from crossroom_engine.movegen.leaves import find_leaves
from crossroom_engine.words import catalog

LEXICON = catalog.open_lexicon("english")
SCRIPT = """
import json, sys, time
from crossroom_clients.bots.turn import move_line
from crossroom_engine.analysis.cgp import read_cgp
from crossroom_engine.analysis.position import best_turn
from crossroom_engine.movegen.leaves import find_leaves
from crossroom_engine.words import catalog
lexicon = catalog.open_lexicon("english")
fault = sys.argv[1] if len(sys.argv) > 1 else ""
for number, line in enumerate(sys.stdin):
    told = json.loads(line)
    position = read_cgp(told["cgp"]).to_position(lexicon)
    answer = move_line(best_turn(position, find_leaves(lexicon, position.rules.tiles)))
    if number == 3:
        if fault == "late":
            time.sleep(60)
        elif fault == "ends":
            sys.exit(1)
        elif fault == "nonsense":
            answer = "I think I would rather play chess"
        elif fault == "tiles":
            answer = "8H ZZZZZ"
        elif fault == "square":
            answer = "1A AE"
    if fault == "exchange" and told["bag"] == 0:
        answer = "exchange " + told["rack"][0]
    print(answer, flush=True)
"""


def best_at_sight(position: Position) -> TurnMove:
    return best_turn(position, find_leaves(position.lexicon, position.rules.tiles))


def fail(_: Position) -> TurnMove:
    raise ZeroDivisionError


async def findings(engine: Engine, seconds: float = 30.0) -> list[Finding]:
    try:
        return [found async for found in check_engine(engine, LEXICON, seconds)]
    finally:
        await engine.close()


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "engine.py"
    path.write_text(SCRIPT)
    return path


def test_the_positions_are_twenty_and_differ() -> None:
    found = list(positions(LEXICON))
    assert len(found) == POSITIONS
    assert len({(*position.board.rows, position.rack) for _, position in found}) == POSITIONS
    assert sum(position.bag == 0 for _, position in found) == 3


async def test_a_function_passes() -> None:
    found = await findings(FunctionEngine(best_at_sight))
    assert [one for one in found if one.fault or one.is_phony] == []


async def test_a_program_passes(script: Path) -> None:
    found = await findings(CommandEngine([sys.executable, str(script)]))
    assert [one for one in found if one.fault or one.is_phony] == []


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("late", "no move within"),
        ("ends", "has ended"),
        ("nonsense", "is no move"),
        ("tiles", "Z"),
        ("square", ""),
    ],
)
async def test_a_planted_fault_is_found(
    script: Path, monkeypatch: pytest.MonkeyPatch, fault: str, told: str
) -> None:
    """The fault is in the fourth answer, and the fifth is good again."""
    five = list(positions(LEXICON))[:5]
    monkeypatch.setattr(conformance, "positions", lambda _: five)
    command = [sys.executable, str(script), fault]
    found = await findings(CommandEngine(command), 5.0 if fault == "late" else 30.0)
    assert [bool(one.fault) for one in found] == [False, False, False, True, False]
    assert told in found[3].fault


async def test_an_exchange_that_the_bag_is_too_small_for_is_found(script: Path) -> None:
    found = await findings(CommandEngine([sys.executable, str(script), "exchange"]))
    faults = [one.fault for one in found if one.fault]
    assert faults == ["0 tiles in the bag are too few for this exchange"] * 3


async def test_our_own_engine_passes_over_ucgi() -> None:
    command = [sys.executable, "-m", "crossroom_clients", "ucgi", "--level", "solid"]
    found = await findings(UcgiEngine(command), 20.0)
    assert [one for one in found if one.fault or one.is_phony] == []


async def test_what_is_no_engine() -> None:
    (_, position), *_ = positions(LEXICON)
    for name in ("best", "no.such.module:best", "json:no_such_function"):
        with pytest.raises(BadText):
            FunctionEngine.named(name)
    with pytest.raises(EngineFailed, match="ZeroDivisionError"):
        await FunctionEngine(fail).choose(position, 1.0)
    with pytest.raises(EngineFailed, match="No such file"):
        await CommandEngine(["/no/such/program"]).choose(position, 1.0)


def test_a_function_is_found_by_name() -> None:
    name = f"{conformance.__name__}:positions"
    assert isinstance(FunctionEngine.named(name), FunctionEngine)
