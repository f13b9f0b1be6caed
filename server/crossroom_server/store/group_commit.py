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
    """Logs the first failure and the recovery: between them may be thousands of failures.

    Args:
        failed: What is said of the first failure.
        recovered: And of the first success after it.
    """

    def __init__(
        self, failed: str = "nothing can be stored", recovered: str = "it can be stored again"
    ) -> None:
        self._failed, self._recovered, self._is_failing = failed, recovered, False

    def update(self, failure: Exception | str | None) -> None:
        """Take note of a failure, or of a success."""
        if failure is not None and not self._is_failing:
            log.error("%s: %s", self._failed, failure)
        if failure is None and self._is_failing:
            log.warning("%s", self._recovered)
        self._is_failing = failure is not None
