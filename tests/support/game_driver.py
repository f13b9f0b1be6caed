"""Tables laid for a test: chosen racks, a chosen bag, a small word list, a clock that is told."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final

import pytest

from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.events import AdjournReason, Event, Played, Seat, Started, TurnBegan
from crossroom_engine.core.moves import (
    Abort,
    Accept,
    Adjourn,
    CallTime,
    Challenge,
    Continue,
    Exchange,
    Forfeit,
    Move,
    OfficialMove,
    Pass,
    Place,
    Resign,
    Undo,
)
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import Letter, TileSet, multiset, spell, take_tiles
from crossroom_engine.game.game import Game, Player, apply, initial_game
from crossroom_engine.game.referee import DecisionContext, decide, decide_official
from crossroom_engine.words.lexicon import Lexicon

NAMES: Final = ("ann", "bob", "cat", "dan")
WORDS: Final = (
    "AT BE BIT CAB CAT CATS COT DOG DOGS FARM FARMS HORN HORNS IT MOB NOT ON PASTE PI QUIZ TAB"
)
"""The word list of most tables."""


@cache
def word_list(words: str, tiles: TileSet) -> Lexicon:
    return Lexicon.from_words("tiny", words.split(), tiles)


class GameDriver:
    """A game, and players who try things.

    Every method that tries something returns the events; a refusal is an :exc:`IllegalMove`, best
    caught by :meth:`refuses`. ``racks`` are texts such as ``"HORN?"``; the bag holds what is left
    of the tile set, or what ``bag`` says. ``board`` has words that lie there: ``{"8F": "HORN"}``.
    """

    def __init__(
        self,
        preset: str = "official",
        racks: Sequence[str] = ("", ""),
        bag: str | None = None,
        *,
        board: Mapping[str, str] | None = None,
        first: Seat = 0,
        words: str = WORDS,
        **changes: Any,
    ) -> None:
        # No rule text says how long a challenge may take; the tests count in twenties.
        self.rules: Ruleset = replace(PRESETS[preset], **{"acceptance": 20, **changes})
        self.now, self.dice = 1_000_000_000, Random(7)
        self.lexicon = word_list(words, self.rules.tiles)
        self.log: list[Event] = []
        started = Started(
            self.rules, NAMES[: len(racks)], self.lexicon.name, self.lexicon.digest, self.now
        )
        game, tiles = initial_game(started), self.rules.tiles
        hands = [tiles.parse_tiles(rack) for rack in racks]
        held = [tile for hand in hands for tile in hand]
        self.game: Game = replace(
            game,
            players=tuple(map(Player, started.players, hands)),
            bag=tiles.parse_tiles(bag) if bag is not None else take_tiles(held, tiles.distribution),
            board=board_with(game.board, tiles, board or {}),
        )
        self._happened([TurnBegan(first, 1, self.now)])

    # What people and the server do.

    def attempt(self, seat: Seat, move: Move) -> list[Event]:
        return self._happened(decide(self.game, seat, move, self._world()))

    def play(self, seat: Seat, at: str, text: str, *swaps: str) -> list[Event]:
        squares = tuple(Spot.parse(swap).square for swap in swaps)
        return self.attempt(seat, Place(Spot.parse(at), text, squares))

    def exchange(self, seat: Seat, tiles: str) -> list[Event]:
        return self.attempt(seat, Exchange(self.rules.tiles.parse_tiles(tiles)))

    def pass_(self, seat: Seat) -> list[Event]:
        return self.attempt(seat, Pass())

    def challenge(self, seat: Seat) -> list[Event]:
        return self.attempt(seat, Challenge())

    def accept(self, seat: Seat) -> list[Event]:
        return self.attempt(seat, Accept())

    def resign(self, seat: Seat) -> list[Event]:
        return self.attempt(seat, Resign())

    def wait(self, seconds: float) -> list[Event]:
        """Let time pass, then look at the clock."""
        self.now += round(seconds * 1000)
        return self._attend(CallTime())

    def adjourn(self, why: AdjournReason = "server") -> list[Event]:
        return self._attend(Adjourn(why))

    def undo(self, seat: Seat) -> list[Event]:
        return self._attend(Undo(seat))

    def abort(self) -> list[Event]:
        return self._attend(Abort())

    def forfeit(self, seat: Seat) -> list[Event]:
        return self._attend(Forfeit(seat))

    def continue_(self) -> list[Event]:
        return self._attend(Continue())

    @contextmanager
    def refuses(self, code: str, prose: str | None = None) -> Iterator[None]:
        """What is tried inside is refused with *code*, and nothing at all has changed."""
        game, before, dice = self.game, repr(self.game), self.dice.getstate()
        with pytest.raises(IllegalMove, match=prose) as caught:
            yield
        assert caught.value.code == code
        assert self.game is game
        assert repr(game) == before
        assert self.dice.getstate() == dice

    # What there is to see.

    @property
    def scores(self) -> list[int]:
        return [player.score for player in self.game.players]

    @property
    def racks(self) -> list[str]:
        return [spell(player.rack) for player in self.game.players]

    @property
    def bag(self) -> str:
        return spell(self.game.bag)

    @property
    def last_play(self) -> Played:
        return next(event for event in reversed(self.log) if isinstance(event, Played))

    def on(self, square: str) -> Letter | None:
        """What lies on a square."""
        return self.game.board[Spot.parse(square).square]

    def _attend(self, duty: OfficialMove) -> list[Event]:
        return self._happened(decide_official(self.game, duty, self._world()))

    def _world(self) -> DecisionContext:
        return DecisionContext(self.lexicon, self.dice, self.now)

    def _happened(self, events: Sequence[Event]) -> list[Event]:
        for event in events:
            self.game = apply(self.game, event)
        self.log += events
        return list(events)


def board_with(board: Board, tiles: TileSet, words: Mapping[str, str]) -> Board:
    letters: dict[Square, Letter | None] = {}
    for at, text in words.items():
        for step, written in enumerate(tiles.parse_play(text)):
            letters[Spot.parse(at).square_at(step)] = written.letter
    return board.with_letters(letters)


def kinds(events: Sequence[Event]) -> list[str]:
    """What happened, in a word each."""
    return [event.kind for event in events]


def all_tiles(game: Game) -> tuple[str, ...]:
    """Every tile of a game, wherever it is."""
    on_board = (letter.tile for _, letter in game.board.items())
    racks = (tile for player in game.players for tile in player.rack)
    return multiset((*game.bag, *on_board, *racks))
