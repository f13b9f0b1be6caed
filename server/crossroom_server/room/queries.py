"""What people ask in a room that changes nothing there."""

from functools import partial

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.notices import AnyNotice, Recalled
from crossroom_protocol.text.render import replayed_entry
from crossroom_server.room.analysis_jobs import Study, begin
from crossroom_server.room.audience import Audience, Client
from crossroom_server.room.event_log import Chronicle
from crossroom_server.table.queries import Question, answer
from crossroom_server.table.state import Sources


class Inquiries:
    """Answers for one client or, after ``!``, for the whole room.

    Args:
        audience: Who is there.
        chronicle: The table, and what was told before.
        sources: For the time, and word lists.
    """

    def __init__(self, audience: Audience, chronicle: Chronicle, sources: Sources) -> None:
        self._audience, self._chronicle, self._sources = audience, chronicle, sources

    def answer(self, client: Client, request: Request) -> None:
        """Tell what can be told at once.

        Raises:
            Refusal: there is no answer, or not for everybody.
        """
        question = self._question(client, request)
        self._audience.tell_answer(client, request, partial(answer, question))

    def study(self, client: Client, request: Request) -> Study:
        """What will find an answer that takes thought.

        Raises:
            Refusal: there is no answer, or not for everybody.
        """
        return begin(self._question(client, request))

    async def recall(self, client: Client, request: Request, last: int) -> None:
        """Tell the *last* entries of the log.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        told = await self._chronicle.recall(last, None if request.shown else client)

        def recalled() -> list[AnyNotice]:
            return [
                Recalled(entries=tuple(replayed_entry(happened, client.style) for happened in told))
            ]

        self._audience.tell_answer(client, request, recalled)

    def _question(self, client: Client, request: Request) -> Question:
        """What is asked; if the answer is for everybody, with what a watcher may know."""
        shown, table = request.shown, self._chronicle.table
        if shown and self._audience.known(client) is None:
            raise Refusal("NEED_NAME", "say who you are before you show things: /name YOURNAME")
        if shown and type(request.command).where == "seated":
            raise Refusal("BAD_ARGS", "your tiles are not for the whole room")
        return Question(
            command=request.command,
            room=self._audience.view(table, None if shown else client),
            table=table,
            seat=None if shown else self._audience.game_seat(table, client),
            base_url=client.base_url,
            sources=self._sources,
        )
