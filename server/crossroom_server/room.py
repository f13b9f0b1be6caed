"""One table and the people around it.

A room is an actor: one task, one mailbox, no locks. Only its own task touches the table, so a
player who vanishes in the middle of a move cancels their own session and nothing else. The order is
always decide, store, apply, tell: nobody ever hears of a move that a crash could undo.
"""

import contextlib
import logging
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial, reduce
from typing import Final

from crossroom_engine.moves import Adjourn, CallTime, Continue, Move, Official
from crossroom_engine.timing import due_at
from crossroom_protocol import commands, offer_commands
from crossroom_protocol.lines import Request
from crossroom_protocol.notices import (
    AnyNotice,
    Happened,
    Live,
    Note,
    Recalled,
    RoomView,
    Welcome,
    YourName,
    YourState,
)
from crossroom_protocol.refusals import Refusal
from crossroom_protocol.room_events import Entry, Moved, RoomEvent, SeatLeft
from crossroom_protocol.text import past
from crossroom_server import agreements, moderation, names, table
from crossroom_server.alarms import Alarms
from crossroom_server.answers import Question, answer
from crossroom_server.audience import Audience, Client, Known
from crossroom_server.bots import Bots, bot_seat, check_level
from crossroom_server.clocks import begun_again
from crossroom_server.keeping import Keeping
from crossroom_server.mailbox import Job, Mailbox
from crossroom_server.metrics import Metrics
from crossroom_server.order import Proof
from crossroom_server.outage import OVER, NotStored, Outage
from crossroom_server.passwords import prove
from crossroom_server.store import Conflict, Member, Store, Unavailable
from crossroom_server.studies import Study, begin, finish, is_studied
from crossroom_server.table import Person, Sources, Table
from crossroom_server.thinking import Thinkers
from crossroom_server.vigil import Decision, Vigil, missing_players, nudge

log = logging.getLogger(__name__)

_ABOUT_SEATS: Final = (commands.Ready, commands.Sit, commands.Set)
"""Before these, seats of people who are gone are freed; after a restart all are gone at first."""


