"""The host's page: the console's commands over a websocket, for whoever has the link to it.

The console gives the link away (``crossroom admin page``), so whoever has it could use the console,
or was sent it by somebody who can. To come from the machine itself proves nothing: it has other
users, and a proxy on it brings everybody.
"""

import asyncio
import hashlib
import json
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from crossroom_protocol.base.clean import clean
from crossroom_protocol.base.refusals import Refusal
from crossroom_server.net.guess_limiter import GuessLimiter

LIFETIME_S: Final = 12 * 3600.0
"""Seconds for which a link is valid."""
MAX_LINKS: Final = 20
TOKEN_TIMEOUT_S: Final = 10.0
"""Seconds for the token to come, which is the first that the page sends."""
_ENDED: Final = "this link is no longer valid"
POLICY_VIOLATION: Final = 1008


class HostLinks:
    """The links that are valid: their tokens, as digests, and until when."""

    def __init__(self) -> None:
        self._valid: dict[str, float] = {}

    def issue(self) -> str:
        """Return the token of a new link; of too many the oldest ends."""
        token = secrets.token_urlsafe(24)
        self._valid[_digest(token)] = time.monotonic() + LIFETIME_S
        while len(self._valid) > MAX_LINKS:
            del self._valid[next(iter(self._valid))]
        return token

    def revoke_all(self) -> int:
        """End all links; return how many there were."""
        ended = len(self._valid)
        self._valid.clear()
        return ended

    def is_valid(self, token: str) -> bool:
        """Tell whether a link with that token is still valid."""
        return self._valid.get(_digest(token), 0.0) > time.monotonic()

    @property
    def any_valid(self) -> bool:
        """Is there a link at all? Otherwise there is no page, either."""
        now = time.monotonic()
        return any(until > now for until in self._valid.values())


def _digest(token: str) -> str:
    # looked up by digest, timing tells nothing that a guesser could steer by
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class HostPage:
    """Serves the sockets of the host's page.

    Args:
        execute: Carries out a command of the console; may refuse.
        links: Who may come.
        guesses: Counts wrong tokens.
    """

    def __init__(
        self,
        execute: Callable[[str], Awaitable[list[str]]],
        links: HostLinks,
        guesses: GuessLimiter,
    ) -> None:
        self._execute, self.links, self._guesses = execute, links, guesses

    async def serve(self, connection: ServerConnection, address: str) -> None:
        """Serve one page until it is closed, or its link ends."""
        try:
            async with asyncio.timeout(TOKEN_TIMEOUT_S):
                token = str(await connection.recv())
            async with self._guesses.attempt(address):
                if not self.links.is_valid(token):
                    raise Refusal("BAD_TOKEN", _ENDED)
            async for line in connection:
                if not self.links.is_valid(token):
                    raise Refusal("BAD_TOKEN", _ENDED)
                await connection.send(json.dumps(await self._answer(str(line))))
        except Refusal as no:
            await connection.close(POLICY_VIOLATION, no.prose)
        except (TimeoutError, ConnectionClosed):
            await connection.close(POLICY_VIOLATION, "no token came")

    async def _answer(self, line: str) -> dict[str, object]:
        try:
            told = await self._execute(line)
        except Refusal as no:
            return {"refused": str(no.prose)}
        return {"told": [clean(text) for text in told]}
