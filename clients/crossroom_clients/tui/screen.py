"""The screen of a visit that fills the terminal."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from crossroom_clients.connection.codec import Codec
from crossroom_clients.connection.json_codec import JsonCodec
from crossroom_clients.connection.reconnecting import (
    SERVER_GONE,
    Closed,
    Connection,
    ConnectionEvent,
)
from crossroom_clients.connection.session import OnEntered, do_nothing
from crossroom_clients.tui.app import TableApp
from crossroom_clients.tui.theme_store import ThemeStore


class TableScreen:
    """A terminal that shows the whole table.

    Args:
        opening: What is done for the person when they are in.
        colours: Which to begin with, and where the choice is kept.
        notifies: Do bell, title and notifications tell whose turn it is?
    """

    codec: Codec | None = JsonCodec()

    def __init__(
        self,
        opening: OnEntered = do_nothing,
        colours: ThemeStore | None = None,
        *,
        notifies: bool = True,
    ) -> None:
        self._opening, self._colours, self._notifies = opening, colours, notifies
        self._app: TableApp | None = None
        self._notes: list[str] = []

    def note(self, text: str) -> None:
        """Say something that does not come from the server."""
        if self._app is not None:
            self._app.note(text)
        else:
            self._notes.append(text)

    def print_resume_hints(self, ways: Sequence[str]) -> None:
        """Say, when the screen is as it was before, how to come back."""
        for line in (*self._notes, *ways):
            print(line)

    async def run(self, connection: Connection, told: AsyncIterator[ConnectionEvent]) -> Closed:
        """Show the table until it ends."""
        notes, self._notes = self._notes, []
        app = self._app = TableApp(
            connection, told, self._opening, notes, self._colours, notifies=self._notifies
        )
        running = asyncio.create_task(app.run_async())
        try:
            ended = await asyncio.shield(running)
        except asyncio.CancelledError:  # which Textual would keep to itself
            app.exit()
            await asyncio.gather(running, return_exceptions=True)
            raise
        finally:
            self._app = None
        return ended or Closed(SERVER_GONE, "the table has failed")
