"""A turn of a program: what it may know, and the ways to use it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property

from crossroom_engine.analysis.cgp import CgpPosition, Operation, write_cgp
from crossroom_engine.analysis.position import Position, TurnMove
from crossroom_engine.core.moves import Exchange, Pass, Place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import spell
from crossroom_engine.game.views import View
from crossroom_engine.movegen import Play
from crossroom_engine.words.lexicon import Lexicon


class CommandRefused(Exception):
    """The server refused a command; nothing was done.

    Attributes:
        code: The code of the refusal, such as ``NOT_IN_RACK``; protocol/PROTOCOL.md lists them.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code


def move_line(move: TurnMove) -> str:
    """Write a move as the line that makes it: ``/play 8H WORD``."""
    match move:
        case Place(spot=spot, text=text, swaps=swaps):
            taken = f" swap={','.join(map(str, swaps))}" if swaps else ""
            return f"/play {spot} {text}{taken}"
        case Exchange(tiles=tiles):
            return f"/exchange {spell(tiles) or 'none'}"
        case Pass():
            return "/pass"


def position_cgp(position: Position) -> str:
    """Write a position in CGP, with no rack but one's own, and the name of the word list."""
    racks = (position.rack, *((),) * len(position.others))
    return write_cgp(
        CgpPosition(
            rules=position.rules,
            board=position.board,
            racks=racks,
            scores=position.scores,
            scoreless=position.scoreless,
            operations=(Operation("lex", position.lexicon.name),),
        )
    )


@dataclass(frozen=True)
class Turn:
    """One turn, to be used once.

    Attributes:
        view: The game as the seat sees it.
        rules: The rules of the game.
        lexicon: Its word list.
        seconds_left: Seconds until the clock or the limit of the turn is over, when the turn was
            told; None without either.
    """

    view: View
    rules: Ruleset
    lexicon: Lexicon
    seconds_left: float | None
    _ask: Callable[[str], Awaitable[None]]

    @property
    def number(self) -> int:
        """The number of the turn in its game, from 1 on."""
        return self.view.turn

    @cached_property
    def position(self) -> Position:
        """The position, as the functions of ``crossroom_engine.analysis`` take it."""
        return Position.from_view(self.view, self.rules, self.lexicon)

    @property
    def cgp(self) -> str:
        """The position in CGP; see :func:`position_cgp`."""
        return position_cgp(self.position)

    async def play(self, move: TurnMove | Play) -> None:
        """Make a move, in this turn or not at all.

        Raises:
            CommandRefused: the move is against the rules; the turn goes on. ``STALE_TURN``: the
                turn is over.
        """
        line = move_line(move.move if isinstance(move, Play) else move)
        await self._ask(f"{line} turn={self.number}")
