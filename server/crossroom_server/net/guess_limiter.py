"""Codes, passwords and tokens that people try: wrong ones are counted, right ones are not."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from typing import Final
from weakref import WeakValueDictionary

from crossroom_engine.core.units import MINUTE_S
from crossroom_protocol.base.refusals import Refusal
from crossroom_server.identity.client_address import rate_limit_key
from crossroom_server.net.rate_limits import SlidingWindowLimiter

WRONG_GUESS_CODES: Final = ("BAD_TOKEN", "NEED_KEY")
"""Refusals that mean a wrong guess; any other says nothing of what was tried."""


class GuessLimiter:
    """At most so many wrong ones a minute from one address.

    Those of one address are tried one after the other. So nobody gets more guesses by making them
    at once, and many who are right at once, behind one address, are all let in.

    Args:
        most: How many may be wrong in a minute.
    """

    def __init__(self, most: int) -> None:
        self.window = SlidingWindowLimiter(most, MINUTE_S)
        self.on_wrong: Callable[[str], None] = lambda _: None
        """Called with the address of each that was wrong."""
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @contextlib.asynccontextmanager
    async def attempt(self, address: str) -> AsyncIterator[None]:
        """Wrap one attempt; it was wrong if it raises one of :data:`WRONG_GUESS_CODES`.

        Raises:
            Refusal: ``SLOW_DOWN``, it was not tried.
        """
        turn = self._turns.setdefault(rate_limit_key(address), asyncio.Lock())
        async with turn:
            # Counted first: whoever hangs up before the answer has tried all the same.
            if wait := self.window.take(address, time.monotonic()):
                raise Refusal("SLOW_DOWN", "too many wrong codes; wait {wait:.0f} s", wait=wait)
            try:
                yield
            except Refusal as refusal:
                if refusal.code in WRONG_GUESS_CODES:
                    self.on_wrong(address)
                else:
                    self.window.give_back(address)
                raise
            self.window.give_back(address)
