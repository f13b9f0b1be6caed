"""Carrying out what somebody in a room asks: which part of the room does it."""

from typing import Final

from crossroom_engine.core.moves import CallTime
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands import offers, study
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.commands.table import (
    BotCommand,
    InviteCommand,
    ReadyCommand,
    SetCommand,
    SitCommand,
)
from crossroom_protocol.commands.talk import MeCommand, NameCommand, SayCommand, TellCommand
from crossroom_server.room.analysis_jobs import Study, is_studied
from crossroom_server.room.audience import Audience, Client, Telling
from crossroom_server.room.clock_tasks import Duties
from crossroom_server.room.event_log import Chronicle
from crossroom_server.room.inactivity import Vigil, nudge
from crossroom_server.room.membership import Entrance
from crossroom_server.room.moderation_commands import Keeping
from crossroom_server.room.queries import Inquiries
from crossroom_server.table import moderation, offer_rules
from crossroom_server.table.state import Person, Sources
from crossroom_server.table.table import check_host, decide, is_decided, is_move

_ABOUT_SEATS: Final = (ReadyCommand, SitCommand, SetCommand)
"""Before these, whoever is gone is released; after a restart all are gone at first."""


class Errands:
    """What people have one room do.

    Args:
        room: Its name.
        audience: Who is there.
        sources: What decisions may consult.
        chronicle: The table, and the way to change it.
        entrance: Gives names, and seats to bots.
        duties: Look at the clock before anything is decided.
        vigil: Knows who is gone.
    """

    def __init__(
        self,
        room: str,
        audience: Audience,
        sources: Sources,
        chronicle: Chronicle,
        entrance: Entrance,
        duties: Duties,
        vigil: Vigil,
    ) -> None:
        self._audience, self._sources, self._chronicle = audience, sources, chronicle
        self._entrance, self._duties, self._vigil = entrance, duties, vigil
        self._keeping = Keeping(room, audience, sources, chronicle.commit)
        self._inquiries = Inquiries(audience, chronicle, sources)

    async def run(self, client: Client, request: Request, studies: list[Study]) -> None:
        """Do what a client asks; what takes thought is put into *studies* instead.

        Raises:
            Refusal: it was not done, and nothing has changed.
        """
        if client not in self._audience:
            raise Refusal("NOT_IN_ROOM", "you are not in this room any more")
        command, known = request.command, self._audience.known(client)
        changes_rules = isinstance(command, SetCommand) and command.value != ""
        if known is None and (type(command).where in ("named", "seated") or changes_rules):
            raise Refusal("NEED_NAME", "say who you are first: /name YOURNAME")
        table = self._chronicle.table
        match command:
            case NameCommand(name=name):
                await self._entrance.take_name(client, name)
            case BotCommand(action="add" | "remove" as action, what=what) if known is not None:
                check_host(table, known.person)
                door = self._entrance
                await (door.seat_bot(what) if action == "add" else door.dismiss_bot(what))
            case SetCommand(value=""):
                self._inquiries.answer(client, request)
            case TellCommand() if known is not None:
                self._keeping.whisper(table, client, known.person, request)
            case InviteCommand():
                await self._keeping.invite(table, client, request)
            case _ if known is not None and moderation.keeps_order(command):
                await self.keep_order(known.person, command)
            case study.RecallCommand(last=last):
                await self._inquiries.recall(client, request, last)
            case study.HintCommand() if known is not None:
                decide(table, known.person, command, self._sources)
                studies.append(self._inquiries.study(client, request))
            case _ if known is not None and offer_rules.concerns(command, table):
                await self._agree(known.person, command)
            case offers.NudgeCommand() if known is not None:
                line = nudge(table, known.person, self._vigil, self._audience.members)
                self._audience.note("nudge", line)
                self._audience.prompt_all(table)
            case _ if known is not None and is_decided(command):
                await self._decide(known.person, command)
            case _ if is_studied(command):
                studies.append(self._inquiries.study(client, request))
            case _:
                self._inquiries.answer(client, request)

    async def tell_answer(self, client: Client, request: Request, telling: Telling) -> None:
        """Tell what a study has found, if it may still be told.

        Raises:
            Refusal: it may not.
        """
        known = self._audience.known(client)
        if isinstance(request.command, study.HintCommand) and known is not None:
            await self._decide(known.person, request.command)  # all hear of it, if it is given
        if client in self._audience:
            self._audience.tell_answer(client, request, telling)

    async def keep_order(self, person: Person, command: Command) -> None:
        """Carry out a command of :func:`moderation.keeps_order`; see :meth:`Keeping.keep`."""
        await self._duties.attend(CallTime())
        await self._keeping.keep(self._chronicle.table, person, command)
        await self._chronicle.release_absent()

    async def _agree(self, person: Person, command: Command) -> None:
        await self._duties.attend(CallTime())
        await self._chronicle.release_absent()
        table = self._chronicle.table
        gone = self._vigil.gone(table)
        happenings = offer_rules.decide(table, person, command, gone, self._sources)
        await self._chronicle.commit(happenings)

    async def _decide(self, person: Person, command: Command) -> None:
        if is_move(command):
            await self._duties.attend(CallTime())  # whoever is too late is told so
        elif isinstance(command, SayCommand | MeCommand):
            self._entrance.check_newcomer(person)
        elif isinstance(command, _ABOUT_SEATS):
            await self._chronicle.release_absent()
        happenings = decide(self._chronicle.table, person, command, self._sources)
        await self._chronicle.commit(happenings)
