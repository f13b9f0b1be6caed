"""Rooms as somebody in them sees them."""

from crossroom_engine.game.views import view
from crossroom_protocol.notices import RoomView, SeatView
from tests.support.game_driver import GameDriver


def room_view(
    table: GameDriver | None = None, seat: int | None = None, **changes: object
) -> RoomView:
    """A room, perhaps with a game on its *table*, as the player in that *seat* sees it."""
    names = [player.name for player in table.game.players] if table else []
    seen = RoomView(
        room="kitchen",
        seq=7,
        name=names[seat] if seat is not None else None,
        seat=seat,
        seats=tuple(SeatView(name=name, ready=False, here=True) for name in names),
        watchers=(),
        preset="official",
        lexicon="tiny",
        games=1 if table else 0,
        game=view(table.game, seat) if table else None,
    )
    return seen.model_copy(update=changes)


def game_with_horn(**setup: object) -> GameDriver:
    """A table where ann has played HORn, and bob is on turn."""
    table = GameDriver(**{"racks": ("HORNIT?", "FARMCAT"), **setup})  # type: ignore[arg-type]
    table.play(0, "8F", "HORn")
    return table
