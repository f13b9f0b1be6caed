"""The health check behind ``/healthz``, for whatever restarts a server that fails."""

import asyncio
from typing import Final

from crossroom_server.monitoring.loop_monitor import LoopMonitor
from crossroom_server.session.server_state import ServerState
from crossroom_server.store.contract import Store, Unavailable

CHECK_TIMEOUT_S: Final = 2.0
"""Time in which a healthy store answers; the event loop must never lag as much."""
RESULT_TTL_S: Final = 1.0
"""Seconds for which a result is reused: a check costs a write, and anybody may ask for one."""


class Health:
    """Checks the event loop and the store.

    Args:
        server: Is it closing?
        store: Can it be read, and written to?
        pulse: How late the loop is; None: nobody feels it.
    """

    def __init__(self, server: ServerState, store: Store, pulse: LoopMonitor | None = None) -> None:
        self._server, self._store, self._pulse = server, store, pulse
        self._asking: asyncio.Task[str | None] | None = None
        self._until = 0.0

    async def problem(self) -> str | None:
        """Return what is wrong, in one line; None if nothing is."""
        if self._server.closing:
            return "stopping"
        if self._server.is_cut_off:
            return "this node alone has lost the bus"
        if self._pulse is not None and self._pulse.max_lag > CHECK_TIMEOUT_S:
            return f"the event loop was {self._pulse.max_lag:.1f} s late"
        now = asyncio.get_running_loop().time()
        if self._asking is None or (self._asking.done() and now > self._until):
            self._asking = asyncio.create_task(self._check_store(), name="health")
            self._until = now + RESULT_TTL_S
        return await asyncio.shield(self._asking)

    async def _check_store(self) -> str | None:
        try:
            async with asyncio.timeout(CHECK_TIMEOUT_S):
                await self._store.check_writable()
        except Unavailable as error:
            return str(error)
        except TimeoutError:
            return "the store does not answer"
        return None
