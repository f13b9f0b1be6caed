"""Turns outages of a store into refusals, for callers that people wait for."""

from collections.abc import Iterator
from contextlib import contextmanager

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.store.contract import Unavailable


@contextmanager
def refusing_outages() -> Iterator[None]:
    """Raise :exc:`Unavailable` as a refusal (``INTERNAL``) with the same text."""
    try:
        yield
    except Unavailable as error:
        raise Refusal("INTERNAL", str(error)) from None
