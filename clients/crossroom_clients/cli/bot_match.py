"""The work of `crossroom autoplay`: many games of two bots, and who is better."""

import argparse
import json
import time
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from crossroom_clients.cli.bot_games import BotGame, play_game
from crossroom_clients.cli.main import EXIT_INTERRUPTED
from crossroom_clients.cli.match_score import MatchScore
from crossroom_clients.support.parallel import map_in_processes
from crossroom_clients.support.rules_for import rules_for_lexicon
from crossroom_engine.bots import LEVELS, Level
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.cli.data_folder import data_folder
from crossroom_protocol.cli.progress import Progress


class GamePair(NamedTuple):
    """Two games to play, the seats exchanged in the second."""

    rules: Ruleset
    folder: Path
    levels: tuple[str, str]
    budget: float | None
    seed: int


class MatchReport:
    """The results so far: games, points, time."""

    def __init__(self, levels: tuple[str, str]) -> None:
        self.tally = MatchScore()
        self._levels = levels
        self._points = [0, 0]
        self._seconds: tuple[list[float], list[float]] = [], []
        self._begun = time.monotonic()

    def add(self, there: BotGame, back: BotGame) -> None:
        """Count a pair of games."""
        self.tally.add(there.scores[0] - there.scores[1], back.scores[1] - back.scores[0])
        for side in (0, 1):
            self._points[side] += there.scores[side] + back.scores[1 - side]
            self._seconds[side].extend((*there.seconds[side], *back.seconds[1 - side]))

    def as_json(self) -> dict[str, object]:
        """Everything, by name."""
        won, drawn, lost = self.tally.results
        return {
            "games": self.tally.games,
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "win_percent": self.tally.win_percent,
            "spread": self.tally.spread,
            "games_a_second": self.tally.games / (time.monotonic() - self._begun),
            "levels": [
                {
                    "level": level,
                    "mean_score": self._points[side] / self.tally.games,
                    "turns": len(seconds),
                    "mean_seconds": sum(seconds) / max(1, len(seconds)),
                    "most_seconds": max(seconds, default=0.0),
                }
                for side, (level, seconds) in enumerate(
                    zip(self._levels, self._seconds, strict=True)
                )
            ],
        }

    def print(self) -> None:
        """Everything, for people."""
        won, drawn, lost = self.tally.results
        percent, points = self.tally.win_percent, self.tally.spread
        one, other = self._levels
        print(f"{one} against {other}: {won} won, {drawn} drawn, {lost} lost")
        print(f"win rate  {percent.mean:.2f} % ± {percent.doubt}")
        print(f"spread    {points.mean:+.2f} ± {points.doubt} points a game")
        for side, (level, seconds) in enumerate(zip(self._levels, self._seconds, strict=True)):
            mean = sum(seconds) / max(1, len(seconds))
            print(
                f"{'AB'[side]}: {level:<10} {self._points[side] / self.tally.games:.1f} points a "
                f"game; a turn takes {_time(mean)}, at most {_time(max(seconds, default=0))}"
            )
        rate = self.tally.games / (time.monotonic() - self._begun)
        print(f"{self.tally.games} games, {rate:.3g} a second")


def run(args: argparse.Namespace) -> int:
    """Let them play, and print the outcome; if interrupted, what is known so far.

    Returns:
        0, or 130 if it was interrupted.

    Raises:
        BadText: there is no such word list.
        OSError: it cannot be read.
    """
    folder = data_folder(args) / "lexica"
    rules = replace(PRESETS[args.preset], first_player="seat")
    if args.lexicon:
        path = catalog.lexicon_path(args.lexicon, [folder])
        with Lexicon.open(path) as lexicon:
            rules = rules_for_lexicon(lexicon, replace(rules, lexicon=path.stem))
    levels = (args.a, args.b)
    if args.budget is not None and all(LEVELS[name].is_quick for name in levels):
        raise BadText(f"--budget is for levels that think; {args.a} and {args.b} answer at once")
    outcome, progress = MatchReport(levels), Progress(args.games + args.games % 2, "games")
    pairs = (
        GamePair(rules, folder, levels, args.budget, args.seed + number)
        for number in range((args.games + 1) // 2)
    )
    status = 0
    try:
        for _, games in map_in_processes(play_pair, pairs, args.jobs):
            outcome.add(*games)
            progress.show(outcome.tally.games)
    except KeyboardInterrupt:
        status = EXIT_INTERRUPTED
    progress.clear()
    if not outcome.tally.games:
        raise BadText("stopped before two games were played")
    if args.json:
        print(json.dumps(outcome.as_json()))
    else:
        outcome.print()
    return status


def play_pair(pair: GamePair) -> tuple[BotGame, BotGame]:
    """Play a game, and another with the seats exchanged. Runs in any process."""
    one, other = (with_budget(LEVELS[name], pair.budget) for name in pair.levels)

    def find(name: str) -> Lexicon:
        return _open(name, pair.folder)

    there = play_game(pair.rules, find, (one, other), pair.seed)
    return there, play_game(pair.rules, find, (other, one), pair.seed)


def with_budget(level: Level, budget: float | None) -> Level:
    """The level, with another budget if it is one that thinks; a quick one takes what it takes."""
    if budget is None or level.is_quick:
        return level
    return replace(level, budget_s=budget)


@lru_cache(maxsize=8)
def _open(name: str, folder: Path) -> Lexicon:
    return catalog.open_lexicon(name, [folder])


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
