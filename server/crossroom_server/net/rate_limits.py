"""Rate limits: arithmetic on times that are passed in; nothing here waits or reads a clock."""

from collections import deque

from crossroom_server.identity.client_address import rate_limit_key


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
    """At most *most* things in any *span* seconds, for each address by itself."""

    def __init__(self, most: int, span: float) -> None:
        self._most, self._span = most, span
        self._times: dict[str, deque[float]] = {}
        self._crowd = 1024  # addresses; with more, those that no longer matter are forgotten

    def take(self, address: str, now: float) -> float:
        """Count one more thing; returns 0, or uncounted the seconds until there is room again."""
        if len(self._times) > self._crowd:
            self._forget(now)
        times = self._times.setdefault(rate_limit_key(address), deque(maxlen=2 * self._most))
        while times and times[0] <= now - self._span:
            times.popleft()
        if len(times) >= self._most:
            return times[0] + self._span - now
        times.append(now)
        return 0.0

    def record(self, address: str, now: float) -> None:
        """Count a thing that happened elsewhere, too late to be refused."""
        times = self._times.setdefault(rate_limit_key(address), deque(maxlen=2 * self._most))
        times.append(now)

    def give_back(self, address: str) -> None:
        """Take the latest back: it turned out not to count."""
        if times := self._times.get(rate_limit_key(address)):
            times.pop()

    def _forget(self, now: float) -> None:
        self._times = {
            address: times
            for address, times in self._times.items()
            if times and times[-1] > now - self._span
        }
        self._crowd = max(1024, 2 * len(self._times))
