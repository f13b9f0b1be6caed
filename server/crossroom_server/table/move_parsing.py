"""Turns commands into moves of the engine, and adds hints to refused ones."""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import BadText, IllegalMove
from crossroom_engine.core.moves import Challenge, Exchange, Move, Place, Resign
from crossroom_engine.core.tiles import TileSet, spell
from crossroom_engine.game.game import Game
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext, join_texts
from crossroom_protocol.commands.analysis import TryCommand
from crossroom_protocol.commands.base import MoveCommand
from crossroom_protocol.commands.moves import (
    ChallengeCommand,
    ExchangeCommand,
    PlayCommand,
    ResignCommand,
)
from crossroom_server.table.state import Table

C = TypeVar("C", bound=MoveCommand | TryCommand)
M = TypeVar("M", bound=Move)

ReadMove: TypeAlias = Callable[[C, Game | None, TileSet], M]
"""Reads a command as a move in a game, if one has begun; its errors are those of the engine."""


def read_move(read: ReadMove[C, M], command: C, table: Table) -> M:
    """Return the move that *read* finds in a command at a *table*.

    Raises:
        Refusal: ``STALE_TURN``, or the notation cannot be read.
    """
    turn, game = getattr(command, "turn", None), table.game
    if turn is not None and game is not None and turn != game.turn:
        raise Refusal(
            "STALE_TURN", "that was for turn {turn}; it is turn {now} now", turn=turn, now=game.turn
        )
    try:
        return read(command, game, (game.rules if game is not None else table.rules).tiles)
    except BadText as error:
        raise Refusal("BAD_ARGS", str(error)) from None
    except IllegalMove as error:
        raise Refusal(error.code, error.prose) from None


def read_play(command: PlayCommand | TryCommand, _: Game | None, __: TileSet) -> Place:
    """Read a word and its place."""
    spot, swaps = Spot.parse(command.at), command.swap.split(",") if command.swap else []
    return Place(spot, command.word, tuple(Spot.parse(text).square for text in swaps))


def read_exchange(command: ExchangeCommand, game: Game | None, tiles: TileSet) -> Exchange:
    """Read the tiles to exchange.

    Raises:
        Refusal: ``BAD_ARGS``, none are named: that would give the turn away.
    """
    text = command.tiles.strip()
    if text == "none":  # in capitals these are four tiles
        return Exchange(())
    if not text and _is_on(game):
        raise Refusal("BAD_ARGS", "which tiles? Write /exchange ABC; /pass gives the turn away")
    return Exchange(tiles.parse_tiles(text))


def read_resign(command: ResignCommand, game: Game | None, _: TileSet) -> Resign:
    """Read a resignation.

    Raises:
        Refusal: ``NOT_CONFIRMED``, it does not say yes.
    """
    if command.sure is None and _is_on(game):
        raise Refusal("NOT_CONFIRMED", "that gives up this game; /resign yes if you mean it")
    return Resign()


def _is_on(game: Game | None) -> bool:
    return game is not None and game.phase != "over"


def read_challenge(command: ChallengeCommand, game: Game | None, tiles: TileSet) -> Challenge:
    """Read a challenge, which may name a word of the latest play.

    Raises:
        Refusal: ``BAD_ARGS``, it names something else, as a person to invite.
    """
    play, word = game.open_play if game is not None else None, command.word
    meant = {word.upper(), _bracketed(tiles, word.upper())}
    if word and (play is None or meant.isdisjoint(play.words)):
        raise Refusal(
            "BAD_ARGS",
            "{word} is not a word of the latest play; /challenge alone challenges all of them",
            word=word,
        )
    return Challenge()


def refusal_hints(game: Game, seat: int, move: Move, error: IllegalMove) -> str:
    """Return an addition to a refusal: a guess at the word meant, and whose turn it still is."""
    told = []
    if error.code == "NOT_IN_RACK" and isinstance(move, Place):
        capitals = move.text.upper() if move.text.islower() else move.text
        meant = _bracketed(game.rules.tiles, capitals)
        if meant != move.text:
            told.append(gettext("; perhaps you mean {text}", text=meant))
    if game.phase == "playing" and seat == game.on_turn and not game.adjourned:
        told.append(gettext("; still your turn {turn}", turn=game.turn))
    return join_texts("", told)


def _bracketed(tiles: TileSet, word: str) -> str:
    """Write a word in capitals with tiles of several letters in brackets: ``[CH]ICO``."""
    split = tiles.split(word)
    return word if split is None else spell(split)
