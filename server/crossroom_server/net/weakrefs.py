"""Letting go of what has ended at once, and not when somebody looks for garbage.

What refers to itself, by however many steps, outlives its end until everything in memory has been
looked through (:mod:`crossroom_server.monitoring.gc_policy`), which is seldom. Connections and
rooms come and go all day and are large: they are to go as soon as nobody holds them.
"""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar
from weakref import WeakMethod

P = ParamSpec("P")
R = TypeVar("R")


def weak_callback(method: Callable[P, R]) -> Callable[P, R]:
    """A bound method, to be called by a part of the object that it belongs to.

    It does not hold the object, which must be there when it is called.

    Raises:
        ReferenceError: when called later than that.
    """
    held = WeakMethod(method)

    def call(*args: P.args, **options: P.kwargs) -> R:
        there = held()
        if there is None:
            raise ReferenceError("the object of this method is gone")
        return there(*args, **options)

    return call


def clear_tracebacks(failure: BaseException | None) -> None:
    """Forget through what a failure went, and its causes: they hold all that was going on there."""
    seen, waiting = set[int](), [failure]
    while waiting:
        one = waiting.pop()
        if one is not None and id(one) not in seen:  # they may be causes of each other
            seen.add(id(one))
            one.__traceback__ = None
            waiting += [one.__cause__, one.__context__]


def break_transport_cycle(transport: asyncio.Transport) -> None:
    """Let a closed transport of Python 3.11 go: it holds a method of its own, which holds it.

    Later ones let go of it by themselves, and those of other loops have no such thing.
    """
    getattr(transport, "__dict__", {}).pop("_read_ready_cb", None)
