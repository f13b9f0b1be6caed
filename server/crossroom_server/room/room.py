"""Runs one table and the people around it.

A room is an actor: one task, one mailbox, no locks. Only its own task touches the table, so a
player who vanishes in the middle of a move cancels their own session and nothing else.
"""

import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

from crossroom_engine.core.moves import CallTime, Move
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.events.room import LogEntry
from crossroom_protocol.notices import Happened, RoomView
from crossroom_server.monitoring.metrics import Metrics
from crossroom_server.net.weakrefs import weak_callback
from crossroom_server.room.analysis_jobs import run_job
from crossroom_server.room.audience import Audience
from crossroom_server.room.bot_players import BotPlayers
from crossroom_server.room.client import Client, Identity
from crossroom_server.room.clock_tasks import ClockTasks
from crossroom_server.room.dispatch import carry_out, decide, route_of, tell_found
from crossroom_server.room.event_log import EventLog
from crossroom_server.room.inactivity import InactivityMonitor, TimedDecision
from crossroom_server.room.job_runner import JobRunner
from crossroom_server.room.mailbox import Job, Mailbox
from crossroom_server.room.membership import Membership, close_replaced
from crossroom_server.room.parts import RoomParts
from crossroom_server.room.routes import ROUTES
from crossroom_server.room.store_outage import Outage
from crossroom_server.room.worker_pool import WorkerPool
from crossroom_server.store.contract import Store, Unavailable
from crossroom_server.table import offer_rules, table
from crossroom_server.table.moderation import with_hashed_secret
from crossroom_server.table.passwords import check_key
from crossroom_server.table.permissions import EntryProof
from crossroom_server.table.state import Person, Sources, Table

log = logging.getLogger(__name__)


