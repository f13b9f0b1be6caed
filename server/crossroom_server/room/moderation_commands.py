"""Carrying out, in a room, what its owner and moderators ask, and what is said to one alone."""

from collections.abc import Awaitable, Callable, Iterable

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.commands.talk import TellCommand
from crossroom_protocol.events.room import RoomEvent
from crossroom_protocol.notices import AnyNotice, Note
from crossroom_server.room.audience import Audience, Client
from crossroom_server.table import moderation
from crossroom_server.table.queries import invitation
from crossroom_server.table.state import Person, Sources, Table


class Keeping:
    """The order in one room.

    Args:
        room: Its name.
        audience: Who is there.
        sources: What decisions may consult.
        commit: Stores, applies and tells what was decided.
    """

    def __init__(
        self,
        room: str,
        audience: Audience,
        sources: Sources,
        commit: Callable[[Iterable[RoomEvent]], Awaitable[None]],
    ) -> None:
        self._room, self._audience = room, audience
        self._sources, self._commit = sources, commit

    async def keep(self, table: Table, person: Person, command: Command) -> None:
        """Carry out a command of :func:`moderation.keeps_order`; whoever is sent away is gone then.

        Raises:
            Refusal: nothing was done.
        """
        name: str | None = getattr(command, "name", None)
        target = self._audience.find(table, name) if name is not None else None
        await self._commit(moderation.decide(table, person, command, target, self._sources))

    async def invite(self, table: Table, client: Client, request: Request) -> None:
        """Tell what to send to a friend; where the room is locked, with a token.

        Raises:
            Refusal: the room is locked, and not theirs to open.
        """
        known, token = self._audience.known(client), ""
        person = known.person if known is not None else None
        made = moderation.invite(table, person, self._sources.now())
        if made is not None:
            if request.shown:
                raise Refusal("BAD_ARGS", "an invitation is for one person, not for the whole room")
            invited, token = made
            await self._commit((invited,))

        def telling() -> list[AnyNotice]:
            return [invitation(client.base_url, self._room, token)]

        self._audience.tell_answer(client, request, telling)

    def whisper(self, table: Table, client: Client, person: Person, request: Request) -> None:
        """Tell one person here what another says to them.

        Raises:
            Refusal: ``MUTED``, or ``NOBODY`` is called so.
        """
        assert isinstance(request.command, TellCommand)
        to, text = request.command.to, request.command.text
        table.order.check_voice(person.member, person.name, self._sources.now())
        here = self._audience.find_here(to)
        if here is None:
            raise Refusal("NOBODY", "nobody here is called {to}; /who shows them", to=to)
        hearer, whom = here
        heard = Note(
            about="tell", lines=(gettext("{name} tells you: {text}", name=person.name, text=text),)
        )
        self._audience.tell(hearer, heard)
        said = Note(
            about="tell", lines=(gettext("you tell {name}: {text}", name=whom.name, text=text),)
        )
        self._audience.tell(client, said, request.label)
