"""Limits TCP connections, by nothing but their address."""

import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from crossroom_engine.core.units import MINUTE_S
from crossroom_server.config.limits import Limits
from crossroom_server.identity.client_address import rate_limit_keys
from crossroom_server.net.rate_limits import SlidingWindowLimiter

LISTEN_BACKLOG: Final = 100
"""Connections that the system hands over at once, before any of them is counted."""
RESERVED_FDS: Final = 100 + 2 * LISTEN_BACKLOG
"""Files that the server itself may open: the store, word lists, what two ports were just handed."""
MAX_CONNECTIONS: Final = 65_536
"""TCP connections at a time, where the system allows more."""


class ConnectionLimiter:
    """Counts TCP connections, of each address and of all.

    Args:
        limits: The numbers.
        is_free: Tells the addresses that are not counted by themselves.
    """

    def __init__(self, limits: Limits, is_free: Callable[[str], bool]) -> None:
        self._limits, self._is_free = limits, is_free
        files = raise_file_limit()
        room = max(files - RESERVED_FDS, files // 2)
        self._most = room if limits.everybody is None else limits.everybody
        self._open: Counter[str] = Counter()
        self._all = 0
        self._knocks = SlidingWindowLimiter(limits.knocks, MINUTE_S)

    def admit(self, address: str) -> bool:
        """Count a new connection, if it may be; then :meth:`release` must follow."""
        places = rate_limit_keys(address)
        if self._all >= self._most:
            return False
        if not self._is_free(address) and (
            any(self._open[place] >= times * self._limits.sockets for place, times in places)
            or self._knocks.take(address, time.monotonic())
        ):
            return False
        self._open.update(place for place, _ in places)
        self._all += 1
        return True

    def release(self, address: str) -> None:
        """A connection that was let in is gone."""
        self._all -= 1
        for place, _ in rate_limit_keys(address):
            self._open[place] -= 1
            if not self._open[place]:
                del self._open[place]


def raise_file_limit() -> int:
    """Raise the limit on open files as far as possible, and return it."""
    try:
        import resource
    except ImportError:  # Windows counts otherwise
        return 8192
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, MAX_CONNECTIONS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # some systems promise more than they give
            return soft
        return wanted
    return wanted if soft == resource.RLIM_INFINITY else min(soft, MAX_CONNECTIONS)
