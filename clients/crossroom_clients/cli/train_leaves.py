"""`crossroom train-leaves`: find out what tiles are worth that stay in a rack, from games."""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from errno import EISDIR, ENOTDIR
from functools import lru_cache
from itertools import islice
from pathlib import Path
from textwrap import fill
from typing import Final, NamedTuple

from crossroom_clients.cli.main import EXIT_INTERRUPTED
from crossroom_clients.cli.match_score import MatchScore
from crossroom_clients.support import arg_types
from crossroom_clients.support.parallel import map_in_processes
from crossroom_clients.support.rules_for import rules_for_lexicon
from crossroom_engine.analysis import selfplay
from crossroom_engine.analysis.training import GainSums, add_gains, fit_leaves, merge_gains
from crossroom_engine.core import data
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import multiset, spell, unspell
from crossroom_engine.movegen.leaves import NO_LEAVES, Leaves
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder
from crossroom_protocol.cli.progress import Progress

UNFINISHED_SUFFIX: Final = ".unfinished"
"""The end of the name of a file that holds an unfinished training."""

BATCH_GAMES: Final = 50
"""Games that are played at a time: it decides nothing, and is lost if a process is killed."""

SAVE_INTERVAL_S: Final = 5.0
"""Seconds after which what was seen is put aside."""

