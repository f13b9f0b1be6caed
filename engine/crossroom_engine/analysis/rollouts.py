"""Rollouts: what may come of each way to use the turn.

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
    """Where a rollout has led.

    Attributes:
        scores: In order of play, that of the player to move first; with the end adjustment if the
            game is over.
        worths: What was worth, to each, the rack that its latest turn left, before tiles were
            drawn; in thousandths of a point. 0 for who had no turn, and if the game is over.
        unseen: Tiles left in the bag and on the other racks.
        is_over: Is the game over?
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
    """Go on with a game after each candidate; for each iteration, an outcome for each of them.

    The same arguments give the same outcomes everywhere, and iterations continue: those of *seed*
    and of *seed* + 1 share all but the first and the last.

    Args:
        position: Where the candidates are.
        candidates: At least one.
        leaves: What everybody goes by; None for points alone.
        seed: 0 up to 2**64 - 1.
        iterations: 1 to 100,000.
        turns: To be played after the candidate, if the game goes on as long, up to 400.
        is_over: Is there no more time? Without the kernel, asked before each turn.

    Raises:
        TimeIsOver: the answer was yes.
        ValueError: something is beyond these limits, or the tiles do not add up.
    """
    if len(position.unseen) != position.bag + sum(position.others):
        raise ValueError("the unseen tiles are not those of the bag and the other racks")
    if BACKEND == "python":
        return [
            [
                roll_out_in_python(
                    position, candidate, leaves, (seed + more) % 2**64, turns, is_over
                )
                for candidate in candidates
            ]
            for more in range(iterations)
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
    """One iteration for one candidate, without the kernel.

    Raises:
        TimeIsOver: it is, before a turn.
    """
    rules, players = position.rules, (leaves,) * len(position.scores)
    table = SelfPlayGame(rules, position.lexicon, players, position.unseen, seed, position.begins)
    for seat, tiles in enumerate(position.others, 1):
        table.fill_rack(seat, tiles)
    table.board, table.scoreless = candidate.board, position.scoreless
    table.scores = [position.scores[0] + candidate.points, *position.scores[1:]]
    table.racks[0] = list(candidate.kept)
    table.leave_values[0] = table.leave_value(0, candidate.kept)
    if candidate.given:
        table.exchange(0, candidate.given)
    else:
        table.fill_rack(0, rules.rack)
    has_ended = table.end_turn(isinstance(candidate.move, Place))
    while turns and not has_ended:
        if is_over():
            raise TimeIsOver
        has_ended, turns = table.end_turn(not table.play_turn().is_scoreless), turns - 1
    if has_ended:
        table.settle()
    unseen = len(table.bag) + sum(map(len, table.racks[1:]))
    worths = (0,) * len(players) if has_ended else tuple(table.leave_values)
    return Outcome(tuple(table.scores), worths, unseen, has_ended)
