"""How much one connection and one address may ask of this server.

Everything here is arithmetic on times that are passed in; nobody waits and no clock is read.
"""

import ipaddress
from collections import deque
from dataclasses import dataclass
from typing import Final

from crossroom_server.config.fields import YES_NO, number, setting, whole

MANY: Final = 65535
MUCH: Final = 1 << 30
LONG: Final = 86400.0


@dataclass(frozen=True)
class Limits:
    """The numbers; a test, or a host, may choose others."""

    frame: int = setting(
        4096,
        "bytes of one incoming message; one line holds at most 1,024 of them",
        whole(1024, MUCH),
    )
    head: int = setting(
        16 * 1024,
        "bytes of a request before it is a websocket, its headers included",
        whole(1024, MUCH),
    )
    gulp: int = setting(
        64 * 1024,
        "bytes of one connection that are read at once before the pace of sip applies",
        whole(1024, MUCH),
    )
    sip: int = setting(
        8 * 1024,
        "bytes a second, from then on, whatever they are; what comes faster waits",
        whole(1, MUCH),
    )
    burst: int = setting(
        10, "lines that are answered at once before the pace applies", whole(1, MANY)
    )
    shown: int = setting(5, "what a line counts whose answer the whole room sees", whole(1, MANY))
    pace: float = setting(
        2.0,
        "lines a second that one connection may say, from then on; what comes faster waits, "
        "nothing is dropped",
        number(0.1, MANY),
        also="--pace",
    )
    unread: int = setting(
        128 * 1024,
        "bytes that may wait for a slow reader who did not ask for them",
        whole(1024, MUCH),
    )
    answer: int = setting(
        8 * 1024 * 1024,
        "bytes that may wait while an answer is read: a whole game told again is long",
        whole(1024, MUCH),
    )
    stalled: float = setting(
        10.0,
        "seconds without reading a byte of what waits, until the connection is cut",
        number(1, LONG),
    )
    opening: float = setting(
        10.0, "seconds to say a whole request, until the connection is closed", number(1, LONG)
    )
    introduction: float = setting(
        60.0, "seconds at the door without a word, until the connection is closed", number(1, LONG)
    )
    connections: int = setting(
        16,
        "most connections from one address at a time; it may open twice as many in ten minutes; "
        "raise it if a proxy or a container makes all friends look like one",
        whole(1, MANY),
        also="--connections",
    )
    sockets: int = setting(
        32,
        "TCP connections of one address at a time, those included that have not said a word",
        whole(1, MANY),
    )
    knocks: int = setting(
        300, "TCP connections of one address in a minute, pages included", whole(1, MANY)
    )
    everybody: int | None = setting(
        None,
        "TCP connections at a time, of all addresses together",
        whole(1, MUCH),
        usually="what the system allows, less some for files",
    )
    rooms: int = setting(
        5,
        "rooms that one address may enter in ten minutes without finding anybody there",
        whole(1, MANY),
    )
    names: int = setting(5, "names that one address may register in a day", whole(1, MANY))
    written: int = setting(
        3000,
        "lines of one address in an hour of the kind that rooms write down for good: talk, moves, "
        "settings, coming in by name; raise it if all friends look like one",
        whole(1, MUCH),
    )
    wrong_codes: int = setting(3, "wrong resume codes a minute from one address", whole(1, MANY))
    own: bool = setting(
        False, "do the limits of one address hold for this machine itself, too?", YES_NO
    )


class Bucket:
    """A token bucket that delays: it is full with *size* tokens and gains *pace* a second."""

    def __init__(self, size: int, pace: float) -> None:
        self._size, self._pace = size, pace
        self._full_at = 0.0

    def take(self, now: float, tokens: int = 1) -> float:
        """Take *tokens* at *now* (seconds); returns the seconds to wait for them, often 0."""
        self._full_at = max(self._full_at, now) + tokens / self._pace
        return max(0.0, self._full_at - now - self._size / self._pace)


class Window:
    """At most *most* things in any *span* seconds, for each address by itself."""

    def __init__(self, most: int, span: float) -> None:
        self._most, self._span = most, span
        self._times: dict[str, deque[float]] = {}
        self._crowd = 1024  # addresses; with more, those that no longer matter are forgotten

    def take(self, address: str, now: float) -> float:
        """Count one more thing; returns 0, or uncounted the seconds until there is room again."""
        if len(self._times) > self._crowd:
            self._forget(now)
        times = self._times.setdefault(neighbourhood(address), deque(maxlen=2 * self._most))
        while times and times[0] <= now - self._span:
            times.popleft()
        if len(times) >= self._most:
            return times[0] + self._span - now
        times.append(now)
        return 0.0

    def note(self, address: str, now: float) -> None:
        """Count a thing that happened elsewhere, too late to be refused."""
        times = self._times.setdefault(neighbourhood(address), deque(maxlen=2 * self._most))
        times.append(now)

    def give_back(self, address: str) -> None:
        """Take the latest back: it turned out not to count."""
        if times := self._times.get(neighbourhood(address)):
            times.pop()

    def _forget(self, now: float) -> None:
        self._times = {
            address: times
            for address, times in self._times.items()
            if times and times[-1] > now - self._span
        }
        self._crowd = max(1024, 2 * len(self._times))


def neighbourhood(address: str) -> str:
    """What counts as one address: an IPv4 address, or the /64 that an IPv6 host has to itself."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))


def is_own(address: str) -> bool:
    """Is this the machine itself: its people and tests, or a proxy with limits of its own?"""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (mapped or ip).is_loopback
