"""The room as each client may see it; racks are hidden by the engine's ``view``."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypedDict

from crossroom_engine.game.game import Game
from crossroom_engine.game.views import View, view
from crossroom_protocol.events.moderation import RoleGiven
from crossroom_protocol.notices import OpenOffer, RoomView, SeatView
from crossroom_server.room.client import Client, Identity
from crossroom_server.table.moderation import role_of
from crossroom_server.table.page_ids import finished_page
from crossroom_server.table.state import Person, SeatState, Table

if TYPE_CHECKING:
    from crossroom_server.table.permissions import Permissions


class ModerationView(TypedDict):
    """The part of a room view about its owner, moderators and lock."""

    owner: str | None
    moderators: tuple[str, ...]
    door: Literal["open", "password", "invitation"]


class RoomViews:
    """Makes the room as each client may see it, once for each table.

    Args:
        room: Its name.
        clients: Its connections; None for one that has not given a name.
    """

    def __init__(self, room: str, clients: Mapping[Client, Identity | None]) -> None:
        self._room, self._clients = room, clients
        self._views: dict[Client | None, RoomView] = {}
        self._viewed: Table | None = None
        self._games: dict[int | None, View] = {}
        self._game: Game | None = None
        self._page = ""
        self._moderation: tuple[Permissions, tuple[SeatState, ...], ModerationView] | None = None
        self._present: tuple[tuple[SeatView, ...], tuple[str, ...]] = (), ()
        self._viewed_seats: tuple[SeatState, ...] | None = None

    def game_seat(self, table: Table, client: Client) -> int | None:
        """Return the seat in the game whose rack a client may see."""
        known = self._clients.get(client)
        return table.game_seat_of(known.person.member) if known else None

    def view(self, table: Table, client: Client | None) -> RoomView:
        """Return the room as one client may see it; None: as anybody may. Cached per table."""
        if self._viewed is not table:
            self._viewed, self._views = table, {}
        if client not in self._views:
            self._views[client] = self._new_view(table, client)
        return self._views[client]

    def forget(self) -> None:
        """Make all anew the next time: somebody came or went."""
        self._viewed, self._views, self._viewed_seats, self._moderation = None, {}, None, None

    def drop_rooms(self) -> None:
        """Drop what is large and of little more use, once all have been told."""
        self._views = {}

    @property
    def _people(self) -> list[Person]:
        return [known.person for known in self._clients.values() if known]

    def _game_view(self, table: Table, game: Game, seat: int | None) -> View:
        if self._game is not game:
            self._game, self._page = game, finished_page(self._room, table)
            self._games = {None: view(game, None)}
        if seat not in self._games:
            self._games[seat] = view(game, seat, self._games[None])
        return self._games[seat]

    def _seat_views(self, table: Table) -> tuple[tuple[SeatView, ...], tuple[str, ...]]:
        """Return the seats, and the names of the watchers."""
        if self._viewed_seats is not table.seats:
            here, seated = (
                {person.member for person in self._people},
                {seat_state.member for seat_state in table.seats},
            )
            seats = tuple(
                SeatView(
                    name=seat_state.name,
                    ready=seat_state.ready,
                    here=seat_state.bot is not None or seat_state.member in here,
                    bot=seat_state.bot,
                    stand_in=seat_state.stand_in,
                    program=seat_state.program,
                )
                for seat_state in table.seats
            )
            watchers = tuple(sorted(p.name for p in self._people if p.member not in seated))
            self._viewed_seats, self._present = table.seats, (seats, watchers)
        return self._present

    def _new_view(self, table: Table, client: Client | None) -> RoomView:
        known = self._clients.get(client) if client is not None else None
        seat = self.game_seat(table, client) if client is not None else None
        seats, watchers = self._seat_views(table)
        own_seat = table.seat_of(known.person.member) if known else None
        name = known.person.name if known else None
        game = self._game_view(table, table.game, seat) if table.game is not None else None
        return RoomView(
            room=self._room,
            seq=table.seq,
            name=name if own_seat is None else table.seats[own_seat].name,
            seat=own_seat,
            seats=seats,
            watchers=watchers,
            preset=table.rules.preset,
            lexicon=table.rules.lexicon,
            games=table.games,
            game=game,
            role=role_of(table, known.person.member if known else None),
            **self._moderation_view(table),
            offer=_open_offer(table),
            page=self._page if game is not None else "",
        )

    def _moderation_view(self, table: Table) -> ModerationView:
        if self._moderation is None or not (
            self._moderation[0] is table.permissions and self._moderation[1] is table.seats
        ):
            self._moderation = table.permissions, table.seats, self._new_moderation_view(table)
        return self._moderation[2]

    def _new_moderation_view(self, table: Table) -> ModerationView:
        """Return owner and moderators by their present names, and how newcomers come in."""
        lock, owner = table.permissions.lock, table.permissions.owner
        return ModerationView(
            owner=None if owner is None else self._current_name(table, owner),
            moderators=tuple(
                self._current_name(table, one) for one in table.permissions.staff if one != owner
            ),
            door="open" if lock is None else "invitation" if lock.password is None else "password",
        )

    def _current_name(self, table: Table, keeper: RoleGiven) -> str:
        seat = table.seat_of(keeper.member)
        if seat is not None:
            return table.seats[seat].name
        here = (person.name for person in self._people if person.member == keeper.member)
        return next(here, keeper.whom)


def _open_offer(table: Table) -> OpenOffer | None:
    offer = table.offer
    if offer is None:
        return None
    waiting = tuple(table.seats[seat].name for seat in offer.waiting)
    return OpenOffer(what=offer.what, name=offer.name, waiting=waiting, until=offer.until)
