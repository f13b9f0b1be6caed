"""This engine as a UCGI engine: lines in, lines out, and a thread that thinks."""

import threading
import time
from collections.abc import Callable, Iterable
from random import Random
from typing import Final

from crossroom_clients.bots.notation import write_ucgi
from crossroom_engine.analysis.cgp import read_cgp
from crossroom_engine.analysis.position import Position, TurnMove, best_turn
from crossroom_engine.bots.strategies import think
from crossroom_engine.core.errors import BadText
from crossroom_engine.movegen.leaves import find_leaves
from crossroom_engine.words.lexicon import Lexicon

DEFAULT_SECONDS: Final = 5.0
"""Seconds to think, unless ``go movetime`` says how long."""
LEVELS: Final = ("expert", "solid")
"""The values of the option ``level``."""


class UcgiServer:
    """The state of one dialogue.

    Args:
        write: Called with each line of the answer.
        open_lexicon: Opens the word list that a position names, or the usual one for None.
        level: One of :data:`LEVELS`, until the option ``level`` is set.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        open_lexicon: Callable[[str | None], Lexicon],
        level: str = LEVELS[0],
    ) -> None:
        self._write, self._open_lexicon = write, open_lexicon
        self._position: Position | None = None
        self._level, self._random = level, Random()
        self._stop = threading.Event()
        self._thinking: threading.Thread | None = None

    def serve(self, lines: Iterable[str]) -> None:
        """Answer lines until ``quit`` or their end."""
        for line in lines:
            if line.split()[:1] == ["quit"]:
                break
            try:
                self._answer(line)
            except BadText as error:
                self._write(f"info string {error}")
        self._finish()

    def _answer(self, line: str) -> None:
        match line.split():
            case ["ucgi"]:
                known = " ".join(f"var {level}" for level in LEVELS)
                self._write("id name crossroom")
                self._write("id author the crossroom contributors")
                self._write(f"option name level type combo default {self._level} {known}")
                self._write("ucgiok")
            case ["isready"]:
                self._write("readyok")
            case ["setoption", "name", "level", "value", level] if level in LEVELS:
                self._level = level
            case ["position", "cgp", *words]:
                self._finish()
                self._position = self._read(" ".join(words))
            case ["go", *words]:
                self._finish()
                self._begin(_seconds(words))
            case ["stop"]:
                self._finish()
            case ["ucginewgame"] | []:
                pass
            case _:
                self._write(f"info string not understood: {line.strip()[:60]}")

    def _read(self, cgp: str) -> Position:
        if " moves " in cgp:
            raise BadText("moves after a position are not understood; send the position after them")
        read = read_cgp(cgp)
        if not read.racks[0]:
            raise BadText("the player to move has no tiles")
        return read.to_position(self._open_lexicon(read.lexicon))

    def _begin(self, seconds: float) -> None:
        if self._position is None:
            raise BadText("there is no position")
        self._stop.clear()
        until = time.monotonic() + seconds
        self._thinking = threading.Thread(target=self._think, args=(self._position, until))
        self._thinking.start()

    def _finish(self) -> None:
        """Have the move at once, if one is being looked for."""
        self._stop.set()
        if self._thinking is not None:
            self._thinking.join()
            self._thinking = None

    def _think(self, position: Position, until: float) -> None:
        move = self._choose(position, until)
        self._write(f"bestmove {write_ucgi(position.rules, position.board, move)}")

    def _choose(self, position: Position, until: float) -> TurnMove:
        leaves = find_leaves(position.lexicon, position.rules.tiles)
        if self._level == "solid":
            return best_turn(position, leaves)
        return think(
            position,
            leaves,
            self._random,
            lambda: self._stop.is_set() or time.monotonic() >= until,
        )


def _seconds(words: list[str]) -> float:
    """Read ``movetime 500``, in ms; all else that ``go`` may say is left aside."""
    if "movetime" in words[:-1]:
        text = words[words.index("movetime") + 1]
        if text.isascii() and text.isdecimal():
            return int(text) / 1000
        raise BadText(f"movetime is a number of milliseconds, and not {text}")
    return DEFAULT_SECONDS
