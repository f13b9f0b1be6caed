"""`crossroom moves`: the best plays of a position, or how many there are."""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from crossroom_clients.support import arg_types
from crossroom_clients.support.rules_for import rules_for_lexicon
from crossroom_engine.analysis.cgp import CgpPosition, read_cgp
from crossroom_engine.analysis.position import (
    Candidate,
    Position,
    best_plays,
    candidates,
    leave_values,
)
from crossroom_engine.core.errors import BadText, IllegalMove
from crossroom_engine.core.moves import Exchange, Place
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import spell
from crossroom_engine.movegen import count, leaves
from crossroom_engine.movegen.leaves import NO_LEAVES
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.cli import flags
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder

STDIN: Final = "-"
DEFAULT_TOP: Final = 10
DEFAULT_LEXICON: Final = "english"
"""The word list of positions that name none."""

ABOUT: Final = """\
a position in CGP is the rows of the board, where numbers are empty squares; the racks and the
scores, those of the player to move first; and how many turns in a row brought no points:

  crossroom moves '15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 AEINRT?/ 0/14 0'

Operations may follow: lex NAME; the word list, ld NAME; the tiles, bdn NAME; the board, bb POINTS;
for a full rack, etl TILES; in the bag for an exchange. A dot in a word is a tile that lies there, a
small letter a blank. Equity is the points and what the tiles that are kept are worth.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.epilog = ABOUT
    parser.add_argument(
        "cgp",
        nargs="+",
        metavar="CGP",
        help=f"a position, in quotes; {STDIN} for standard input, one position a line",
    )
    parser.add_argument("--rack", metavar="TILES", help="rack of the player to move: AEINRT?")
    parser.add_argument(
        "--top",
        type=arg_types.whole_number(1, 10**6),
        metavar="N",
        help=f"how many (default: {DEFAULT_TOP})",
    )
    parser.add_argument(
        "--by",
        choices=("equity", "score"),
        help="order of the plays; equity also lists exchanges and the pass (default: equity)",
    )
    parser.add_argument(
        "--count",
        action="store_true",
        help="only tell how many plays there are, and the best score",
    )
    parser.add_argument(
        "--lexicon",
        metavar="NAME",
        help=f"word list (default: the one that the position names, else {DEFAULT_LEXICON})",
    )
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        help="rules, where the position says nothing else (default: tournament)",
    )
    add_data_flag(parser)
    flags.add_json_flag(parser)


def run(args: argparse.Namespace) -> int:
    """Tell the plays of each position. Return 0.

    Raises:
        BadText: something is no position, or there is no such word list.
        OSError: a file cannot be read.
    """
    if args.count and (args.top or args.by):
        raise BadText("--count only counts; it goes without --top and --by")
    lists = _OpenLexica(args)
    find = _count if args.count else _find
    found = []
    for number, text in _positions(args.cgp):
        try:
            position = _situation(args, text, lists)
        except BadText as error:
            raise BadText(f"line {number}: {error}" if number else str(error)) from None
        found.append({"position": text, **find(args, position)})
        if not args.json:
            _print(found[-1], number)
    if args.json:
        print(json.dumps({"positions": found}, ensure_ascii=False))
    return 0


def _positions(words: list[str]) -> Iterator[tuple[int, str]]:
    """The positions, each with the number of its line; 0 if it came as an argument."""
    if words != [STDIN]:
        yield 0, " ".join(words)
        return
    for number, line in enumerate(sys.stdin, start=1):
        if line.strip():
            yield number, line.strip()


class _OpenLexica:
    """The word lists that positions ask for; each is opened once."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._demanded, self._folder = args.lexicon, data_folder(args) / "lexica"
        self._open: dict[str, Lexicon] = {}

    def find(self, position: CgpPosition) -> Lexicon:
        name = self._demanded or position.lexicon or DEFAULT_LEXICON
        if name not in self._open:
            self._open[name] = catalog.open_lexicon(self._known(name), [self._folder])
        return self._open[name]

    def _known(self, name: str) -> str:
        """That name; or, where only a position says it and nobody here knows it, the usual one."""
        if self._demanded or name.lower() in catalog.lexicon_paths([self._folder]):
            return name
        print(
            f"crossroom: there is no word list {name!r} here; these are the plays of "
            f"{DEFAULT_LEXICON}, --lexicon names another list",
            file=sys.stderr,
        )
        return DEFAULT_LEXICON


def _situation(args: argparse.Namespace, text: str, lists: _OpenLexica) -> Position:
    rules = PRESETS[args.preset] if args.preset else None
    if rules is not None and rules.reclaim == "next":
        rules = replace(rules, reclaim="any")  # a position does not tell which play was the last
    position = read_cgp(text, rules)
    lexicon = lists.find(position)
    suited = rules_for_lexicon(lexicon, position.rules)
    if "ld" not in dict(position.operations) and suited.tiles != position.rules.tiles:
        usual = PRESETS[args.preset or "tournament"]
        position = read_cgp(text, replace(usual, tiles=suited.tiles))
    if args.rack is not None:
        try:
            rack = position.rules.tiles.parse_tiles(args.rack)
        except IllegalMove as error:
            raise BadText(f"--rack {args.rack}: {error}") from None
        position = replace(position, racks=(rack, *position.racks[1:]))
    if not position.racks[0]:
        raise BadText("the player to move has no tiles; name some with --rack, as in AEINRT?")
    return position.to_position(lexicon)


def _count(args: argparse.Namespace, position: Position) -> dict[str, Any]:
    at = position
    return count(at.rules, at.board, at.rack, at.lexicon, at.reclaimable)._asdict()


def _find(args: argparse.Namespace, position: Position) -> dict[str, Any]:
    table = leaves.find_leaves(position.lexicon, position.rules.tiles)
    most = args.top or DEFAULT_TOP
    if args.by == "score":
        found = best_plays(position, leave_values(position, table), most, by=NO_LEAVES)
    else:
        found = candidates(position, table, most)
    return {"moves": [_as_json(candidate) for candidate in found]}


def _as_json(candidate: Candidate) -> dict[str, Any]:
    """Points and thousandths as numbers, all else as it is written."""
    move = candidate.move
    place: str = move.kind
    word = ""
    if isinstance(move, Place):
        place, word = str(move.spot), move.text
        word += "".join(f" swap {square}" for square in move.swaps)
    elif isinstance(move, Exchange):
        word = spell(move.tiles)
    return {
        "place": place,
        "word": word,
        "points": candidate.points,
        "leave": spell(candidate.kept),
        "equity": candidate.equity / 1000,
    }


def _print(found: dict[str, Any], number: int) -> None:
    if number:
        print(f"line {number}")
    if "plays" in found:
        best_score = "" if found["points"] is None else f", best score {found['points']}"
        print(f"{found['plays']} plays{best_score}")
        return
    moves = found["moves"]
    wide = max([4, *(len(move["word"]) for move in moves)])
    print(f"rank  {'place':<8}  {'word':<{wide}}  points  {'leave':<9}  {'equity':>8}")
    for rank, move in enumerate(moves, start=1):
        print(
            f"{rank:>4}  {move['place']:<8}  {move['word']:<{wide}}  {move['points']:>6}  "
            f"{move['leave']:<9}  {move['equity']:>8.3f}"
        )
