"""Admits people to a room, gives them names and seats, and lets them return and leave."""

import contextlib
import secrets
from dataclasses import replace

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.notices import CaughtUp, Note, Welcome, YourName, YourState
from crossroom_server.identity import names
from crossroom_server.identity.codes import new_code
from crossroom_server.room.audience import Audience
from crossroom_server.room.bot_players import find_bot, find_level
from crossroom_server.room.client import Client, Identity
from crossroom_server.room.event_log import EventLog
from crossroom_server.room.seat_links import SeatLinks
from crossroom_server.store.contract import CodeOwner, Unavailable
from crossroom_server.table import moderation, offer_rules, table
from crossroom_server.table.permissions import EntryProof
from crossroom_server.table.slow_talk import check_talk
from crossroom_server.table.state import Person, Sources


def close_replaced(client: Client) -> None:
    """Close a connection that the same member has replaced."""
    client.close(4001, gettext("replaced by your new connection"))


class Membership:
    """The people and bots of one room.

    Args:
        room: Its name.
        audience: Their connections.
        sources: The time.
        event_log: The table, and the way to change it.
    """

    def __init__(
        self, room: str, audience: Audience, sources: Sources, event_log: EventLog
    ) -> None:
        self._room, self._audience = room, audience
        self._sources, self._log = sources, event_log
        self._links = SeatLinks()
        self._joined_at: dict[str, int] = {}
        """When members came in while talk was slow, in ms since 1970; old ones are dropped."""

    def new_link(self, person: Person) -> str:
        """Return the token of a link that takes the seat of *person* to another device."""
        return self._links.issue(person, self._sources.now())

    async def redeem_link(self, token: str) -> str:
        """Return a resume code for the token of a link.

        Raises:
            Refusal: ``BAD_TOKEN``, it was used, or is too old; or the code could not be stored.
        """
        person = self._as_seated(self._links.redeem(token, self._sources.now()))
        code, digest = new_code()
        await self._save_code(digest, person)
        return code

    async def enter(self, client: Client, name: str | None, proof: EntryProof | None) -> bool:
        """Let somebody in as a watcher; with a *name*, give it to them.

        Return whether they have a name, and :meth:`settle_arrival` is due.

        Raises:
            Refusal: ``BANNED`` or ``NEED_KEY``; or else the name cannot be had, and the client is
                in the room nevertheless.
        """
        if client not in self._audience:
            permissions = self._log.table.permissions
            invited = permissions.check_entry(client.address, proof, self._sources.now())
            await self._log.commit(moderation.consume_invitation(invited))
        self._audience.add(client)
        told = None
        try:
            if name is not None:
                told = await self._give_name(client, names.check_name(name))
        finally:
            self._welcome(client)
        if told is not None:
            self._audience.tell(client, told)
        return told is not None

    async def take_name(self, client: Client, name: str) -> None:
        """Name or rename a client; their first name here brings a seat, too.

        Whoever has proven that a name here is theirs takes over its seat and what else it has.

        Raises:
            Refusal: the name cannot be had, or they may not change theirs now.
        """
        name = names.check_name(name)
        known = self._audience.identity_of(client)
        owner = self._owner(client, name)
        takes_over = owner is not None and not (known and self._is_bound(known.person, owner))
        if known is None or takes_over:
            self._audience.tell(client, await self._give_name(client, name))
            await self.settle_arrival(client)
            return
        person = Person(known.person.member, name, names.comparison_key(name) in client.proven)
        at_table = self._log.table
        # A new name is no new voice: who may not talk yet, or not at all, keeps the old one.
        check_talk(at_table.permissions, person.member, known.person.name, self._sources.now())
        at_table.permissions.check_name(name)
        self._audience.check_name_free(at_table, person)
        seat = at_table.seat_of(person.member)
        happenings = table.rename(at_table, seat, person) if seat is not None else ()
        await self._save_code(known.digest, person, client)
        await self._log.commit(happenings)
        self._audience.identify(client, replace(known, person=person))
        self._audience.tell(
            client, Note(about="name", lines=(gettext("you are {name}", name=name),))
        )

    async def mark_registered(self, client: Client) -> None:
        """Mark the name of a client as registered."""
        known = self._audience.identity_of(client)
        if known is None:
            return
        person, at_table = replace(known.person, registered=True), self._log.table
        seat = at_table.seat_of(person.member)
        await self._save_code(known.digest, person, client)
        if seat is not None:
            await self._log.commit(table.rename(at_table, seat, person))
        self._audience.identify(client, replace(known, person=person))

    async def rejoin(self, client: Client, known: Identity | None, since: int | None) -> None:
        """Let somebody return: close their other connection, replay all after *since*.

        Nothing is stored after they were told, so that it can be tried again elsewhere if it fails;
        :meth:`settle_return` does what is left.

        Raises:
            Refusal: ``BANNED``, or somebody else has the name now.
        """
        if self._audience.identity_of(client) is not None:
            await self.leave(client)
        member = known.person.member if known is not None else None
        self._log.table.permissions.check_address(client.address, member)
        missed = await self._log.since(since) if since is not None else None
        if known is None:
            self._audience.add(client)
        else:
            self._replace(client, known)
        at_table = self._log.table
        if missed is None:
            self._welcome(client)
        else:
            async for happened in self._log.replayed(missed, client):
                self._audience.tell(client, happened)
        self._audience.tell(client, YourState(room=self._audience.views.view(at_table, client)))
        self._audience.tell(
            client, CaughtUp(room_name=self._room, seq=at_table.seq, rules=at_table.rules)
        )

    def _replace(self, client: Client, known: Identity) -> None:
        """Make *client* the only connection of a member."""
        person, at_table = self._as_seated(known.person), self._log.table
        at_table.permissions.check_member(person.member)
        if at_table.seat_of(person.member) is None:  # theirs, until the seat is free
            self._audience.check_name_free(at_table, person)
            self._remember_join(person)  # a player who was cut off may go on talking
        old = self._audience.connection_of(person.member)
        if old is not None and old is not client:
            self._audience.remove(old)
            close_replaced(old)
        self._audience.identify(client, replace(known, person=person))

    async def settle_return(self, client: Client) -> None:
        """Announce a return, and seat the member or take them over from a bot."""
        known = self._audience.identity_of(client)
        if known is None:
            return
        person = known.person
        self._audience.note("people", gettext("{name} is back", name=person.name), but=client)
        if self._log.table.seat_of(person.member) is None:
            await self._seat(client, person)
        with contextlib.suppress(Unavailable):  # then the bot goes on
            back = offer_rules.replace_stand_in(self._log.table, person.member)
            await self._log.commit(back)
        self._audience.prompt(self._log.table, client)

    async def leave(self, client: Client) -> None:
        """Remove a client. In a game the seat stays."""
        known = self._audience.remove(client)
        if known is None:
            return
        at_table, name = self._log.table, known.person.name
        if at_table.seat_of(known.person.member) is None:
            self._audience.note("people", gettext("{name} has left", name=name))
            return
        if at_table.playing is not None:
            self._audience.note(
                "people", gettext("{name} has disconnected; the seat is kept", name=name)
            )
        await self._log.release_absent()

    def check_talk(self, person: Person) -> None:
        """Check that *person* may talk now.

        Raises:
            Refusal: ``MUTED`` or ``SLOW_DOWN``.
        """
        permissions, joined = self._log.table.permissions, self._joined_at.get(person.member, 0)
        check_talk(permissions, person.member, person.name, self._sources.now(), joined)

    async def seat_bot(self, level: str) -> None:
        """Give a bot of that *level* a free seat.

        Raises:
            Refusal: there is no such level, or no free seat.
        """
        level = find_level(level)
        await self._log.release_absent()
        at_table = self._log.table
        name = names.first_free(f"{level}-bot", self._audience.names(at_table))
        bot = Person(f"bot-{secrets.token_hex(4)}", name)
        await self._log.commit(table.seat_bot(at_table, bot, level, self._sources))

    async def remove_bot(self, name: str) -> None:
        """Free the seat of the bot of that name.

        Raises:
            Refusal: there is none, or it plays.
        """
        at_table = self._log.table
        await self._log.commit(table.leave_seat(at_table, find_bot(at_table, name)))

    def _welcome(self, client: Client) -> None:
        now = self._log.table
        view = self._audience.views.view(now, client)
        self._audience.tell(client, Welcome(room=view, rules=now.rules))

    async def _give_name(self, client: Client, name: str) -> YourName:
        """Give a client its first name here, with a resume code; or what it has here already."""
        owner = self._owner(client, name)
        is_proven = names.comparison_key(name) in client.proven
        person = owner or Person(secrets.token_hex(8), name, is_proven)
        if owner is None:
            self._log.table.permissions.check_name(name)
            self._audience.check_name_free(self._log.table, person)
        code, digest = new_code()
        await self._save_code(digest, person, client)
        known = Identity(person, digest, client.style.reader)
        if owner is None:
            self._audience.identify(client, known)
            self._remember_join(person)
        else:
            self._replace(client, known)
        return YourName(name=person.name, code=code, registered=person.registered)

    def _owner(self, client: Client, name: str) -> Person | None:
        """Return who has a name here that the client has proven to be theirs."""
        key = names.comparison_key(name)
        if key not in client.proven:
            return None
        for seat in self._log.table.seats:
            if seat.registered and names.comparison_key(seat.name) == key:
                return Person(seat.member, seat.name, registered=True)
        here = self._audience.find_here(name)
        return here[1] if here is not None and here[1].registered else None

    def _is_bound(self, person: Person, owner: Person) -> bool:
        """Is somebody the *owner* of a name already, or at the table under another name?"""
        return person.member == owner.member or self._log.table.seat_of(person.member) is not None

    def _remember_join(self, person: Person) -> None:
        if not self._log.table.permissions.slow:
            return
        now = self._sources.now()
        self._joined_at.pop(person.member, None)
        self._joined_at[person.member] = now  # who came last is the last key
        oldest = now - moderation.MAX_SLOW_S * 1000
        while self._joined_at[first := next(iter(self._joined_at))] < oldest:
            del self._joined_at[first]

    async def keep_reader(self, client: Client) -> None:
        """Keep with the seat whether its owner listens, if that has changed."""
        known = self._audience.identity_of(client)
        if known is not None and known.reader != client.style.reader:
            await self._save_code(known.digest, known.person, client)
            self._audience.identify(client, replace(known, reader=client.style.reader))

    async def _save_code(self, digest: str, person: Person, client: Client | None = None) -> None:
        now, name = self._sources.now(), person.name
        reader = client is not None and client.style.reader
        member = CodeOwner(self._room, person.member, name, person.registered, now, reader)
        await self._log.store.save_code(digest, member)

    async def settle_arrival(self, client: Client) -> None:
        """Give somebody with a new name a seat, or tell the others that they watch or are back."""
        known = self._audience.identity_of(client)
        if known is not None and self._log.table.seat_of(known.person.member) is not None:
            view = self._audience.views.view(self._log.table, client)
            self._audience.tell(client, YourState(room=view))
            await self.settle_return(client)
        elif known is not None and not await self._seat(client, known.person):
            line = gettext("{name} is watching", name=known.person.name)
            self._audience.note("people", line, but=client)

    async def _seat(self, client: Client, person: Person) -> bool:
        """Give somebody a free seat, or tell them that they watch."""
        try:
            now = self._log.table
            if len(now.seats) >= now.rules.players:
                await self._log.release_absent()
            await self._log.commit(table.sit(self._log.table, person))
        except (Refusal, Unavailable) as why:
            lines = (gettext("you are watching: {why}", why=why),)
            self._audience.tell(client, Note(about="watching", lines=lines))
            return False
        return True

    def _as_seated(self, person: Person) -> Person:
        """Return a person under the name they have at the table."""
        seat = self._log.table.seat_of(person.member)
        if seat is None:
            return person
        seat_state = self._log.table.seats[seat]
        return Person(person.member, seat_state.name, seat_state.registered)
