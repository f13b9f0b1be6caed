"""Rollouts: sample what may follow each way to use the turn.

An iteration deals the unseen tiles at random, once for all candidates: the others get the same
racks, and everybody draws from the same bag in the same order, so that candidates differ by as
little luck as can be. From then on everybody takes the best play at sight, as in
:mod:`crossroom_engine.analysis.selfplay`.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from crossroom_engine.analysis.position import Candidate, Position
from crossroom_engine.analysis.selfplay_python import MatchRules, SelfPlayGame
from crossroom_engine.core.errors import TimeIsOver
from crossroom_engine.core.moves import Place
from crossroom_engine.movegen.backends import BACKEND, kernel
from crossroom_engine.movegen.leaves import Leaves


class Outcome(NamedTuple):
    """The result of a rollout.

    Attributes:
        scores: In order of play, that of the player to move first; with the end adjustment if the
            game is over.
        leave_values: The value, to each, of the rack that its latest turn left, before tiles were
            drawn; in thousandths of a point. 0 for who had no turn, and if the game is over.
        unseen: Tiles left in the bag and on the other racks.
        is_over: Whether the game is over.
    """

    scores: tuple[int, ...]
    leave_values: tuple[int, ...]
    unseen: int
    is_over: bool


def roll_out(
    position: Position,
    candidates: Sequence[Candidate],
    leaves: Leaves | None,
    seed: int,
    iterations: int,
    turns: int,
    is_over: Callable[[], bool] = lambda: False,
) -> list[list[Outcome]]:
    """Go on with a game after each candidate; return for each iteration an outcome for each.

    The same arguments give the same outcomes everywhere, and iterations continue: those of *seed*
    and of *seed* + 1 share all but the first and the last.

    Args:
        position: The position that the candidates start from.
        candidates: At least one.
        leaves: The leaves that everybody goes by; None for points alone.
        seed: 0 up to 2**64 - 1.
        iterations: 1 to 100,000.
        turns: Turns to play after the candidate, if the game goes on as long, up to 400.
        is_over: Whether the time is over. Without the kernel, asked before each turn.

    Raises:
        TimeIsOver: the answer was yes.
        ValueError: something is beyond these limits, or the tiles do not add up.
    """
    if len(position.unseen) != position.bag + sum(position.others):
        raise ValueError("the unseen tiles are not those of the bag and the other racks")
    if BACKEND == "python":
        seeds = [(seed + more) % 2**64 for more in range(iterations)]
        return [
            [roll_out_in_python(position, one, leaves, each, turns, is_over) for one in candidates]
            for each in seeds
        ]
    engine = kernel(position.rules, position.lexicon)
    found = engine.rollouts(
        seed,
        iterations,
        turns,
        MatchRules.from_rules(position.rules, len(position.scores), position.begins),
        engine.compile_leaves(leaves),
        position.unseen,
        position.others,
        position.scores,
        position.scoreless,
        tuple(
            (one.board, one.kept, one.given, one.points, isinstance(one.move, Place))
            for one in candidates
        ),
    )
    outcomes, count = [Outcome(*one) for one in found], len(candidates)
    return [outcomes[at : at + count] for at in range(0, len(outcomes), count)]


def roll_out_in_python(
    position: Position,
    candidate: Candidate,
    leaves: Leaves | None,
    seed: int,
    turns: int,
    is_over: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Do one iteration for one candidate, without the kernel.

    Raises:
        TimeIsOver: it is, before a turn.
    """
    rules, players = position.rules, (leaves,) * len(position.scores)
    game = SelfPlayGame(rules, position.lexicon, players, position.unseen, seed, position.begins)
    for seat, tiles in enumerate(position.others, 1):
        game.fill_rack(seat, tiles)
    game.board, game.scoreless = candidate.board, position.scoreless
    game.scores = [position.scores[0] + candidate.points, *position.scores[1:]]
    game.racks[0] = list(candidate.kept)
    game.leave_values[0] = game.leave_value(0, candidate.kept)
    if candidate.given:
        game.exchange(0, candidate.given)
    else:
        game.fill_rack(0, rules.rack)
    has_ended = game.end_turn(isinstance(candidate.move, Place))
    while turns and not has_ended:
        if is_over():
            raise TimeIsOver
        has_ended, turns = game.end_turn(game.play_turn().laid > 0), turns - 1
    if has_ended:
        game.settle()
    unseen = len(game.bag) + sum(map(len, game.racks[1:]))
    leave_values = (0,) * len(players) if has_ended else tuple(game.leave_values)
    return Outcome(tuple(game.scores), leave_values, unseen, has_ended)
