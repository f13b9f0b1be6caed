"""Answers that take thought: hints, and what a finished game could have been.

Like those of :mod:`crossroom_server.table.queries`, but worked out off the event loop.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from crossroom_engine.analysis.position import Candidate, Position, candidates
from crossroom_engine.analysis.review import Analysis, TurnAnalysis, analyze_turns
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.events import Event
from crossroom_engine.core.moves import Place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.movegen import leaves
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.analysis import AnalyzeCommand, ExportCommand, HintCommand
from crossroom_protocol.notices import Picture
from crossroom_protocol.text import analysis_text
from crossroom_server.room.audience import AnswerFactory
from crossroom_server.room.worker_pool import IsOver, Work, WorkerPool, WorkTimeout
from crossroom_server.table.queries import QueryContext

JOB_TIMEOUT_S: Final = 10.0
"""Seconds for one analysis; with the kernel a game of four takes a fraction of a second."""
MAX_ALTERNATIVES: Final = 5
"""Ways to use a turn that the analysis of it shows."""


class AnalysisJob(NamedTuple):
    """Work that computes an answer; if it *is_quick*, it need not wait for a slot."""

    work: Work[AnswerFactory]
    is_quick: bool = False


async def run_job(job: AnalysisJob, workers: WorkerPool) -> AnswerFactory:
    """Run *job* in the pool and return the factory of its answer.

    Raises:
        Refusal: ``SLOW_DOWN``, the pool is too busy.
    """
    try:
        return await workers.run(job.work, JOB_TIMEOUT_S, at_once=job.is_quick)
    except WorkTimeout as slow:
        raise Refusal("SLOW_DOWN", "this would take too long here: {slow}", slow=slow) from None


def analyze(at: QueryContext, command: AnalyzeCommand) -> AnalysisJob:
    """Prepare the answer to /analyze.

    Raises:
        Refusal: there is none; the prose says why.
    """
    game, what = _finished(at), command.what
    return AnalysisJob(game.turn(int(what)) if what.isdecimal() else game.sheet(what))


def annotate(at: QueryContext, _: ExportCommand) -> AnalysisJob:
    """Prepare the answer to /export analysis.

    Raises:
        Refusal: there is none; the prose says why.
    """
    return AnalysisJob(_finished(at).export())


def hint(at: QueryContext, command: HintCommand) -> AnalysisJob:
    """Prepare the answer to /hint, for somebody who may have one."""
    game, seen, n = at.table.playing, at.room.game, command.n
    assert game is not None, "hints are for a game"
    assert seen is not None, "and whoever plays it sees it"
    lexicon = at.sources.lexica.get(game.lexicon, game.digest)
    position, worth = Position.from_view(seen, game.rules, lexicon), _leaves(game.rules, lexicon)

    def look(_: IsOver) -> AnswerFactory:
        if position.board:
            best = candidates(position, worth, n)
            return lambda: [analysis_text.hint_note(best)]
        # On an empty board a word may lie in many places; of those that are as good one will do.
        found: dict[tuple[str, int], Candidate] = {}
        for one in candidates(position, worth, n * 2 * game.rules.rack):
            word = one.move.text if isinstance(one.move, Place) else str(one.move)
            found.setdefault((word, one.equity), one)
        different = list(found.values())[:n]
        return lambda: [analysis_text.hint_note(different)]

    return AnalysisJob(look, is_quick=True)


def _finished(at: QueryContext) -> "_Finished":
    table = at.table
    if table.game is None:
        raise Refusal("NO_GAME", "there is no game to analyze; /ready begins one")
    if table.playing is not None:
        raise Refusal("GAME_ON", "that would show the racks; wait until the game is over")
    lexicon = at.sources.lexica.get(table.game.lexicon, table.game.digest)
    names = tuple(player.name for player in table.game.players)
    return _Finished(table.record, names, lexicon, _leaves(table.game.rules, lexicon))


@dataclass(frozen=True)
class _Finished:
    """A game that is over, all of it public."""

    record: tuple[Event, ...]
    names: tuple[str, ...]
    lexicon: Lexicon
    leaves: Leaves

    def sheet(self, name: str) -> Work[AnswerFactory]:
        """Analyze all turns, or those of one player."""
        seat = self._seat(name) if name else None

        def look(is_over: IsOver) -> AnswerFactory:
            analysis = self._analysis(is_over)
            return lambda: [analysis_text.analysis_sheet(self.names, analysis, seat)]

        return look

    def turn(self, number: int) -> Work[AnswerFactory]:
        """Analyze one turn, with its alternatives."""

        def look(is_over: IsOver) -> AnswerFactory:
            found = next((turn for turn in self._turns(is_over) if turn.turn == number), None)
            if found is None:
                raise Refusal(
                    "BAD_ARGS", "the game had no turn {number}; /history shows them", number=number
                )
            instead = candidates(found.position, self.leaves, MAX_ALTERNATIVES)
            return lambda: [analysis_text.turn_sheet(self.names, found, instead)]

        return look

    def export(self) -> Work[AnswerFactory]:
        """Export the record with notes."""

        def look(is_over: IsOver) -> AnswerFactory:
            analysis = self._analysis(is_over)
            lines = tuple(analysis_text.annotated_gcg(self.record, analysis).splitlines())
            return lambda: [Picture(about="analysis", lines=lines)]

        return look

    def _seat(self, name: str) -> int:
        for seat, known in enumerate(self.names):
            if known.casefold() == name.casefold():
                return seat
        raise Refusal(
            "BAD_ARGS",
            "/analyze takes a turn or a player: {names}, not {name!r}",
            names=", ".join(self.names),
            name=name,
        )

    def _analysis(self, is_over: IsOver) -> Analysis:
        return Analysis.from_turns(self._turns(is_over), len(self.names))

    def _turns(self, is_over: IsOver) -> Iterator[TurnAnalysis]:
        for turn in analyze_turns(self.record, self.lexicon, self.leaves):
            if is_over():
                raise WorkTimeout("the time is up")
            yield turn


def _leaves(rules: Ruleset, lexicon: Lexicon) -> Leaves:
    try:
        return leaves.find_leaves(lexicon, rules.tiles)
    except (BadText, OSError) as error:
        raise Refusal(
            "INTERNAL", "the host must repair the leave values: {error}", error=error
        ) from None
