"""Tell the state of a table and its game in a few words."""

from crossroom_engine.game.views import View
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import join_and
from crossroom_protocol.notices import RoomView


def seating_text(room: RoomView) -> str:
    """List the seats: ``1 alice, 2 bob``."""
    return ", ".join(f"{number} {seat.name}" for number, seat in enumerate(room.seats, 1))


def scores_text(game: View) -> str:
    """The score of everybody: ``alice 48, bob 0``."""
    return ", ".join(f"{player.name} {player.score}" for player in game.players)


def to_move_text(game: View) -> str:
    """Whom the game waits for: ``bob to move (turn 2)``."""
    if game.phase == "last_word":
        waiting = [game.players[seat].name for seat in game.awaited]
        return gettext("waiting for {waiting}: /accept or /challenge", waiting=join_and(waiting))
    return gettext(
        "{name} to move (turn {turn})", name=game.players[game.on_turn].name, turn=game.turn
    )


def result_text(game: View) -> str:
    """Name the winners: ``alice wins``."""
    winners = [game.players[seat].name for seat in game.winners]
    match winners:
        case []:
            return gettext("nobody wins")
        case [winner]:
            return gettext("{winner} wins", winner=winner)
        case _:
            return gettext("{winners} share the win", winners=join_and(winners))
