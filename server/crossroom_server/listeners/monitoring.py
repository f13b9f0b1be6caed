"""The port of the metrics: for what watches the server, and for nobody who plays."""

from typing import Final

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.http11 import Request, Response

from crossroom_server.web.site import Site

OPEN_TIMEOUT_S: Final = 10.0
"""Seconds for a request to come."""
MAX_BYTES: Final = 4096
"""Bytes of what a peer may send beyond its request: nobody has anything to say."""


async def listen_for_monitoring(site: Site, host: str, port: int) -> Server:
    """Serve ``/metrics`` and the health checks on a port of their own (0: any that is free).

    Raises:
        OSError: the address cannot be had.
    """

    async def respond(_: ServerConnection, request: Request) -> Response:
        return await site.respond_to_monitoring(request)

    async def never(_: ServerConnection) -> None:
        """Nothing here becomes a websocket."""

    return await serve(
        never,
        host,
        port,
        process_request=respond,
        compression=None,
        max_size=MAX_BYTES,
        open_timeout=OPEN_TIMEOUT_S,
        close_timeout=OPEN_TIMEOUT_S,
        server_header=None,
    )
