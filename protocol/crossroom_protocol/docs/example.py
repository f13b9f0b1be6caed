"""The session that the reference shows: real engine, real sentences, tiles drawn by a script."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.events import Started, Withdrawn
from crossroom_engine.core.moves import Challenge, Exchange, Move, Place
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.game.game import Game, replay
from crossroom_engine.game.referee import DecisionContext, decide, start_game
from crossroom_engine.game.views import view
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.moves import PlayCommand
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.events.room import Agreed, Moved, RoomEvent, Said, SeatTaken, redact
from crossroom_protocol.notices import (
    AnyNotice,
    CaughtUp,
    Happened,
    ReaderSettings,
    Refused,
    RoomView,
    SeatView,
    Welcome,
    YourName,
    YourState,
    YourTurn,
)
from crossroom_protocol.text import render, sheets

_RULES: Final = PRESETS["official"]
_CODE: Final = "k7qm-4ftz-9w2h"
_NOON: Final = 1_767_268_800_000
"""In milliseconds since 1970."""


DRAWS: Final = ("AC", "AEIQSUZ", "ABNRSVW", "NORT", "EL", "DGIL", "EIOT")
"""The tiles that are drawn, in order: for the first turn, for the racks, after each move."""
SEAL: Final = "9f2c81d7e05a4b36" * 4
"""Stands for a seal: what a script draws has no seed."""
WORDS: Final = ("QUIZ", "ZEROS")
"""All the words there are."""


class ScriptedDice(Random):
    """Dice that draw what they are told to."""

    def __init__(self, *draws: str) -> None:
        super().__init__(0)
        self._draws = iter(draws)

    def sample(self, population: Sequence[Any], k: int, *, counts: object = None) -> list[Any]:
        """The next draw, whatever there is to draw from."""
        return list(next(self._draws))


class _Session:
    """The lines that alice sends and hears; the other player is told of nothing here."""

    def __init__(self) -> None:
        lexicon = Lexicon.from_words(_RULES.lexicon, WORDS, _RULES.tiles)
        self.context = DecisionContext(lexicon, ScriptedDice(*DRAWS), _NOON)
        self.lines: list[str] = []
        self.log: list[RoomEvent] = []

    @property
    def game(self) -> Game | None:
        moves = [event for event in self.log if isinstance(event, Moved)]
        return replay(step for move in moves for step in move.events) if moves else None

    def room(self) -> RoomView:
        game = self.game
        seats = [event for event in self.log if isinstance(event, SeatTaken)]
        ready = {event.seat for event in self.log if isinstance(event, Agreed)}
        return RoomView(
            room="kitchen",
            seq=len(self.log),
            name="alice",
            seat=0,
            seats=tuple(SeatView(name=s.name, ready=s.seat in ready, here=True) for s in seats),
            watchers=(),
            preset=_RULES.preset,
            lexicon=_RULES.lexicon,
            games=0 if game is None else 1,
            game=None if game is None else view(game, 0),
        )

    def send(self, line: str) -> Command:
        request = read_line(line, in_room=True)
        assert request is not None
        self.lines.append(f"C {line}")
        return request.command

    def hear(self, *notices: AnyNotice) -> None:
        for notice in notices:
            self.lines += [f"S {frame}" for frame in render.render(notice, ReaderSettings())]

    def note(self, event: RoomEvent, *, heard: bool = True) -> None:
        before = self.room()
        self.log.append(event)
        if not heard:
            return
        after = self.room()
        self.hear(self.happened(len(self.log)))
        if after.game and (before.game is None or before.game.rack != after.game.rack):
            self.hear(YourState(room=after))
        turns = [room.game and room.game.turn for room in (before, after)]
        is_taken_back = isinstance(event, Moved) and any(
            isinstance(step, Withdrawn) for step in event.events
        )
        if after.game and after.game.on_turn == 0 and (turns[0] != turns[1] or is_taken_back):
            self.hear(YourTurn(room=after))

    def happened(self, seq: int) -> Happened:
        event = redact(self.log[seq - 1], 0)
        return Happened(seq=seq, at=_NOON, event=event, room=self.room())

    def move(self, seat: int, move: Move) -> None:
        game = self.game
        assert game is not None
        try:
            self.note(Moved(1, seat, decide(game, seat, move, self.context)))
        except IllegalMove as error:
            prose = f"{error.prose}; still your turn {game.turn}"
            self.hear(Refused(code=error.code, command="play", text=prose))

    def play(self, line: str) -> None:
        command = self.send(line)
        assert isinstance(command, PlayCommand)
        self.move(0, Place(Spot.parse(command.at), command.word))


def example_session() -> Iterator[str]:
    """The lines of the session: ``C`` for what the client sends, ``S`` for what it hears."""
    it = _Session()
    it.hear(Welcome(room=it.room().model_copy(update={"name": None}), rules=_RULES))
    it.send("/name alice")
    it.hear(YourName(name="alice", code=_CODE))
    it.note(SeatTaken(0, "a", "alice"))
    it.note(SeatTaken(1, "b", "bob"))
    it.send("/ready")
    it.note(Agreed(0, "alice", True))
    it.note(Agreed(1, "bob", True))
    begun, *dealt = start_game(_RULES, ("alice", "bob"), it.context)
    assert isinstance(begun, Started)
    it.note(Moved(1, None, (replace(begun, seal=SEAL), *dealt)))
    it.play("/play 8E QUIZ")
    it.move(1, Exchange(("V", "W")))
    it.play("/play 1A TEARS")
    it.play("/play H8 ZEROS")
    it.move(1, Place(Spot.parse("12H"), "SNARB"))
    it.send("/challenge")
    it.move(0, Challenge())
    seen = len(it.log)
    it.note(Said("bob", "there goes my SNARB. still with us?"), heard=False)
    it.lines.append("  (the connection is lost; on a new one)")
    it.send(f"/resume {_CODE} {seen}")
    it.hear(
        it.happened(len(it.log)),
        YourState(room=it.room()),
        CaughtUp(room_name="kitchen", seq=len(it.log), rules=_RULES),
    )
    it.hear(YourTurn(room=it.room()))
    it.send("yes, here")
    it.note(Said("alice", "yes, here"))
    it.send("/board")
    game = it.room().game
    assert game is not None
    it.hear(sheets.board_picture(_RULES, game))
    yield from it.lines
