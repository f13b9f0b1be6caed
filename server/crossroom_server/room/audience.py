"""Tracks the connections of a room and sends each of them what it may see."""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext, using_language
from crossroom_protocol.commands.parser import Request
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.events.results import FinishedGame
from crossroom_protocol.events.room import LogEntry, Moved, redact
from crossroom_protocol.notices import (
    AnyNotice,
    Happened,
    Note,
    ReaderSettings,
    YourState,
    YourTurn,
)
from crossroom_protocol.text.event_text import seats_told_more
from crossroom_protocol.text.sheets import board_picture
from crossroom_server.identity import names
from crossroom_server.identity.urls import http_url
from crossroom_server.room.client import Client, Identity
from crossroom_server.room.room_views import RoomViews
from crossroom_server.table.moderation import CLOSE_SENT_AWAY, disconnect_reason
from crossroom_server.table.state import Person, Table, Target

_NOBODY: Final[tuple[set[int], ...]] = set(), set()

AnswerFactory: TypeAlias = Callable[[], Iterable[AnyNotice]]
"""Makes an answer in the language in use when it is called."""


class Audience:
    """The connections of one room, and ``views``, what each may see of it.

    None stands for a client who has not given a name.
    """

    def __init__(self, room: str) -> None:
        self._clients: dict[Client, Identity | None] = {}
        self.views = RoomViews(room, self._clients)
        self._held: dict[Client, list[str]] | None = None

    def __len__(self) -> int:
        return len(self._clients)

    def __contains__(self, client: object) -> bool:
        return client in self._clients

    def __iter__(self) -> Iterator[Client]:
        return iter(list(self._clients))

    def add(self, client: Client) -> None:
        """Let somebody in, or keep them as they are."""
        self.views.forget()
        self._clients.setdefault(client, None)

    def identify(self, client: Client, known: Identity) -> None:
        """Bind an identity to a client."""
        self.views.forget()
        self._clients[client] = known

    def remove(self, client: Client) -> Identity | None:
        """Remove a client and return its identity."""
        self.views.forget()
        return self._clients.pop(client, None)

    def disconnect(self, client: Client, why: str) -> bool:
        """Remove a client and close its connection; return whether it was here."""
        if client not in self._clients:
            return False
        if self._held is not None and (held := self._held.pop(client, None)) is not None:
            client.send(held)
        self.remove(client)
        client.close(CLOSE_SENT_AWAY, why)
        return True

    def identity_of(self, client: Client) -> Identity | None:
        """Return the identity of a client; None without a name."""
        return self._clients.get(client)

    def connection_of(self, member: str) -> Client | None:
        """Return the connection of a member."""
        found = (c for c, known in self._clients.items() if known and known.person.member == member)
        return next(found, None)

    @property
    def people(self) -> list[Person]:
        """Everybody with a name who is connected."""
        return [known.person for known in self._clients.values() if known]

    @property
    def members(self) -> set[str]:
        """The identities of everybody with a name who is here."""
        return {person.member for person in self.people}

    def names(self, table: Table, but: str | None = None) -> dict[str, str]:
        """Map comparison keys to the names here and at the *table*, except those of one member."""
        seated = [Person(seat_state.member, seat_state.name) for seat_state in table.seats]
        others = (person for person in (*self.people, *seated) if person.member != but)
        return {names.comparison_key(person.name): person.name for person in others}

    def find(self, table: Table, name: str) -> Target | None:
        """Find a person by name, here or at the *table*; bots are skipped."""
        if (here := self.find_here(name)) is not None:
            return Target(here[1], here[0].address)
        key = names.comparison_key(name)
        for seat_state in table.seats:
            if seat_state.bot is None and names.comparison_key(seat_state.name) == key:
                return Target(Person(seat_state.member, seat_state.name))
        return None

    def find_here(self, name: str) -> tuple[Client, Person] | None:
        """Find a connected person by name, with their connection."""
        key = names.comparison_key(name)
        for client, known in self._clients.items():
            if known is not None and names.comparison_key(known.person.name) == key:
                return client, known.person
        return None

    def check_name_free(self, table: Table, person: Person) -> None:
        """Check that nobody else has this name or a confusable one.

        Raises:
            Refusal: ``NAME_TAKEN``.
        """
        taken = self.names(table, but=person.member).get(names.comparison_key(person.name))
        if taken is not None:
            raise Refusal(
                "NAME_TAKEN",
                "somebody here is called {taken}; choose another name, or if that is you, come "
                "back with your code: /resume CODE",
                taken=taken,
            )

    @contextlib.contextmanager
    def telling_at_once(self) -> Iterator[None]:
        """Send each client what it is told inside in one go, at the end: a write costs the most."""
        held: dict[Client, list[str]] = {}
        self._held = held
        try:
            yield
        finally:
            self._held = None
            for client, frames in held.items():
                client.send(frames)
            self.views.drop_rooms()

    def tell(self, client: Client, notice: AnyNotice, label: str | None = None) -> None:
        """Tell one client."""
        self._send(client, encode(notice, client.style, label))

    def _send(self, client: Client, frames: list[str]) -> None:
        if self._held is None:
            client.send(frames)
        elif (held := self._held.get(client)) is None:
            self._held[client] = frames
        else:
            self._held[client] = held + frames  # the first part may be others', too

    def tell_answer(self, client: Client, request: Request, telling: AnswerFactory) -> None:
        """Send an answer to *client* or, after ``!``, to everybody."""
        told: dict[tuple[ReaderSettings, str | None], list[str]] = {}
        heard: list[tuple[Client, list[str]]] = []
        for reader in self if request.shown else [client]:
            key = (reader.style, request.label if reader is client else None)
            if key not in told:
                with using_language(reader.style.language):
                    notices = list(telling())
                told[key] = [frame for notice in notices for frame in encode(notice, *key)]
            heard.append((reader, told[key]))
        self.tell_who_shows(client, request)  # there is an answer: nothing was refused
        for reader, frames in heard:
            reader.send(frames)

    def tell_who_shows(self, client: Client, request: Request) -> None:
        """Tell everybody who asked, if the answer is for all."""
        known = self.identity_of(client)
        if request.shown and known is not None:
            line = gettext("{name} shows /{do}", name=known.person.name, do=request.command.do)
            self.note("people", line)

    def note(
        self, about: str, *lines: str, member: str | None = None, but: Client | None = None
    ) -> None:
        """Send a note, which is not logged, to everybody, one *member*, or all *but* one."""
        for client, known in list(self._clients.items()):
            is_meant = member is None or (known is not None and known.person.member == member)
            if is_meant and client is not but:
                self.tell(client, Note(about=about, lines=lines))

    def tell_entry(self, table: Table, entry: LogEntry) -> None:
        """Send everybody a log entry, encoding once for all who get the same.

        As text it is the same for all but a few; JSON names the reader. Whoever it sends away
        gets it first: the others see a room without them.
        """
        if (sent := disconnect_reason(entry.what)) is not None:
            member, why = sent
            if (removed := self.connection_of(member)) is not None:
                self.tell(removed, self.entry_for(table, entry, removed))
                self.disconnect(removed, why)
        told: dict[object, list[str]] = {}
        frames: list[str] = []
        last: ReaderSettings | None = None
        seats: Sequence[set[int]] = _NOBODY
        if isinstance(entry.what, Moved):
            seats = [
                seats_told_more(entry.what, table.game, is_short=short) for short in (False, True)
            ]
        for client, known in list(self._clients.items()):
            style, reader = client.style, None
            if known is not None:
                own = seats[style.has_short_lines]
                if style.mode == "json" or (own and table.game_seat_of(known.person.member) in own):
                    reader = client
            if reader is not None or style is not last:  # most are of one kind, and in a row
                kind = (style.kind, reader)
                if kind not in told:
                    told[kind] = encode(self.entry_for(table, entry, reader), style)
                frames, last = told[kind], style if reader is None else None
            self._send(client, frames)

    def entry_for(self, table: Table, entry: LogEntry, client: Client | None) -> Happened:
        """Redact an entry for one client, or for all; *table* is as it was right after it."""
        seat = self.views.game_seat(table, client) if client is not None else None
        room = self.views.view(table, client)
        return Happened(seq=entry.seq, at=entry.at, event=redact(entry.what, seat), room=room)

    def tell_pages(self, games: Iterable[FinishedGame]) -> None:
        """Send everybody the pages of the *games* that have just ended."""
        for game in games:
            told = Phrase("game {game} saved: {page}")
            if game.rated:
                told = Phrase("game {game} saved, and rated: {page}")
            for client in self:
                page = f"{http_url(client.base_url)}/g/{game.page}"
                line = gettext(told, game=game.game, page=page)
                self.tell(client, Note(about="kept", lines=(line,)))

    def tell_states(self, before: Table, table: Table) -> None:
        """Send each player a changed rack, and a prompt when it is on them to act.

        A board comes by itself to those who want it after each move, and, as tiles they have seen
        are gone, after a play is taken back to all whom one reaches in their turn.
        """
        if table.game is None:
            return
        old_board = before.playing.board if before.playing is not None else None
        board = table.game.board
        is_changed = is_taken_back = False
        if old_board is not None and old_board is not board:
            is_changed, is_taken_back = True, board.tile_count < old_board.tile_count
        for client in self:
            seat = self.views.game_seat(table, client)
            wish = client.style.shown_board
            is_prompted = self._is_prompted(before, table, seat) or (
                is_taken_back and _is_to_act(table, seat)
            )
            if not is_prompted and (
                (is_changed and wish == "each") or (is_taken_back and wish == "mine")
            ):
                self._show_board(table, client)
            if seat is None:
                continue
            old = before.playing.players[seat].rack if before.playing is not None else None
            if table.game.players[seat].rack != old:
                self.tell(client, YourState(room=self.views.view(table, client)))
            if is_prompted:
                self.prompt(table, client)

    def prompt_all(self, table: Table) -> None:
        """Prompt everybody on whom it is to act."""
        for client in self:
            self.prompt(table, client)

    def prompt(self, table: Table, client: Client) -> None:
        """Prompt a client, if it is on them to act; those who want it see the board before."""
        if _is_to_act(table, self.views.game_seat(table, client)):
            if client.style.shown_board != "off":
                self._show_board(table, client)
            self.tell(client, YourTurn(room=self.views.view(table, client)))

    def _is_prompted(self, before: Table, table: Table, seat: int | None) -> bool:
        was = before.playing and (before.playing.turn, before.playing.phase)
        now = table.playing and (table.playing.turn, table.playing.phase)
        return was != now and _is_to_act(table, seat)

    def _show_board(self, table: Table, client: Client) -> None:
        game = self.views.view(table, client).game
        if table.game is not None and game is not None:
            self.tell(client, board_picture(table.game.rules, game))


def _is_to_act(table: Table, seat: int | None) -> bool:
    game = table.playing
    if game is None or seat is None or game.adjourned:
        return False
    return seat in game.awaited or (game.phase == "playing" and seat == game.on_turn)
