"""Rate limits: arithmetic on times that are passed in; nothing here waits or reads a clock."""

from collections import deque
from typing import Final

from crossroom_server.identity.client_address import rate_limit_keys

SWEEP_S: Final = 60.0
"""Seconds after which addresses that no longer matter are forgotten, at the latest."""


class TokenBucket:
    """A token bucket that delays: it is full with *size* tokens and gains *pace* a second."""

    def __init__(self, size: int, pace: float) -> None:
        self._size, self._pace = size, pace
        self._full_at = 0.0

    def take(self, now: float, tokens: int = 1) -> float:
        """Take *tokens* at *now* (seconds); returns the seconds to wait for them, often 0."""
        self._full_at = max(self._full_at, now) + tokens / self._pace
        return max(0.0, self._full_at - now - self._size / self._pace)


class SlidingWindowLimiter:
    """At most *most* things in any *span* seconds, for each address by itself.

    Of IPv6 the wider networks are counted with it: see
    :func:`~crossroom_server.identity.client_address.rate_limit_keys`.
    """

    def __init__(self, most: int, span: float) -> None:
        self._most, self._span = most, span
        self._times: dict[str, deque[float]] = {}
        self._swept_at = 0.0

    def take(self, address: str, now: float) -> float:
        """Count one more thing; returns 0, or uncounted the seconds until there is room again."""
        windows = self._windows(address, now)
        wait = max(self._wait(times, most, now) for times, most in windows)
        if wait <= 0.0:
            for times, _ in windows:
                times.append(now)
        return max(0.0, wait)

    def record(self, address: str, now: float) -> None:
        """Count a thing that happened elsewhere, too late to be refused."""
        for times, _ in self._windows(address, now):
            times.append(now)

    def give_back(self, address: str) -> None:
        """Take the latest back: it turned out not to count."""
        for key, _ in rate_limit_keys(address):
            times = self._times.get(key)
            if times:
                times.pop()
            if times is not None and not times:
                del self._times[key]

    def _windows(self, address: str, now: float) -> list[tuple[deque[float], int]]:
        """Return the times that count for an address, each with how many there may be."""
        if not 0 <= now - self._swept_at < min(self._span, SWEEP_S):
            self._forget(now)
        return [
            (self._times.setdefault(key, deque(maxlen=2 * times * self._most)), times * self._most)
            for key, times in rate_limit_keys(address)
        ]

    def _wait(self, times: deque[float], most: int, now: float) -> float:
        while times and times[0] <= now - self._span:
            times.popleft()
        return times[0] + self._span - now if len(times) >= most else 0.0

    def _forget(self, now: float) -> None:
        """Forget who has done nothing for so long that it no longer counts."""
        self._swept_at = now
        self._times = {
            key: times
            for key, times in self._times.items()
            if times and times[-1] > now - self._span
        }
