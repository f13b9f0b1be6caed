"""Runs the jobs of a room, and makes a refusal of whatever goes wrong."""

import logging
from collections.abc import Awaitable, Callable

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.room.event_log import EventLog
from crossroom_server.room.mailbox import Job
from crossroom_server.room.store_outage import NotStored, Outage
from crossroom_server.store.contract import Conflict, Unavailable
from crossroom_server.store.lease_contract import LeaseLost

log = logging.getLogger(__name__)


class JobRunner:
    """Runs one job after the other.

    Args:
        room: The name of the room.
        event_log: Its log, which is read again when nobody knows what was stored.
        outage: Begins when the store fails, and ends before the next job.
        lose: Called when it turns out that another node has the room.
    """

    def __init__(
        self, room: str, event_log: EventLog, outage: Outage, lose: Callable[[], Awaitable[None]]
    ) -> None:
        self._room, self._log, self._outage, self._lose = room, event_log, outage, lose

    async def run(self, job: Job[object]) -> object:
        """Return what *job* returns, or the refusal that it ended with; raise nothing."""
        try:
            await self._outage.recover()
            return await job()
        except Refusal as refusal:
            return refusal
        except Unavailable as error:
            self._outage.start(error)
            return NotStored(error)
        except LeaseLost as taken:
            await self._lose()
            return Refusal("MOVED", "nothing was done: {taken}", taken=taken)
        except Conflict as conflict:
            told = {"room": self._room, "why": conflict}
            log.warning("room %(room)s: %(why)s; reading it again", told)
        except Exception:
            log.exception("room %(room)s: a request failed", {"room": self._room})
        await self._log.catch_up()
        return Refusal("INTERNAL", "an internal error; /state shows where things stand")
