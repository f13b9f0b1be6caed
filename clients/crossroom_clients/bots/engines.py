"""Engines that choose the moves of a program: a function in Python, or another process."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, Protocol

from crossroom_clients.bots.notation import parse_move, read_ucgi
from crossroom_clients.bots.turn import position_cgp
from crossroom_engine.analysis.position import Position, TurnMove
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.tiles import spell
from crossroom_engine.movegen import Play

START_TIMEOUT_S: Final = 30.0
"""Seconds for an engine to start and to say that it is ready."""
STOP_TIMEOUT_S: Final = 2.0
"""Seconds for an engine to end before it is killed."""


class EngineFailed(Exception):
    """An engine has no move: it has ended, was late, or wrote what is none."""


class Engine(Protocol):
    """Chooses moves."""

    async def choose(self, position: Position, seconds: float) -> TurnMove:
        """Return a move for a position, within so many seconds.

        Raises:
            EngineFailed: there is none.
        """
        ...

    async def close(self) -> None:
        """End what has been started."""
        ...


class FunctionEngine:
    """A function that takes a :class:`Position` and returns a move.

    Args:
        function: Called in a thread, one turn after the other.
    """

    def __init__(self, function: Callable[[Position], TurnMove | Play]) -> None:
        self._function = function

    @classmethod
    def named(cls, name: str) -> "FunctionEngine":
        """Return the function called ``module:function``.

        Raises:
            BadText: there is none.
        """
        module, colon, function = name.partition(":")
        try:
            found = getattr(import_module(module), function) if colon else None
        except (ImportError, AttributeError) as error:
            raise BadText(f"{name}: {error}") from None
        if not callable(found):
            raise BadText(f"{name!r} is no function; write module:function")
        return cls(found)

    async def choose(self, position: Position, seconds: float) -> TurnMove:
        """Call the function; one that is late goes on, and its move is not made."""
        try:
            async with asyncio.timeout(seconds):
                move = await asyncio.to_thread(self._function, position)
        except TimeoutError:
            raise EngineFailed(f"the function had no move within {seconds:.1f} s") from None
        except Exception as error:
            raise EngineFailed(f"the function failed: {error!r}") from error
        return move.move if isinstance(move, Play) else move

    async def close(self) -> None:
        """Do nothing."""


class LineProcess:
    """A process that is written lines and writes lines, started anew when it has ended.

    Args:
        command: The program and its arguments; its errors go to our standard error.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_running(self) -> bool:
        """Has it been started, and not ended?"""
        return self._process is not None and self._process.returncode is None

    async def start(self) -> None:
        """Start it.

        Raises:
            OSError: it cannot be started.
        """
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
        )

    async def write(self, line: str) -> None:
        """Write a line; whether it is still read will show."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        with suppress(ConnectionError):
            await self._process.stdin.drain()

    async def read(self) -> str:
        """Read a line, without its end.

        Raises:
            EngineFailed: the process has ended.
        """
        assert self._process is not None
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            raise EngineFailed(f"{self._command[0]} has ended")
        return line.decode("utf-8", "replace").strip()

    async def close(self) -> None:
        """End it: its input ends, and if that does not help, it is killed."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            async with asyncio.timeout(STOP_TIMEOUT_S):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class ProcessEngine:
    """An engine in a process of its own; what it has to say is up to the subclass.

    Args:
        command: The program and its arguments.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._process = LineProcess(command)

    async def choose(self, position: Position, seconds: float) -> TurnMove:
        """Ask the process; if it is late or breaks down, it is started anew for the next turn."""
        try:
            if not self._process.is_running:
                async with asyncio.timeout(START_TIMEOUT_S):
                    await self._process.start()
                    await self._greet()
            async with asyncio.timeout(seconds):
                return await self._ask(position, seconds)
        except TimeoutError:
            await self._process.close()
            raise EngineFailed(f"no move within {seconds:.1f} s") from None
        except (OSError, ValueError) as error:
            await self._process.close()
            raise EngineFailed(str(error)) from error
        except EngineFailed:
            await self._process.close()
            raise

    async def close(self) -> None:
        """End the process."""
        await self._process.close()

    async def _greet(self) -> None:
        """Say what is to be said once, after the start."""

    async def _ask(self, position: Position, seconds: float) -> TurnMove:
        raise NotImplementedError


class CommandEngine(ProcessEngine):
    """A program that reads a JSON object for each turn, and writes a move as people type it."""

    async def _ask(self, position: Position, seconds: float) -> TurnMove:
        await self._process.write(json.dumps(position_json(position, seconds)))
        return parse_move(await self._process.read(), position.rules.tiles)


class UcgiEngine(ProcessEngine):
    """An engine that speaks UCGI."""

    async def _greet(self) -> None:
        for said, awaited in (("ucgi", "ucgiok"), ("isready", "readyok")):
            await self._process.write(said)
            while await self._process.read() != awaited:
                pass
        await self._process.write("ucginewgame")

    async def _ask(self, position: Position, seconds: float) -> TurnMove:
        await self._process.write(f"position cgp {position_cgp(position)}")
        await self._process.write(f"go movetime {int(900 * seconds)}")
        while True:
            word, _, rest = (await self._process.read()).partition(" ")
            if word == "bestmove":
                return read_ucgi(position.rules, position.board, rest.split(" ")[0])


def position_json(position: Position, seconds: float) -> dict[str, Any]:
    """Return what a program is told of its turn; docs/play/programs.md explains each field."""
    return {
        "cgp": position_cgp(position),
        "board": list(position.board.rows),
        "rack": spell(position.rack),
        "scores": list(position.scores),
        "bag": position.bag,
        "unseen": spell(position.unseen),
        "lexicon": position.lexicon.name,
        "preset": position.rules.preset,
        "exchange": position.may_exchange,
        "seconds": round(seconds, 1),
    }
