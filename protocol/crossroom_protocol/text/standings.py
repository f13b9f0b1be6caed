"""Where a table and its game stand, in a few words."""

from crossroom_engine.game.views import View
from crossroom_protocol.base.translate import say
from crossroom_protocol.base.wording import both
from crossroom_protocol.notices import RoomView


def seating(room: RoomView) -> str:
    """Who sits where: ``1 alice, 2 bob``."""
    return ", ".join(f"{number} {seat.name}" for number, seat in enumerate(room.seats, 1))


def scores(game: View) -> str:
    """The score of everybody: ``alice 48, bob 0``."""
    return ", ".join(f"{player.name} {player.score}" for player in game.players)


def to_move(game: View) -> str:
    """Whom the game waits for: ``bob to move (turn 2)``."""
    if game.phase == "last_word":
        waiting = [game.players[seat].name for seat in game.awaited]
        return say("waiting for {waiting}: /accept or /challenge", waiting=both(waiting))
    return say("{name} to move (turn {turn})", name=game.players[game.on_turn].name, turn=game.turn)


def result(game: View) -> str:
    """Who won: ``alice wins``."""
    winners = [game.players[seat].name for seat in game.winners]
    match winners:
        case []:
            return say("nobody wins")
        case [winner]:
            return say("{winner} wins", winner=winner)
        case _:
            return say("{winners} share the win", winners=both(winners))
