"""The limits of one connection and of one address, as settings, and that of open rooms."""

from dataclasses import dataclass
from typing import Final

from crossroom_engine.core.units import DAY_S
from crossroom_server.config.fields import YES_NO, number, setting, whole_number

MAX_COUNT: Final = 65535
MAX_BYTES: Final = 1 << 30
MAX_OPEN_ROOMS: Final = 10_000
"""Rooms in memory at a time."""

_COUNT: Final = whole_number(1, MAX_COUNT)
_SIZE: Final = whole_number(1024, MAX_BYTES)
_SECONDS: Final = number(1, DAY_S)


@dataclass(frozen=True)
class Limits:
    """Limits of what one connection and one address may ask for."""

    frame: int = setting(
        4096, "maximum bytes of an incoming message; a single line may have at most 1,024", _SIZE
    )
    head: int = setting(16 * 1024, "maximum bytes of an HTTP request, headers included", _SIZE)
    gulp: int = setting(
        64 * 1024,
        "read burst: bytes accepted from a connection before limits.sip applies",
        _SIZE,
    )
    sip: int = setting(
        8 * 1024,
        "read rate: bytes per second accepted from a connection after that; the rest waits",
        whole_number(1, MAX_BYTES),
    )
    burst: int = setting(10, "lines answered at once before limits.pace applies", _COUNT)
    shown: int = setting(5, "cost, in lines, of a !command answered to the whole room", _COUNT)
    pace: float = setting(
        2.0,
        "lines per second accepted from a connection after that; the rest waits, nothing is "
        "dropped",
        number(0.1, MAX_COUNT),
        alias="--pace",
    )
    unread: int = setting(
        128 * 1024,
        "maximum bytes queued for a slow reader, other than an answer; with more the connection "
        "is closed",
        _SIZE,
    )
    answer: int = setting(
        8 * 1024 * 1024,
        "maximum bytes queued while a client reads an answer, such as the log of a whole game",
        _SIZE,
    )
    stalled: float = setting(
        10.0,
        "seconds in which none of the queued bytes is read until the connection is closed",
        _SECONDS,
    )
    opening: float = setting(
        10.0, "seconds to send a complete request until the connection is closed", _SECONDS
    )
    introduction: float = setting(
        300.0,
        "seconds of silence outside any room until the connection is closed; a warning comes a "
        "minute before",
        _SECONDS,
    )
    connections: int = setting(
        16,
        "maximum connections of one address at a time, of which it may open twice as many in ten "
        "minutes; raise it if a proxy or a container makes all players share one address",
        _COUNT,
        alias="--connections",
    )
    sockets: int = setting(
        32, "maximum TCP connections of one address at a time, silent ones included", _COUNT
    )
    knocks: int = setting(
        300, "maximum new TCP connections of one address per minute, page requests included", _COUNT
    )
    everybody: int | None = setting(
        None,
        "maximum TCP connections at a time, of all addresses together",
        whole_number(1, MAX_BYTES),
        default_text="the system's limit on open files, less a reserve",
    )
    rooms: int = setting(5, "maximum empty rooms that one address may enter in ten minutes", _COUNT)
    names: int = setting(5, "maximum names that one address may register per day", _COUNT)
    written: int = setting(
        3000,
        "maximum lines per hour of one address that rooms store (chat, moves, settings, entering "
        "by name); raise it if all players share one address",
        whole_number(1, MAX_BYTES),
    )
    wrong_codes: int = setting(
        3,
        "maximum wrong codes and passwords of one address per minute, this machine included",
        _COUNT,
    )
    own: bool = setting(False, "apply the limits per address to this machine itself, too", YES_NO)
