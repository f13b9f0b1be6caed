"""Both word engines, the kernel in C and its twin in Python, asked the same."""

from collections.abc import Callable
from typing import Any, Final, TypeVar
from unittest.mock import patch

import pytest

from crossroom_engine.core.rules import Ruleset
from crossroom_engine.movegen import api, backends
from crossroom_engine.movegen.backends import Generator
from crossroom_engine.movegen.python_backend import PythonBackend
from crossroom_engine.words.lexicon import Lexicon

HAS_KERNEL: Final = backends.BACKEND == "c"

ENGINES: Final[list[Callable[[Ruleset, Lexicon], Generator]]] = [
    PythonBackend,
    *([backends.kernel] if HAS_KERNEL else []),
]

needs_kernel = pytest.mark.skipif(not HAS_KERNEL, reason="the kernel was not built")

Answer = TypeVar("Answer")


def same_in_all(question: Callable[..., Answer], *position: Any, **more: Any) -> Answer:
    """What a function of :mod:`movegen` answers, whoever finds the plays."""
    answers = []
    for engine in ENGINES:
        with patch.object(api, "generator", engine):
            answers.append(question(*position, **more))
    assert answers == answers[:1] * len(answers)
    return answers[0]
