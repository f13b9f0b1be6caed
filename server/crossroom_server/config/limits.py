"""The limits of one connection and of one address, as settings."""

from dataclasses import dataclass
from typing import Final

from crossroom_engine.core.units import DAY_S
from crossroom_server.config.fields import YES_NO, number, setting, whole_number

MAX_COUNT: Final = 65535
MAX_BYTES: Final = 1 << 30


@dataclass(frozen=True)
class Limits:
    """The numbers; a test, or a host, may choose others."""

    frame: int = setting(
        4096,
        "bytes of one incoming message; one line holds at most 1,024 of them",
        whole_number(1024, MAX_BYTES),
    )
    head: int = setting(
        16 * 1024,
        "bytes of a request before it is a websocket, its headers included",
        whole_number(1024, MAX_BYTES),
    )
    gulp: int = setting(
        64 * 1024,
        "bytes of one connection that are read at once before the pace of sip applies",
        whole_number(1024, MAX_BYTES),
    )
    sip: int = setting(
        8 * 1024,
        "bytes a second, from then on, whatever they are; what comes faster waits",
        whole_number(1, MAX_BYTES),
    )
    burst: int = setting(
        10, "lines that are answered at once before the pace applies", whole_number(1, MAX_COUNT)
    )
    shown: int = setting(
        5, "what a line counts whose answer the whole room sees", whole_number(1, MAX_COUNT)
    )
    pace: float = setting(
        2.0,
        "lines a second that one connection may say, from then on; what comes faster waits, "
        "nothing is dropped",
        number(0.1, MAX_COUNT),
        also="--pace",
    )
    unread: int = setting(
        128 * 1024,
        "bytes that may wait for a slow reader who did not ask for them",
        whole_number(1024, MAX_BYTES),
    )
    answer: int = setting(
        8 * 1024 * 1024,
        "bytes that may wait while an answer is read: a whole game told again is long",
        whole_number(1024, MAX_BYTES),
    )
    stalled: float = setting(
        10.0,
        "seconds without reading a byte of what waits, until the connection is cut",
        number(1, DAY_S),
    )
    opening: float = setting(
        10.0, "seconds to say a whole request, until the connection is closed", number(1, DAY_S)
    )
    introduction: float = setting(
        60.0, "seconds at the door without a word, until the connection is closed", number(1, DAY_S)
    )
    connections: int = setting(
        16,
        "most connections from one address at a time; it may open twice as many in ten minutes; "
        "raise it if a proxy or a container makes all friends look like one",
        whole_number(1, MAX_COUNT),
        also="--connections",
    )
    sockets: int = setting(
        32,
        "TCP connections of one address at a time, those included that have not said a word",
        whole_number(1, MAX_COUNT),
    )
    knocks: int = setting(
        300,
        "TCP connections of one address in a minute, pages included",
        whole_number(1, MAX_COUNT),
    )
    everybody: int | None = setting(
        None,
        "TCP connections at a time, of all addresses together",
        whole_number(1, MAX_BYTES),
        usually="what the system allows, less some for files",
    )
    rooms: int = setting(
        5,
        "rooms that one address may enter in ten minutes without finding anybody there",
        whole_number(1, MAX_COUNT),
    )
    names: int = setting(
        5, "names that one address may register in a day", whole_number(1, MAX_COUNT)
    )
    written: int = setting(
        3000,
        "lines of one address in an hour of the kind that rooms write down for good: talk, moves, "
        "settings, coming in by name; raise it if all friends look like one",
        whole_number(1, MAX_BYTES),
    )
    wrong_codes: int = setting(
        3, "wrong resume codes a minute from one address", whole_number(1, MAX_COUNT)
    )
    own: bool = setting(
        False, "do the limits of one address hold for this machine itself, too?", YES_NO
    )
