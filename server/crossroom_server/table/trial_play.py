"""What a play would come to, for the one who thinks of it."""

from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.moves import Place
from crossroom_engine.game.referee import preview_play
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.study import TryCommand
from crossroom_protocol.notices import Tried
from crossroom_server.table.move_parsing import as_move
from crossroom_server.table.state import Sources, Table


def tried(table: Table, seat: int | None, command: TryCommand, sources: Sources) -> Tried:
    """The score and the words of a play that *seat*, 0-based, has the tiles for.

    Raises:
        Refusal: it could not be played, or there is nothing to play in.
    """
    game = table.playing
    if game is None:
        raise Refusal("NO_GAME", "no game is being played; /ready when you agree to the rules (/r)")
    if seat is None:
        raise Refusal("NEED_SEAT", "you are watching; you have no tiles to try")
    move = as_move(command, game, game.rules)
    assert isinstance(move, Place)
    try:
        placement = preview_play(game, seat, move)
    except IllegalMove as error:
        raise Refusal(error.code, error.prose) from None
    good = None
    if not game.rules.may_challenge:  # RULES 8.3
        lexicon = sources.lexica.get(game.lexicon, game.digest)
        good = all(word in lexicon for word in placement.words)
    return Tried(
        at=command.at,
        word=command.word,
        spot=str(placement.spot),
        text=placement.text,
        words=placement.words,
        points=placement.points,
        good=good,
    )
