"""Breaking reference cycles, so that closed rooms and connections are freed at once.

A cycle outlives its end until a full collection (:mod:`crossroom_server.monitoring.gc_policy`),
and those are rare. Each step here says what is left to the collector without it, and for which
version: objects and bytes as ``python -m tools.measure_release`` counts them with websockets 17.4
and asyncio of Python 3.11.7. ``tests/integration/test_no_reference_cycles.py`` guards them all.
"""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar
from weakref import WeakMethod

from websockets.asyncio.server import ServerConnection
from websockets.server import ServerProtocol

P = ParamSpec("P")
R = TypeVar("R")


def weak_callback(method: Callable[P, R]) -> Callable[P, R]:
    """Wrap a bound method for a part of its object, without holding the object.

    Of our own making: 42 objects, 6 kB for each room that is unloaded.

    Raises:
        ReferenceError: by the callback, when the object is gone.
    """
    held = WeakMethod(method)

    def call(*args: P.args, **options: P.kwargs) -> R:
        there = held()
        if there is None:
            raise ReferenceError("the object of this method is gone")
        return there(*args, **options)

    return call


def clear_tracebacks(failure: BaseException | None) -> None:
    """Drop the tracebacks of an exception and its causes: their frames keep locals alive.

    The exceptions that websockets 17.4 keeps: 14 objects, 1 kB for each connection that is lost
    without a word; 49 and 8 kB after a faulty frame; 30 and 4 kB after half a request.
    """
    seen, waiting = set[int](), [failure]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in seen:  # they may be causes of each other
            seen.add(id(one))
            one.__traceback__ = None
            waiting += [one.__cause__, one.__context__]


def close_parser(protocol: ServerProtocol) -> None:
    """Close the generator that waits for more input, and holds the protocol.

    Of websockets 17.4: 11 objects, 1.3 kB for each connection, whichever way it ends.
    """
    protocol.parser.close()


def break_transport_cycle(transport: asyncio.Transport) -> None:
    """Drop the bound method of its own that a closed transport keeps.

    Of asyncio in Python 3.11; later versions drop it themselves, and uvloop's transports have none:
    7 objects, 1 kB for each connection, whichever way it ends.
    """
    getattr(transport, "__dict__", {}).pop("_read_ready_cb", None)


def release_connection(connection: ServerConnection, transport: asyncio.Transport | None) -> None:
    """Break the cycles of a closed websocket; *transport* is the one that it was made on."""
    protocol = connection.protocol
    close_parser(protocol)
    for failure in (protocol.parser_exc, protocol.handshake_exc, connection.connection_exc):
        clear_tracebacks(failure)
    if transport is not None:
        break_transport_cycle(transport)
