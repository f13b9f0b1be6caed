"""A connection as a room sees it, and who is behind it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from crossroom_protocol.notices import ReaderSettings
from crossroom_server.table.state import Person


class Client(Protocol):
    """One connection, as a room sees it."""

    style: ReaderSettings
    address: str
    base_url: str
    proven: set[str]
    """Comparison keys of the registered names this client has authenticated."""

    def send(self, frames: Sequence[str]) -> None:
        """Queue frames. Never waits, never raises; who reads too slowly is dropped."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Hang up."""
        ...


@dataclass(frozen=True)
class Identity:
    """A connected person, with the digest of their resume code; ``reader``: they listen."""

    person: Person
    digest: str
    reader: bool = False