class Room:
    """A table with the people around it, and their one way to it: the mailbox."""

    def __init__(
        self, name: str, store: Store, sources: Sources, thinkers: Thinkers, metrics: Metrics
    ) -> None:
        self.name, self._metrics = name, metrics
        self.table = Table()
        self._store, self._sources, self._thinkers = store, sources, thinkers
        self._log: list[Entry] = []
        self._audience = Audience(name)
        self._keeping = Keeping(name, self._audience, sources, self._commit)
        self._mail = Mailbox(self._attempt)
        self._alarms = Alarms(self._attend_to)
        self._bots = Bots(self._move_bot, thinkers)
        self._vigil = Vigil(self._audience.note, self._post_decision, sources)
        self._outage = Outage(self._retry)

    # What others call: each waits until the room has dealt with it.

    async def knock(self, client: Client, key: str) -> Proof | None:
        """What *key* proves, a password or the token of an invitation, so that one may enter.

        Raises:
            Refusal: ``BANNED`` or ``NEED_KEY``; they may not come in.
        """
        proof = await prove(self.table.order, key)
        self.table.order.check_door(client.address, proof, self._sources.now())
        return proof

    async def enter(self, client: Client, name: str | None, proof: Proof | None = None) -> None:
        """Come in as a watcher; with a *name*, take it, and a seat if one is free.

        Raises:
            Refusal: ``BANNED`` or ``NEED_KEY``; or else the name cannot be had, and the client is
                in the room nevertheless.
        """
        await self._mail.post(partial(self._enter, client, name, proof))

    async def resume(self, client: Client, known: Known, since: int | None) -> None:
        """Come back as somebody known, whose other connection is closed; hear all after *since*.

        Raises:
            Refusal: somebody else has the name now.
        """
        await self._mail.post(partial(self._resume, client, known, since))

    async def leave(self, client: Client) -> None:
        """Go away. In a game the seat stays."""
        with contextlib.suppress(Refusal):  # gone they are; the seat is freed at the next chance
            await self._mail.post(partial(self._leave, client))

    async def ask(self, client: Client, request: Request) -> None:
        """Carry out a command.

        Raises:
            Refusal: it was not carried out, and nothing changed.
        """
        studies: list[Study] = []
        if (known := self._audience.known(client)) is not None:
            command = await moderation.hidden(self.table, known.person, request.command)
            request = replace(request, command=command)
        with self._metrics.delivery.timed():
            await self._mail.post(partial(self._obey, client, request, studies))
        for study in studies:  # the room goes on meanwhile
            notices = await finish(study, self._thinkers)
            await self._mail.post(partial(self._tell_answer, client, request, notices))

    async def close(self) -> None:
        """Stop the clock, the bots, and everything else that would happen by itself, for good."""
        try:
            await self._mail.post(self._close)
        except Refusal as refusal:
            log.warning(
                "room %(room)s: its clock could not be stopped: %(why)s",
                {"room": self.name, "why": refusal},
            )

    def __contains__(self, client: object) -> bool:
        return client in self._audience

    # For the host, who may look without being there.

    async def keep_order(self, person: Person, command: commands.Union) -> None:
        """Carry out a command that keeps order, for somebody who is not in the room.

        Raises:
            Refusal: nothing was done.
        """
        command = await moderation.hidden(self.table, person, command)
        await self._mail.post(partial(self._keep_order, person, command))

    def look(self) -> RoomView:
        """The room as a watcher sees it."""
        return self._audience.view(self.table, None)

    def recall(self, last: int) -> list[Happened]:
        """The *last* entries of the log, as a watcher heard them."""
        return list(self._told_after(self.table.seq - last, None))

    def now(self) -> int:
        """The time of this room, in ms since 1970."""
        return self._sources.now()

    def send_out(self, why: str) -> int:
        """Hang up on everybody; says how many that were."""
        return sum(self._audience.send_away(client, why) for client in self._audience)

    @property
    def people(self) -> int:
        """Connections in this room now."""
        return len(self._audience)

    @property
    def waiting(self) -> int:
        """Jobs in the mailbox."""
        return len(self._mail)

    # The actor.

    async def run(self) -> None:
        """Serve the mailbox until the room is closed."""
        await self._mail.serve()

    async def _attempt(self, job: Job) -> Refusal | None:
        try:
            await self._mend()
            await job()
        except Refusal as refusal:
            return refusal
        except Unavailable as error:
            if lines := self._outage.begin(error, self._sources.now()):
                self._tell_all("store", *lines)
            return NotStored(error)
        except Conflict as conflict:
            told = {"room": self.name, "why": conflict}
            log.warning("room %(room)s: %(why)s; reading it again", told)
        except Exception:
            log.exception("room %(room)s: a request failed", {"room": self.name})
        else:
            return None
        await self._recover()
        return Refusal("INTERNAL", "a fault of the server; /state shows what holds")

    async def _recover(self) -> None:
        """Stand where the log ends, and tell what in it nobody has been told."""
        try:
            self._follow(await self._store.read(self.name, self.table.seq))
        except Exception:
            log.exception("room %(room)s: its log cannot be followed", {"room": self.name})

    async def open(self) -> None:
        """Stand where the log ends: start, restart and recovery.

        Nobody is charged for the time that the server was away, as far as the log can tell.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        self._log = await self._store.read(self.name)
        self.table = reduce(table.apply, self._log, Table())
        last = self._log[-1].at if self._log else None
        await self._adjourn(at=last)
        self._bots.consider(self.table, self._sources)
        with contextlib.suppress(Unavailable):  # then an offer lapses, and no more
            await self._commit(agreements.reopened(self.table, last, self._sources.now()))
        self._watch()

    async def _close(self) -> None:
        try:
            await self._adjourn()
        finally:
            self._mail.close()
            self._alarms.close()
            self._vigil.close()
            self._outage.close()
            await self._bots.close()

    # Jobs.

    async def _enter(self, client: Client, name: str | None, proof: Proof | None) -> None:
        if client not in self._audience:
            now = self._sources.now()
            invited = self.table.order.check_door(client.address, proof, now)
            await self._commit(moderation.use(invited))
        self._audience.admit(client)
        told = None
        try:
            if name is not None:
                told = await self._recognise(client, names.check(name))
        finally:
            self._welcome(client)
        if told is not None:
            await self._seat_newcomer(client, told)

    def _welcome(self, client: Client) -> None:
        view = self._audience.view(self.table, client)
        self._audience.tell(client, Welcome(room=view, rules=self.table.rules))

    async def _obey(self, client: Client, request: Request, studies: list[Study]) -> None:
        if client not in self._audience:
            raise Refusal("NOT_IN_ROOM", "you are not in this room any more")
        command, known = request.command, self._audience.known(client)
        changes_rules = isinstance(command, commands.Set) and command.value != ""
        if known is None and (type(command).where in ("named", "seated") or changes_rules):
            raise Refusal("NEED_NAME", "say who you are first: /name YOURNAME")
        match command:
            case commands.Nick(name=name):
                await self._take_name(client, name)
            case commands.Bot(action="add" | "remove" as action, what=what) if known is not None:
                table.check_host(self.table, known.person)
                await (self._add_bot(what) if action == "add" else self._remove_bot(what))
            case commands.Set(value=""):
                self._answer(client, request)
            case commands.Tell() if known is not None:
                self._keeping.whisper(self.table, client, known.person, request)
            case commands.Invite():
                await self._keeping.invite(self.table, client, request)
            case _ if known is not None and moderation.keeps_order(command):
                await self._keep_order(known.person, command)
            case commands.Recall(last=last):
                self._recall(client, request, last)
            case commands.Hint() if known is not None:
                table.decide(self.table, known.person, command, self._sources)
                studies.append(begin(self._question(client, request)))
            case _ if known is not None and agreements.concerns(command, self.table):
                await self._attend(CallTime())
                gone = self._vigil.gone(self.table)
                decide = partial(agreements.decide, self.table, known.person, command, gone)
                await self._commit(decide(self._sources))
            case offer_commands.Nudge() if known is not None:
                line = nudge(self.table, known.person, self._vigil, self._audience.members)
                self._audience.note("nudge", line)
                self._audience.prompt_all(self.table)
            case _ if known is not None and table.is_decided(command):
                await self._decide(known.person, command)
            case _ if is_studied(command):
                studies.append(begin(self._question(client, request)))
            case _:
                self._answer(client, request)

    def _answer(self, client: Client, request: Request) -> None:
        self._audience.tell_answer(client, request, answer(self._question(client, request)))

    def _recall(self, client: Client, request: Request, last: int) -> None:
        reader = None if request.shown else client
        told = self._told_after(self.table.seq - last, reader)
        recalled = Recalled(entries=tuple(past(happened, client.style) for happened in told))
        self._audience.tell_answer(client, request, [recalled])

    async def _tell_answer(
        self, client: Client, request: Request, notices: Iterable[AnyNotice]
    ) -> None:
        known = self._audience.known(client)
        if isinstance(request.command, commands.Hint) and known is not None:
            await self._decide(known.person, request.command)  # all hear of it, if it is given
        if client in self._audience:
            self._audience.tell_answer(client, request, notices)

    def _question(self, client: Client, request: Request) -> Question:
        """What is asked; if the answer is for everybody, with what a watcher may know."""
        shown = request.shown
        if shown and self._audience.known(client) is None:
            raise Refusal("NEED_NAME", "say who you are before you show things: /name YOURNAME")
        if shown and type(request.command).where == "seated":
            raise Refusal("BAD_ARGS", "your tiles are not for the whole room")
        return Question(
            command=request.command,
            room=self._audience.view(self.table, None if shown else client),
            table=self.table,
            seat=None if shown else self._audience.game_seat(self.table, client),
            base_url=client.base_url,
            sources=self._sources,
        )

    async def _decide(self, person: Person, command: commands.Union) -> None:
        if table.is_move(command):
            await self._attend(CallTime())  # whoever is too late is told so
        elif isinstance(command, _ABOUT_SEATS):
            await self._vacate_absent()
        await self._commit(table.decide(self.table, person, command, self._sources))

    async def _keep_order(self, person: Person, command: commands.Union) -> None:
        await self._attend(CallTime())
        await self._keeping.keep(self.table, person, command)
        await self._vacate_absent()

    # People.

    async def _take_name(self, client: Client, name: str) -> None:
        name = names.check(name)
        known = self._audience.known(client)
        if known is None:
            await self._seat_newcomer(client, await self._recognise(client, name))
            return
        person = Person(known.person.member, name)
        self.table.order.check_voice(person.member, self._sources.now())
        self.table.order.check_name(name)
        self._audience.check_free(self.table, person)
        chair = self.table.chair_of(person.member)
        happenings = table.rename(self.table, chair, name) if chair is not None else ()
        await self._store.keep_code(known.digest, Member(self.name, person.member, name))
        await self._commit(happenings)
        self._audience.recognise(client, Known(person, known.digest))
        self._audience.tell(client, Note(about="name", lines=(f"you are {name}",)))

    async def _recognise(self, client: Client, name: str) -> YourName:
        """From now on this client has a name here; returns what to tell them of it."""
        person = Person(secrets.token_hex(8), name)
        self.table.order.check_name(name)
        self._audience.check_free(self.table, person)
        code, digest = names.new_code()
        await self._store.keep_code(digest, Member(self.name, person.member, name))
        self._audience.recognise(client, Known(person, digest))
        return YourName(name=name, code=code)

    async def _seat_newcomer(self, client: Client, told: YourName) -> None:
        """Tell somebody their name and code, and give them a seat."""
        self._audience.tell(client, told)
        known = self._audience.known(client)
        if known is not None:
            await self._seat(client, known.person)

    async def _seat(self, client: Client, person: Person) -> None:
        """Give somebody a free seat, if there is one for them."""
        try:
            if len(self.table.chairs) >= self.table.rules.players:
                await self._vacate_absent()
            await self._commit(table.sit(self.table, person))
        except (Refusal, Unavailable) as why:
            lines = (f"you are watching: {why}",)
            self._audience.tell(client, Note(about="watching", lines=lines))
            self._audience.tell_others(client, f"{person.name} is watching")

    async def _resume(self, client: Client, known: Known, since: int | None) -> None:
        person = self._as_seated(known.person)
        self.table.order.check_member(person.member)
        if self.table.chair_of(person.member) is None:  # theirs, until the seat is free
            self._audience.check_free(self.table, person)
        old = self._audience.connection_of(person.member)
        if old is not None and old is not client:
            self._audience.dismiss(old)
            old.close(4001, "replaced by your new connection")
        self._audience.recognise(client, Known(person, known.digest))
        if since is None:
            self._welcome(client)
        else:
            self._replay(client, since)
        view = self._audience.view(self.table, client)
        self._audience.tell(client, YourState(room=view))
        self._audience.tell(client, Live(seq=self.table.seq, rules=self.table.rules))
        self._audience.tell_others(client, f"{person.name} is back")
        if self.table.chair_of(person.member) is None:
            await self._seat(client, person)
        with contextlib.suppress(Unavailable):  # then the bot goes on
            await self._commit(agreements.take_over(self.table, person.member))
        self._audience.prompt(self.table, client)
        await self._await_players()
        self._watch()

    def _as_seated(self, person: Person) -> Person:
        """The same person under the name they have at the table."""
        seat = self.table.chair_of(person.member)
        return person if seat is None else Person(person.member, self.table.chairs[seat].name)

    def _replay(self, client: Client, since: int) -> None:
        """Tell again, exactly, what was told after entry *since*."""
        for happened in self._told_after(since, client):
            self._audience.tell(client, happened)

    def _told_after(self, since: int, client: Client | None) -> Iterator[Happened]:
        then = Table()
        for entry in self._log:
            then = table.apply(then, entry)
            if entry.seq > since:
                yield self._audience.happened(then, entry, client)

    async def _leave(self, client: Client) -> None:
        known = self._audience.dismiss(client)
        if known is None:
            return
        chair = self.table.chair_of(known.person.member)
        if chair is None:
            self._audience.tell_others(None, f"{known.person.name} has left")
        elif self.table.playing is not None:
            self._audience.tell_others(None, f"{known.person.name} is gone; the seat stays")
            self._watch()
            await self._commit(agreements.unready(self.table, self._audience.members))
        else:
            await self._vacate_absent()

    # Bots.

    async def _add_bot(self, level: str) -> None:
        level = check_level(level)
        await self._vacate_absent()
        taken = self._audience.names(self.table)
        bot = Person(f"bot-{secrets.token_hex(4)}", names.unused(f"{level}-bot", taken))
        await self._commit(table.seat_bot(self.table, bot, level, self._sources))

    async def _remove_bot(self, name: str) -> None:
        await self._commit(table.stand_up(self.table, bot_seat(self.table, name)))

    async def _move_bot(self, member: str, version: int, move: Move) -> None:
        await self._mail.post(partial(self._move_as, member, version, move))

    async def _move_as(self, member: str, version: int, move: Move) -> None:
        await self._attend(CallTime())
        game, seat = self.table.playing, self.table.game_seat_of(member)
        if game is None or seat is None or game.version != version:
            return
        if self.table.chairs[seat].mind is None:
            return
        await self._commit(table.move(self.table, seat, move, self._sources))

    # Time.

    async def _attend_to(self, duty: Official) -> None:
        await self._mail.post(partial(self._attend, duty))

    async def _attend(self, duty: Official, at: int | None = None) -> None:
        now = self._sources.now if at is None else (lambda: at)
        sources = replace(self._sources, now=now)
        await self._commit(table.attend(self.table, duty, sources))
        # Also if nothing was due: the clock of the alarms and ours may drift apart.
        self._alarms.set(self.table.playing, self._sources.now())

    async def _adjourn(self, at: int | None = None) -> None:
        if self.table.playing is not None and due_at(self.table.playing) is not None:
            await self._attend(Adjourn(), at)

    def _watch(self) -> None:
        self._vigil.keep(self.table, self._audience.members)

    async def _post_decision(self, decide: Decision) -> None:
        await self._mail.post(partial(self._carry_out, decide))

    async def _carry_out(self, decide: Decision) -> None:
        await self._attend(CallTime())
        await self._commit(decide(self.table, self._audience.members, self._sources))

    async def _await_players(self) -> None:
        """Let a stopped clock run when all players are back, or have been waited for."""
        game = self.table.playing
        if game is None or game.since is not None or game.adjourned:
            return
        wanted = missing_players(self.table, game)
        missing = wanted - self._audience.members
        if missing != wanted:
            self._alarms.lose_patience_later()
        if not missing:
            with contextlib.suppress(Unavailable):  # then patience does it
                await self._attend(Continue())

    # The store is out of order.

    async def _retry(self) -> None:
        await self._mail.post(self._mend)

    async def _mend(self) -> None:
        """After the store has failed: look whether it works again. No time passed meanwhile."""
        if self._outage.since is None:
            return
        with contextlib.suppress(Unavailable):
            await self._store.check()
            await self._adjourn(at=self._outage.since)
            self._outage.end()
            self._tell_all("store", OVER)
            await self._await_players()

    def _tell_all(self, about: str, *lines: str) -> None:
        for client in self._audience:
            self._audience.tell(client, Note(about=about, lines=lines))

    # Decided; now store, apply, tell.

    async def _commit(self, happenings: Iterable[RoomEvent]) -> None:
        now, seq = self._sources.now(), self.table.seq
        entries = [Entry(number, now, what) for number, what in enumerate(happenings, seq + 1)]
        if not entries:
            return
        was_playing = self.table.playing is not None
        with self._metrics.committing(len(entries)):
            await self._store.append(self.name, seq, entries)
        self._follow(entries)
        await self._commit(begun_again(self.table, entries, self._sources.now()))
        if was_playing and self.table.playing is None:
            await self._vacate_absent()
        if isinstance(entries[-1].what, SeatLeft) and self.table.all_ready:
            self._audience.tell_others(None, "all who sit here are ready: one more /ready begins")

    def _follow(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            before, self.table = self.table, table.apply(self.table, entry)
            self._log.append(entry)
            self._audience.tell_entry(self.table, entry)
            if isinstance(entry.what, Moved):
                self._audience.tell_states(before, self.table)
        self._alarms.set(self.table.playing, self._sources.now())
        self._bots.consider(self.table, self._sources)
        self._watch()

    async def _vacate_absent(self) -> None:
        """When no game is played, the seats of those who are gone are free."""
        with contextlib.suppress(Unavailable):  # then at the next chance
            await self._commit(table.vacate(self.table, self._audience.members))
