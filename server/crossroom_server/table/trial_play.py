"""Answers /try."""

from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.game.referee import preview_play
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.analysis import TryCommand
from crossroom_protocol.notices import Tried
from crossroom_server.table.move_parsing import read_move, read_play
from crossroom_server.table.queries import Notices, QueryContext


def try_play(at: QueryContext, command: TryCommand) -> Notices:
    """Return the score and the words of a play without making it.

    Raises:
        Refusal: it could not be played, or there is nothing to play in.
    """
    game, seat = at.table.playing, at.seat
    if game is None:
        raise Refusal("NO_GAME", "no game is being played; /ready when you agree to the rules (/r)")
    if seat is None:
        raise Refusal("NEED_SEAT", "you are watching; you have no tiles to try")
    try:
        placement = preview_play(game, seat, read_move(read_play, command, at.table))
    except IllegalMove as error:
        raise Refusal(error.code, error.prose) from None
    good = None
    if not game.rules.may_challenge:  # RULES 8.3
        lexicon = at.sources.lexica.get(game.lexicon, game.digest)
        good = all(word in lexicon for word in placement.words)
    tried = Tried(
        at=command.at,
        word=command.word,
        spot=str(placement.spot),
        text=placement.text,
        words=placement.words,
        points=placement.points,
        good=good,
    )
    return [tried]
