"""The work of `crossroom analyze`: every turn of a record beside the best play."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from crossroom_engine.analysis.review import Analysis, TurnAnalysis, analyze_record
from crossroom_engine.core.tiles import spell
from crossroom_engine.movegen import leaves
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.records import gcg
from crossroom_engine.records.gcg import Record
from crossroom_engine.records.gcg_read import decode_gcg
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.base.clean import clean
from crossroom_protocol.cli.data_folder import data_folder
from crossroom_protocol.encoding.game_json import read_record
from crossroom_protocol.text.analysis_text import analysis_sheet, candidate_text

DEFAULT_LEXICON: Final = "english"
"""The word list of records that name none."""


def run(args: argparse.Namespace) -> int:
    """Print a line for each turn, and what each player lost. Return 0.

    Raises:
        BadText: the file is no record, or there is no such word list.
        OSError: one of them cannot be read.
    """
    record = read_record(decode_gcg(Path(args.file).read_bytes()))
    folder = data_folder(args) / "lexica"
    lexicon = catalog.open_lexicon(args.lexicon or _named(record), [folder])
    worth = leaves.find_leaves(lexicon, record.rules.tiles)
    players = [player.nick for player in record.players]
    analysis = Analysis.from_turns(analyze_record(record, lexicon, worth), len(players))
    if args.json:
        told = _as_json(players, analysis, lexicon, worth)
        print(json.dumps(told, ensure_ascii=False, indent=1))
        return 0
    print(*map(clean, analysis_sheet(players, analysis).lines), sep="\n")
    left_out = sum(isinstance(e.action, _TURNS) for e in record.entries) - len(analysis.turns)
    if left_out:
        print(
            f"{left_out} left out: their racks are not written down in full, or they contradict "
            "the rules (crossroom check tells)"
        )
    return 0


_TURNS: Final = (gcg.GcgPlay, gcg.GcgExchange, gcg.GcgPass)


def _named(record: Record) -> str:
    named = (pragma.text for pragma in record.pragmas if pragma.keyword == "lexicon")
    return next(named, DEFAULT_LEXICON)


def _as_json(
    players: Sequence[str], analysis: Analysis, lexicon: Lexicon, worth: Leaves
) -> dict[str, Any]:
    return {
        "lexicon": lexicon.name,
        "leaves": worth.name,
        "turns": [_turn(players, turn) for turn in analysis.turns],
        "lost": dict(zip(players, (lost / 1000 for lost in analysis.lost), strict=True)),
    }


def _turn(players: Sequence[str], turn: TurnAnalysis) -> dict[str, Any]:
    return {
        "turn": turn.turn,
        "player": players[turn.seat],
        "rack": spell(turn.position.rack),
        "fate": turn.fate,
        "done": candidate_text(turn.done),
        "points": turn.done.points,
        "earned": turn.earned / 1000,
        "best": candidate_text(turn.best),
        "best_points": turn.best.points,
        "best_equity": turn.best.equity / 1000,
        "lost": turn.lost / 1000,
    }
