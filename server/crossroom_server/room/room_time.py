"""The time of one room."""

from collections.abc import Callable


class RoomTime:
    """The server's time, in ms since 1970, but never before the log of the room.

    The log may come from a machine whose clock was ahead; then the time goes on from there.

    Args:
        server: The server's time, in ms since 1970.
    """

    def __init__(self, server: Callable[[], int]) -> None:
        self._server, self._ahead, self._latest = server, 0, 0
        self.held: int | None = None
        """When time stood still, in ms since 1970; None: it passes."""

    def now(self) -> int:
        """Return the time of this room."""
        if self.held is not None:
            return max(self.held, self._latest)
        now = self._server() + self._ahead
        if now < self._latest:
            self._ahead += self._latest - now
            return self._latest
        return now

    def observe(self, at: int) -> None:
        """Something in the log happened *at* that time."""
        self._latest = max(self._latest, at)

    def hold(self, jump: int) -> None:
        """Stand still from before the *jump* that the server's time has just made, in ms."""
        if self.held is None:
            self.held = max(self._latest, self._server() + self._ahead - jump)

    def release(self) -> None:
        """Let time pass again."""
        self.held = None
