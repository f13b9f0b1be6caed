"""A bus over core NATS (https://nats.io), which stores nothing."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, Self

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error

from crossroom_server.cluster.bus import BusUnreachable

log = logging.getLogger(__name__)

MAX_QUEUED_MESSAGES: Final = 10_000
"""Messages that may wait to be sent; with more the oldest are lost, which the receivers notice."""
NATS_TIMEOUT_S: Final = 5.0
"""Seconds for a server of NATS to answer."""
PROBE_INTERVAL_S: Final = 0.3
"""Seconds from one answer to the next question whether NATS is there."""
PROBE_TIMEOUT_S: Final = 1.0
"""Seconds for the answer."""


class NatsBus:
    """A :class:`~crossroom_server.cluster.bus.Bus` over NATS; made with :meth:`connect`."""

    def __init__(self, client: Client) -> None:
        self._nats, self._is_closing = client, False
        self._last_error = ""
        self._leaving: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue(MAX_QUEUED_MESSAGES)
        self._answered = asyncio.get_running_loop().time()
        self._working = (
            asyncio.create_task(self._send(), name="bus"),
            asyncio.create_task(self._probe(), name="bus probe"),
        )

    @classmethod
    async def connect(cls, url: str, name: str) -> Self:
        """Connect; a lost connection comes back by itself.

        Args:
            url: As ``nats://host:4222``, or several with commas.
            name: The name of this node, for the people who run NATS.

        Raises:
            BusUnreachable: no server answers there, or none lets us in.
        """
        bus = cls(Client())
        try:
            async with asyncio.timeout(NATS_TIMEOUT_S):
                await bus._nats.connect(
                    url.split(","),
                    name=name,
                    no_echo=True,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=0.2,  # type: ignore[arg-type] # it takes any number
                    connect_timeout=2,
                    ping_interval=2,
                    pending_size=-1,  # while it is away: what is late is worth nothing
                    error_cb=bus._note_error,
                    disconnected_cb=bus._note_loss,
                    reconnected_cb=_note_return,
                )
        except (TimeoutError, OSError, Error) as error:
            await bus.close()
            why = str(error) or bus._last_error or "it does not answer"
            told = f"the bus cannot be reached: {why}; is NATS running there?"
            raise BusUnreachable(told) from None
        return bus

    @property
    def silence(self) -> float:
        return asyncio.get_running_loop().time() - self._answered

    async def listen(self, subject: str, heard: Callable[[bytes], None]) -> None:

        async def receive(message: Msg) -> None:
            try:
                heard(message.data)
            except Exception:
                log.exception("a message could not be dealt with")

        await self._nats.subscribe(subject, cb=receive)
        await self._nats.flush()

    def publish(self, subject: str, message: bytes) -> None:
        if self._leaving.full():
            self._leaving.get_nowait()
            self._leaving.task_done()
        self._leaving.put_nowait((subject, message))

    async def close(self) -> None:
        if self._nats.is_connected:
            try:
                async with asyncio.timeout(NATS_TIMEOUT_S):
                    await self._leaving.join()
                    await self._nats.flush()
            except (TimeoutError, Error):
                log.warning("the bus did not take the last messages")
        self._is_closing = True
        for task in self._working:
            task.cancel()
        await self._nats.close()

    async def _send(self) -> None:
        while True:
            subject, message = await self._leaving.get()
            try:
                await self._nats.publish(subject, message)
            except (Error, OSError) as error:  # it is away; messages may be lost
                log.debug("a message was lost: %s", error)
            finally:
                self._leaving.task_done()

    async def _probe(self) -> None:
        while True:
            if self._nats.is_connected:
                try:
                    await self._nats.flush(PROBE_TIMEOUT_S)  # type: ignore[arg-type] # or a part
                    self._answered = asyncio.get_running_loop().time()
                except (Error, OSError) as error:
                    log.debug("the bus does not answer: %s", error)
            await asyncio.sleep(PROBE_INTERVAL_S)

    async def _note_error(self, error: Exception) -> None:
        self._last_error = str(error) or type(error).__name__
        log.debug("the bus: %s", self._last_error)

    async def _note_loss(self) -> None:
        if not self._is_closing:
            log.warning("the bus is gone; rooms of other nodes cannot be reached until it is back")


async def _note_return() -> None:
    log.warning("the bus is back")
