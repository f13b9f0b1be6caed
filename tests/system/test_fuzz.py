"""A few seconds of ``python -m tests.system.fuzz``, and what longer runs have found."""

import json
import subprocess
import sys
from itertools import chain
from pathlib import Path
from time import struct_time
from typing import Any

import pytest

from crossroom_engine.core.board import Board
from crossroom_engine.core.errors import BadText
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.words import dawg
from crossroom_engine.words.lexicon import Lexicon, pack_words
from tests.support.engines import needs_kernel
from tests.support.paths import ROOT
from tests.system.fuzz.driver import CAN_SANITIZE, compile_driver
from tests.system.fuzz.lexicons import FIXED, checked


def fuzz(*arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.system.fuzz", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize(
    ("target", "cases"),
    [
        pytest.param("boundary", 500, marks=needs_kernel),
        ("lexicons", 500),
        ("texts", 1000),
        ("network_input", 600),
    ],
)
def test_rubbish_is_told_by_its_type(target: str, cases: int) -> None:
    if sys.platform == "win32":
        pytest.skip("memory is not measured there")
    assert f"{cases} cases, seeds 1 to {cases}" in fuzz(target, "--cases", cases)


@pytest.mark.skipif(not CAN_SANITIZE, reason="there is no compiler with sanitizers")
def test_the_kernel_stays_within_its_memory_and_its_rules(tmp_path: Path) -> None:
    program = compile_driver(tmp_path, "-O0")
    done = subprocess.run([program, "1", "6000", "4"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "nothing found" in done.stdout


# What it has found.


@needs_kernel
def test_a_tile_cannot_change_its_number() -> None:
    from crossroom_engine import _kernel
    from tests.system.fuzz.boundary import GOOD_RULES, TILES

    class ChangingIndex:
        def __index__(self) -> int:
            return next(numbers)

    numbers = chain([0], iter(lambda: 10**6, None))
    with pytest.raises(TypeError, match="no number"):
        _kernel.Generator(**{**GOOD_RULES, "tiles": {**TILES, "Z": ChangingIndex()}})


@needs_kernel
@pytest.mark.parametrize("play", [struct_time, int])
def test_a_play_must_be_made_as_tuples_are(play: type) -> None:
    from crossroom_engine import _kernel
    from tests.system.fuzz.boundary import GOOD_RULES

    with pytest.raises(TypeError, match=r"tuple\.__new__"):
        _kernel.Generator(**{**GOOD_RULES, "play": play})


class Truthful:
    """Says whether it is true with code of its own, which must not run while an error is set."""

    def __bool__(self) -> bool:
        return bool(str(self))


@needs_kernel
def test_a_square_with_two_faults_has_one_error() -> None:
    from tests.system.fuzz.boundary import BOARD, ENGINE, RACK

    squares: Any = (("nobody", Truthful()), *BOARD.squares[1:])
    with pytest.raises(ValueError, match="no letter"):
        ENGINE.count(Board(BOARD.width, squares), RACK)


@needs_kernel
def test_a_candidate_with_two_faults_has_one_error() -> None:
    from tests.system.fuzz.boundary import BOARD, ENGINE, LEAVES

    class Hashed:
        def __hash__(self) -> int:
            return len(str(self))

    candidate: Any = (BOARD, None, (Hashed(),), 7, True)
    terms = (1, 6, 0, 0, 1)
    with pytest.raises(TypeError, match="no tuple"):
        ENGINE.rollouts(1, 1, 1, terms, LEAVES, ("A", "S"), (1,), (0, 0), 0, (candidate,))


def test_a_word_list_has_no_blank_in_its_alphabet() -> None:
    content = pack_words([("A", "B")], ("A", "B"), {})
    head_size = FIXED.unpack_from(content)[5]
    head = json.loads(content[FIXED.size : FIXED.size + head_size])
    text = json.dumps({**head, "letters": ["A", "?"]}).encode().ljust(head_size)
    assert len(text) == head_size
    spoilt = checked(content[: FIXED.size] + text + content[FIXED.size + head_size :])
    assert spoilt.startswith(dawg.MAGIC)
    with pytest.raises(BadText, match="head"):
        Lexicon("spoilt", spoilt)


@pytest.mark.parametrize(
    "line", ["A,1e999999999", f"A,{'9' * 5000}", "[]U,1", "A,1,2", "A,1\0", "A,NaN", "A,Infinity"]
)
def test_leaves_that_are_no_numbers_are_told(line: str) -> None:
    with pytest.raises(BadText, match="not a valid line"):
        Leaves.from_csv("table", line)
