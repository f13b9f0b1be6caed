"""Tables at which bots sit, and brains that do what a test wants."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

import pytest

from crossroom_engine.bots import LEVELS
from crossroom_engine.core.events import Event
from crossroom_engine.core.moves import Move
from crossroom_engine.game.game import Game
from crossroom_engine.game.views import View
from crossroom_server.room import bot_players
from crossroom_server.room.worker_pool import IsOver
from crossroom_server.store.memory import MemoryStore
from tests.support.room_driver import RoomDriver, open_room
from tests.support.virtual_time import until

Choose: TypeAlias = Callable[[View], Any]


class ScriptedLevel:
    """A level that chooses as a test wants; ``seen`` is what it was shown."""

    name, description = "brain", "does what a test wants"

    def __init__(self, choose: Choose, budget_s: float = 5.0) -> None:
        self._choose, self.budget_s = choose, budget_s
        self.seen: list[View] = []
        self.is_over: IsOver = lambda: False
        self.is_quick = budget_s < 1

    def choose(
        self, seen: View, rules: object, lexica: object, random: Random, is_over: IsOver
    ) -> Move | None:
        self.seen.append(seen)
        self.is_over = is_over
        move: Move | None = self._choose(seen)
        return move


def install_level(
    monkeypatch: pytest.MonkeyPatch, choose: Choose, budget_s: float = 5.0
) -> ScriptedLevel:
    """A brain that chooses so; ``/bot add brain`` seats it."""
    brain = ScriptedLevel(choose, budget_s)
    monkeypatch.setattr(bot_players, "LEVELS", {"brain": brain, **LEVELS})
    return brain


def raise_error(seen: View) -> Move:
    raise ZeroDivisionError


def remove_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots do not pause for people."""
    for pause in ("MOVE_DELAY_S", "CHALLENGE_DELAY_S", "RETRY_S"):
        monkeypatch.setattr(bot_players, pause, 0.01)


async def start_bot_game(
    *kinds: str,
    people: Sequence[str] = ("ann",),
    store: MemoryStore | None = None,
    **settings: Any,
) -> RoomDriver:
    """People who begin, then bots of these levels, in a game."""
    driver = await open_room(*people, store=store)
    for setting, value in {"first-player": "seat", **settings}.items():
        await driver.type("ann", f"/set {setting} {value}")
    for kind in kinds:
        await driver.type("ann", f"/bot add {kind}")
    for name in people:
        await driver.type(name, "/ready")
    assert (await driver.table()).playing is not None
    return driver


def game_of(driver: RoomDriver) -> Game:
    ((room, _),) = driver.lobby._rooms.values()
    assert room.table.game is not None
    return room.table.game


def record_of(driver: RoomDriver) -> tuple[Event, ...]:
    ((room, _),) = driver.lobby._rooms.values()
    return room.table.record


async def wait_for_turn(driver: RoomDriver, number: int) -> None:
    """Wait until a turn has come."""
    await until(lambda: game_of(driver).turn == number)