_FORMAT: Final = 1
"""Of an unfinished training. A newer one cannot go on with an older one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = fill(
        "The players of the first generation go by points alone, those of the next by what the "
        "one before has shown. The same list, tiles, games, generations and seed make the same "
        "table, byte for byte, on however many processes. A training that was stopped goes on "
        "when the same command is given again. A table called NAME.leaves.csv, beside a word "
        "list of your own, is what bots and hints value tiles by with that list.",
        80,
    )
    parser.add_argument("lexicon", metavar="LEXICON", help="word list, by name")
    parser.add_argument("-o", "--out", required=True, type=Path, metavar="FILE", help="the table")

    def number(flag: str, least: int, most: int, default: int, what: str) -> None:
        parser.add_argument(
            flag,
            type=arg_types.whole_number(least, most),
            default=default,
            metavar="N",
            help=f"{what} (default: %(default)s)",
        )

    number("--games", 1, 2**32, 25_000, "games of each generation")
    number("--generations", 1, 999, 6, "how often to begin anew with what was learnt")
    number("--seed", 0, 2**16 - 1, 1, "of the dice")
    parser.add_argument(
        "--tiles", metavar="NAME", help="tile set (default: the one that the list was made for)"
    )
    number("--test", 0, 10**9, 5_000, "games against a player without leaves, at the end")
    number("--jobs", 1, 1024, os.cpu_count() or 1, "processes")
    add_data_flag(parser)


@dataclass(frozen=True)
class TrainingPlan:
    """All that decides what a table will be: the list, the tiles, how many games, the dice."""

    format: int
    lexicon: str
    digest: str
    tiles: str
    games: int
    generations: int
    seed: int


class GameBatch(NamedTuple):
    """Some games to play: where the words are, the tiles, who plays, the first seed, how many."""

    lexicon: Path
    tiles: str
    table: str
    seed: int
    games: int


def run(args: argparse.Namespace) -> int:
    """Train, write the table, and tell how well it plays.

    Returns:
        0, or 130 if it was interrupted.

    Raises:
        BadText: there is no such list or tile set, or another training is unfinished here.
        OSError: a file cannot be read or written.
    """
    path = catalog.lexicon_path(args.lexicon, [data_folder(args) / "lexica"])
    if not args.out.parent.is_dir():
        raise NotADirectoryError(ENOTDIR, "Not a folder", str(args.out.parent))
    if args.out.is_dir():
        raise IsADirectoryError(EISDIR, "Name a file, not a folder", str(args.out))
    with Lexicon.open(path) as lexicon:
        digest = lexicon.digest
        tiles = args.tiles or rules_for_lexicon(lexicon, PRESETS["tournament"]).tiles.name
    data.tileset(tiles)
    plan = TrainingPlan(_FORMAT, path.stem, digest, tiles, args.games, args.generations, args.seed)
    training = _Training(plan, path, args.out.with_name(args.out.name + UNFINISHED_SUFFIX))
    try:
        training.go_on(args.jobs)
    except KeyboardInterrupt:
        print(
            f"stopped in generation {training.generation + 1}; the same command goes on",
            file=sys.stderr,
        )
        return EXIT_INTERRUPTED
    table = training.table.to_csv()
    _put(args.out, _head(plan) + table)
    training.state.unlink(missing_ok=True)
    print(f"{args.out}: {len(training.table.tiles)} tiles, {len(training.table.pairs)} pairs")
    if args.test:
        _test(plan, path, table, args.test, args.jobs)
    return 0


class _Training:
    """A training, as far as it is."""

    def __init__(self, plan: TrainingPlan, lexicon: Path, state: Path) -> None:
        self.state = state
        self.generation = 0
        self.table = Leaves(plan.lexicon, {})
        self._plan, self._lexicon = plan, lexicon
        self._played = 0
        self._notes: GainSums = {}
        self._resume()

    def go_on(self, jobs: int) -> None:
        """Play what is left to play."""
        while self.generation < self._plan.generations:
            self._play(jobs)
            tiles = data.tileset(self._plan.tiles)
            kinds = [kind.tile for kind in tiles.kinds if kind.count]
            self.table = fit_leaves(self._plan.lexicon, kinds, self._notes)
            self.generation, self._played, self._notes = self.generation + 1, 0, {}
            self._save()

    def _play(self, jobs: int) -> None:
        progress = Progress(self._plan.games, "games", self._played)
        about = f"generation {self.generation + 1} of {self._plan.generations}: "
        saved = time.monotonic()
        left = range(self._played, self._plan.games, BATCH_GAMES)
        table = self.table.to_csv()
        chunks = _batches(self._plan, self._lexicon, table, self.generation, left)
        try:
            for chunk, notes in map_in_processes(play_batch, chunks, jobs):
                merge_gains(self._notes, notes)
                self._played += chunk.games
                progress.show(self._played, about)
                if time.monotonic() - saved > SAVE_INTERVAL_S:
                    self._save()
                    saved = time.monotonic()
        finally:
            progress.clear()

    def _save(self) -> None:
        notes = {
            f"{stage} {spell(kept)}": seen for (stage, kept), seen in sorted(self._notes.items())
        }
        state = {
            "plan": asdict(self._plan),
            "generation": self.generation,
            "played": self._played,
            "table": self.table.to_csv(),
            "notes": notes,
        }
        _put(self.state, json.dumps(state))

    def _resume(self) -> None:
        if not self.state.exists():
            return
        try:
            state = json.loads(self.state.read_text("utf-8"))
            plan = TrainingPlan(**state["plan"])
            self.generation, self._played = state["generation"], state["played"]
            self.table = Leaves.from_csv(plan.lexicon, state["table"])
            for kept, (count, total) in state["notes"].items():
                stage, _, tiles = kept.partition(" ")
                self._notes[int(stage), multiset(unspell(tiles))] = count, total
        except (ValueError, KeyError, TypeError, AttributeError, BadText):
            raise BadText(f"{self.state} is damaged; delete it, to begin anew") from None
        if plan != self._plan:
            mine, theirs = asdict(self._plan), asdict(plan)
            other = ", ".join(
                f"{name} {theirs[name]}" for name in mine if mine[name] != theirs[name]
            )
            raise BadText(f"{self.state} is another training, with {other}; finish or delete it")


def _batches(
    plan: TrainingPlan, lexicon: Path, table: str, generation: int, firsts: range
) -> Iterator[GameBatch]:
    """Seeds: 16 bits tell the training, 16 the generation, 32 the game."""
    for first in firsts:
        seed = (plan.seed << 48) + (generation << 32) + first
        games = min(BATCH_GAMES, firsts.stop - first)
        yield GameBatch(lexicon, plan.tiles, table, seed, games)


@lru_cache(maxsize=1)
def _rules(tiles: str) -> Ruleset:
    return replace(PRESETS["tournament"], tiles=data.tileset(tiles))


@lru_cache(maxsize=1)
def _open(path: Path) -> Lexicon:
    return Lexicon.open(path)


@lru_cache(maxsize=1)
def _table(text: str) -> Leaves | None:
    """None for an empty table: by points alone."""
    return Leaves.from_csv("training", text) if text else None


def play_batch(chunk: GameBatch) -> GainSums:
    """Play some games and return what they show. Runs in any process."""
    rules, lexicon, table = _rules(chunk.tiles), _open(chunk.lexicon), _table(chunk.table)
    notes: GainSums = {}
    for seed in range(chunk.seed, chunk.seed + chunk.games):
        turns = selfplay.play_match(rules, lexicon, seed, (table, table)).turns
        add_gains(notes, turns, table or NO_LEAVES, rules.rack)
    return notes


def play_pairs(chunk: GameBatch) -> list[tuple[int, int]]:
    """By how many points the table beats points alone, in mirrored pairs of games."""
    rules, lexicon, table = _rules(chunk.tiles), _open(chunk.lexicon), _table(chunk.table)
    pairs = selfplay.play_match_pairs(rules, lexicon, chunk.seed, (table, None))
    return [
        (there.scores[0] - there.scores[1], back.scores[1] - back.scores[0])
        for there, back in islice(pairs, (chunk.games + 1) // 2)
    ]


def _test(plan: TrainingPlan, lexicon: Path, table: str, games: int, jobs: int) -> None:
    """Play with other dice than the training did."""
    progress, tally = Progress(games, "games"), MatchScore()
    chunks = _batches(plan, lexicon, table, 2**16 - 1, range(0, games, BATCH_GAMES))
    with suppress(KeyboardInterrupt):  # the table is there; this only tells how good it is
        for _, pairs in map_in_processes(play_pairs, chunks, jobs):
            for pair in pairs:
                tally.add(*pair)
            progress.show(tally.games, "against no leaves: ")
    progress.clear()
    if tally.games:
        won, spread = tally.win_percent, tally.spread
        print(
            f"against no leaves: {won.mean:.2f} % ± {won.doubt} of {tally.games:,} games won, "
            f"{spread.mean:+.2f} ± {spread.doubt} points a game"
        )


def _head(plan: TrainingPlan) -> str:
    return (
        f"# tiles that stay in the rack, and the points they are worth: {plan.lexicon}, "
        f"{plan.tiles} tiles\n"
        f"# crossroom train-leaves {plan.lexicon} --tiles {plan.tiles} --games {plan.games} "
        f"--generations {plan.generations} --seed {plan.seed}, word list {plan.digest[:12]}\n"
    )


def _put(path: Path, text: str) -> None:
    """Write a file in one step: whenever this is stopped, the old one or the new one is there."""
    new = path.with_name(f".{path.name}.new")
    try:
        with new.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
