"""Answers the waiters of a group, and logs outages, for all stores."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import TypeAlias

log = logging.getLogger(__name__)

_Answer: TypeAlias = tuple[asyncio.Future[None], Exception | None]


def settle_futures(
    futures: Sequence[asyncio.Future[None]], failures: Sequence[Exception | None]
) -> None:
    """Settle futures of other threads: with its failure, or with None.

    Each loop is woken once, for that costs more than to settle a future.
    """
    answers: defaultdict[asyncio.AbstractEventLoop, list[_Answer]] = defaultdict(list)
    for future, failure in zip(futures, failures, strict=True):
        answers[future.get_loop()].append((future, failure))
    for loop, some in answers.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_settle, some)


def _settle(answers: Sequence[_Answer]) -> None:
    for future, failure in answers:
        if future.done():  # nobody waits any more
            continue
        if failure is None:
            future.set_result(None)
        else:
            future.set_exception(failure)


class OutageLog:
    """Logs the first failure and the recovery: between them may be thousands of failures."""

    def __init__(self) -> None:
        self._is_failing = False

    def update(self, failure: Exception | None) -> None:
        """Take note of a failure, or of a success."""
        if failure is not None and not self._is_failing:
            log.error("nothing can be stored: %s", failure)
        if failure is None and self._is_failing:
            log.warning("it can be stored again")
        self._is_failing = failure is not None
