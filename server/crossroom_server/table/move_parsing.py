"""From the command of a player to a move of the engine, and what helps when it is refused."""

from crossroom_engine.core.board import Spot, Square
from crossroom_engine.core.errors import BadText, IllegalMove
from crossroom_engine.core.moves import Accept, Challenge, Exchange, Move, Pass, Place, Resign
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import TileSet, spell
from crossroom_engine.game.game import Game
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext, join_texts
from crossroom_protocol.commands.base import Command
from crossroom_protocol.commands.moves import (
    AcceptCommand,
    ChallengeCommand,
    ExchangeCommand,
    PassCommand,
    PlayCommand,
    ResignCommand,
)
from crossroom_protocol.commands.study import TryCommand


def as_move(command: Command, game: Game | None, rules: Ruleset) -> Move:
    """The move that a command stands for; *rules* are those of the table, if no game has begun.

    Raises:
        Refusal: ``STALE_TURN``, or the notation cannot be read.
    """
    turn = getattr(command, "turn", None)
    if turn is not None and game is not None and turn != game.turn:
        raise Refusal(
            "STALE_TURN", "that was for turn {turn}; it is turn {now} now", turn=turn, now=game.turn
        )
    tiles = (game.rules if game is not None else rules).tiles
    try:
        match command:
            case PlayCommand(at=at, word=word, swap=swap) | TryCommand(at=at, word=word, swap=swap):
                squares = swap.split(",") if swap else []
                return Place(Spot.parse(at), word, tuple(map(_square, squares)))
            case ExchangeCommand(tiles=text):
                return Exchange(tiles.parse_tiles(text))
            case PassCommand():
                return Pass()
            case ChallengeCommand(word=word):
                _check_challenged(game, word, tiles)
                return Challenge()
            case AcceptCommand():
                return Accept()
            case ResignCommand():
                return Resign()
            case _:
                raise AssertionError(f"{command.do} is no move")
    except BadText as error:
        raise Refusal("BAD_ARGS", str(error)) from None
    except IllegalMove as error:
        raise Refusal(error.code, error.prose) from None


def hints(game: Game, seat: int, move: Move, error: IllegalMove) -> str:
    """What to add to a refusal: a guess at what was meant, and that nothing is lost."""
    told = []
    if error.code == "NOT_IN_RACK" and isinstance(move, Place):
        capitals = move.text.upper() if move.text.islower() else move.text
        meant = _joined(game.rules.tiles, capitals)
        if meant != move.text:
            told.append(gettext("; did you mean {text}?", text=meant))
    if game.phase == "playing" and seat == game.on_turn and not game.adjourned:
        told.append(gettext("; still your turn {turn}", turn=game.turn))
    return join_texts("", told)


def _square(text: str) -> Square:
    return Spot.parse(text).square


def _joined(tiles: TileSet, word: str) -> str:
    """A word in capitals as it is written with tiles of several letters: ``[CH]ICO``."""
    split = tiles.split(word)
    return word if split is None else spell(split)


def _check_challenged(game: Game | None, word: str, tiles: TileSet) -> None:
    """A challenge is of words; people are invited (a habit from other games)."""
    play = game.open_play if game is not None else None
    meant = {word.upper(), _joined(tiles, word.upper())}
    if word and (play is None or meant.isdisjoint(play.words)):
        raise Refusal(
            "BAD_ARGS",
            "{word} is no word of the latest play; /challenge alone doubts all of them, and "
            "/invite is for people",
            word=word,
        )