class Room:
    """A table with the people around it, and their one way to it: the mailbox.

    Args:
        name: Its name.
        store: Keeps its log.
        sources: The inputs of decisions.
        workers: Runs its bots and analyses.
        metrics: Counts what happens.
        lose: Called when it turns out that another node has this room; None: there are no others.
    """

    def __init__(
        self,
        name: str,
        store: Store,
        sources: Sources,
        workers: WorkerPool,
        metrics: Metrics,
        lose: Callable[["Room"], Awaitable[None]] | None = None,
    ) -> None:
        self.name, self._metrics, self._pins, self._lose = name, metrics, 0, lose
        self._workers, audience = workers, Audience(name)
        self._mail = Mailbox()
        log = EventLog(name, store, sources, audience, metrics, weak_callback(self._follow_table))
        sources = log.sources
        self._parts = RoomParts(
            name=name,
            audience=audience,
            log=log,
            membership=Membership(name, audience, sources, log),
            clock=ClockTasks(log, audience, sources, self._mail.post),
            inactivity=InactivityMonitor(
                audience.note, weak_callback(self._post_decision), sources
            ),
            sources=sources,
        )
        self._audience, self._log, self._sources = audience, log, sources
        self._membership, self._clock = self._parts.membership, self._parts.clock
        self._inactivity = self._parts.inactivity
        self._bots = BotPlayers(weak_callback(self._move_bot), workers, audience.note)
        self._outage = Outage(log, audience, self._clock, sources, self._mail.post)
        self._runner = JobRunner(name, log, self._outage, weak_callback(self._lose_lease))

    # Requests: each waits until the mailbox has served it.

    async def check_key(self, client: Client, key: str) -> EntryProof | None:
        """Check a password or the token of an invitation; return the proof with which to enter.

        Raises:
            Refusal: ``BANNED`` or ``NEED_KEY``.
        """
        proof = await check_key(self.table.permissions, key)
        self.table.permissions.check_entry(client.address, proof, self._sources.now())
        return proof

    async def redeem_link(self, token: str) -> str:
        """Return a resume code for the one-time *token* of a link to a seat.

        Raises:
            Refusal: ``BAD_TOKEN``, it was used, or is too old.
        """
        return await self._mail.post(partial(self._membership.redeem_link, token))

    async def enter(
        self, client: Client, name: str | None, proof: EntryProof | None = None
    ) -> None:
        """Enter as a watcher; with a *name*, take it, and a seat if one is free.

        Raises:
            Refusal: ``BANNED`` or ``NEED_KEY``; or else the name cannot be had, and the client is
                in the room nevertheless.
        """
        if await self._mail.post(partial(self._membership.enter, client, name, proof)):
            await self._settle(partial(self._settle_arrival, client))

    async def rejoin(
        self, client: Client, known: Identity | None, since: int | None, *, is_brought: bool = False
    ) -> None:
        """Return as *known*, replacing another connection, and hear all after *since*.

        *known* None is a watcher without a name, admitted before. With *is_brought* (the room moved
        to this node), an existing connection of the same member wins and *client* is closed.

        Raises:
            Refusal: ``BANNED``, or somebody else has the name now.
        """
        if is_brought:
            await self._mail.post(partial(self._reattach, client, known, since))
        else:
            await self._mail.post(partial(self._membership.rejoin, client, known, since))
        await self._settle(partial(self._settle_return, client))

    async def mark_registered(self, client: Client) -> None:
        """Mark the name of a client as registered.

        Raises:
            Refusal: that could not be stored; the name is theirs all the same.
        """
        await self._mail.post(partial(self._membership.mark_registered, client))

    async def leave(self, client: Client) -> None:
        """Leave. In a game the seat stays."""
        with contextlib.suppress(Refusal):  # gone they are; the seat is freed at the next chance
            await self._mail.post(partial(self._leave, client))

    async def ask(self, client: Client, request: Request) -> None:
        """Carry out a command.

        Raises:
            Refusal: it was not carried out, and nothing changed.
        """
        secret_field = ROUTES[type(request.command)].secret_field
        if secret_field is not None and (known := self._audience.identity_of(client)) is not None:
            request = request.with_command(
                await with_hashed_secret(self.table, known.person, request.command, secret_field)
            )
        with self._metrics.delivery_time.timed():
            job = await self._mail.post(partial(carry_out, self._parts, client, request))
        if job is not None:  # the room goes on meanwhile
            found = await run_job(job, self._workers)
            await self._mail.post(partial(tell_found, self._parts, client, request, found))

    async def close(self) -> None:
        """Stop the clock, the bots, and the timers for good."""
        try:
            await self._mail.post(self._close)
        except Refusal as refusal:
            log.warning(
                "room %(room)s: its clock could not be stopped: %(why)s",
                {"room": self.name, "why": refusal},
            )

    async def is_seated(self, member: str) -> bool:
        """Does this member sit at the table?"""
        return self.table.seat_of(member) is not None

    async def preset(self) -> str:
        """Return the preset that the rules are made from."""
        return self.table.rules.preset

    async def restyle(self, client: Client) -> None:
        """Keep with a seat what its owner has just set; a local client applies it itself."""
        with contextlib.suppress(Refusal):  # they read it so, even if that could not be stored
            await self._mail.post(partial(self._membership.keep_reader, client))

    def identity_of(self, client: Client) -> Identity | None:
        """Return the identity of a client; None without a name."""
        return self._audience.identity_of(client)

    def last_seen_seq(self, _: Client) -> int:
        """Return the number of the last entry that a client here has heard."""
        return self.table.seq

    @property
    def is_over(self) -> bool:
        """Is it closed for good?"""
        return self._mail.is_closed

    def __contains__(self, client: object) -> bool:
        return client in self._audience

    @contextlib.contextmanager
    def pinned(self) -> Iterator[None]:
        """Keep the room loaded while somebody uses it without being in it."""
        self._pins += 1
        try:
            yield
        finally:
            self._pins -= 1

    @property
    def idle_since(self) -> float | None:
        """Loop time of the last job, in seconds; None while somebody is here or work is due."""
        doing = self._clock, self._inactivity, self._bots, self._audience
        if self._pins or any(len(one) for one in doing) or not self._mail.is_empty:
            return None
        if self.table.offer is not None or self._outage.since is not None:
            return None
        return self._mail.idle_since

    # For the host.

    async def moderate(self, person: Person, command: Command) -> None:
        """Carry out a moderation command for somebody who is not in the room.

        Raises:
            Refusal: nothing was done.
        """
        route = route_of(command, self.table)
        if route.secret_field is not None:
            command = await with_hashed_secret(self.table, person, command, route.secret_field)
        await self._mail.post(partial(decide, self._parts, person, command, route))

    def view(self) -> RoomView:
        """Return the room as a watcher sees it."""
        return self._audience.views.view(self.table, None)

    async def recall(self, last: int) -> list[Happened]:
        """Return the *last* entries of the log as a watcher heard them."""
        return await self._log.recall(last, None)

    @property
    def table(self) -> Table:
        """The table as it is now."""
        return self._log.table

    @property
    def newest(self) -> LogEntry | None:
        """The newest entry of the log, if there is one."""
        return self._log.newest

    def excuse(self, jump: int) -> None:
        """Let nobody's clock run during a *jump* of the server's time, in ms."""
        self._clock.excuse(jump)

    def now(self) -> int:
        """Return the time of this room, in ms since 1970."""
        return self._sources.now()

    def disconnect_all(self, why: str) -> int:
        """Disconnect everybody; return their number."""
        return sum(self._audience.disconnect(client, why) for client in self._audience)

    @property
    def connection_count(self) -> int:
        """Connections in this room now."""
        return len(self._audience)

    @property
    def queued_jobs(self) -> int:
        """Jobs in the mailbox."""
        return len(self._mail)

    # The actor.

    async def run(self) -> None:
        """Serve the mailbox until the room is closed."""
        await self._mail.serve(self._runner.run)

    async def open(self) -> None:
        """Replay the log, at first or after a restart, charging nobody for the downtime.

        Raises:
            Unavailable, CorruptLog: the log cannot be read.
        """
        last = await self._log.open()
        self._inactivity.start(self.table, last)
        await self._clock.stop(at=last)
        self._bots.update(self.table, self._sources)
        with contextlib.suppress(Unavailable):  # then it counts
            await self._clock.forgive_downtime(last)
        with contextlib.suppress(Unavailable):  # then an offer lapses, and no more
            await self._log.commit(
                offer_rules.offer_after_restart(self.table, last, self._sources.now())
            )
        self._watch()

    async def _close(self) -> None:
        try:
            await self._clock.stop()
        finally:
            await self.abandon()

    async def abandon(self) -> None:
        """Stop everything, storing nothing more."""
        self._mail.close()
        self._clock.close()
        self._inactivity.close()
        self._outage.close()
        await self._bots.close()

    async def _lose_lease(self) -> None:
        if self._lose is not None:
            await self._lose(self)

    # People.

    async def _settle(self, job: Job[None]) -> None:
        """Do what follows when somebody is in: they are, even if this cannot be done now."""
        with contextlib.suppress(Refusal):
            await self._mail.post(job)

    async def _settle_arrival(self, client: Client) -> None:
        await self._membership.settle_arrival(client)
        await self._clock.await_players()
        self._watch()

    async def _settle_return(self, client: Client) -> None:
        await self._membership.settle_return(client)
        await self._clock.await_players()
        self._watch()

    async def _reattach(self, client: Client, known: Identity | None, since: int | None) -> None:
        if known is not None and self._audience.connection_of(known.person.member) is not None:
            close_replaced(client)
        else:
            await self._membership.rejoin(client, known, since)

    async def _leave(self, client: Client) -> None:
        try:
            await self._membership.leave(client)
        finally:
            self._watch()

    # Bots.

    async def _move_bot(self, member: str, version: int, move: Move) -> None:
        await self._mail.post(partial(self._move_as, member, version, move))

    async def _move_as(self, member: str, version: int, move: Move) -> None:
        await self._clock.run(CallTime())
        game, seat = self.table.playing, self.table.game_seat_of(member)
        if game is None or seat is None or game.version != version:
            return
        if self.table.seats[seat].bot_level is None:
            return
        await self._log.commit(table.move(self.table, seat, move, self._sources))

    # Time.

    def _follow_table(self) -> None:
        """Update timers and bots after a change of the table."""
        if self.is_over:
            return  # another node may have it, while the last entry was being stored here
        self._clock.update()
        self._bots.update(self.table, self._sources)
        self._watch()

    def _watch(self) -> None:
        self._inactivity.update(self.table, self._audience.members)

    async def _post_decision(self, decide: TimedDecision) -> None:
        await self._mail.post(partial(self._carry_out, decide))

    async def _carry_out(self, decide: TimedDecision) -> None:
        await self._clock.run(CallTime())
        await self._log.commit(decide(self.table, self._audience.members, self._sources))
