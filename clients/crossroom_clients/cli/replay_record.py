"""The work of `crossroom replay`: show a record, move by move."""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from crossroom_engine.core.board import Board
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.tiles import spell
from crossroom_engine.records.gcg import (
    Bonus,
    GcgAction,
    GcgEntry,
    GcgExchange,
    GcgPass,
    GcgPlay,
    Leftover,
    Overtime,
    Record,
    Retirement,
    Withdrawal,
)
from crossroom_engine.records.gcg_read import decode_gcg
from crossroom_engine.records.issues import Issue
from crossroom_engine.records.replay import ReplayCheck, ReplayState
from crossroom_protocol.base.clean import clean
from crossroom_protocol.encoding.game_json import read_record
from crossroom_protocol.text.board_text import draw_board

KEYS = "Enter next, p previous, a number that move, q quit: "


def run(args: argparse.Namespace) -> int:
    """Show the game: step by step at a terminal, otherwise all at once. Return 0.

    Raises:
        BadText: the file is no record, or has no such move.
        OSError: it cannot be read.
    """
    record = read_record(decode_gcg(Path(args.file).read_bytes()))
    frames = list(_frames(record))
    if args.move is not None:
        if not 1 <= args.move <= len(frames):
            raise BadText(f"there is no move {args.move}; this game has {len(frames)}")
        frames = frames[args.move - 1 : args.move]
    if args.json:
        print(json.dumps([_as_json(record, f) for f in frames], ensure_ascii=False, indent=1))
    elif args.delay is not None:
        for frame in frames:
            _show(record, frame)
            time.sleep(args.delay)
    elif len(frames) > 1 and not args.all and sys.stdin.isatty() and sys.stdout.isatty():
        _step(record, frames)
    else:
        for frame in frames:
            _show(record, frame)
    return 0


@dataclass(frozen=True)
class Frame:
    """One move: its number, what was done, what is wrong with that, and the game after it."""

    number: int
    entry: GcgEntry
    findings: tuple[Issue, ...]
    after: ReplayState


def _frames(record: Record) -> Sequence[Frame]:
    replay = ReplayCheck(record)
    return [
        Frame(number, entry, replay.follow_entry(entry), replay.state)
        for number, entry in enumerate(record.entries, start=1)
    ]


def _step(record: Record, frames: Sequence[Frame]) -> None:
    at = 0
    while True:
        _show(record, frames[at])
        try:
            key = input(KEYS).strip().lower()
        except EOFError:
            return
        if key.startswith("q") or (not key.startswith("p") and at == len(frames) - 1 and not key):
            return
        wanted = int(key) - 1 if key.isdecimal() else at + (-1 if key.startswith("p") else 1)
        at = min(max(0, wanted), len(frames) - 1)


def _show(record: Record, frame: Frame) -> None:
    entry, after = frame.entry, frame.after
    rack = f" [{spell(entry.rack)}]" if entry.rack else ""
    points = "" if isinstance(entry.action, Retirement) else f", {entry.points:+} = {entry.total}"
    print(clean(f"{frame.number}. {entry.name}{rack} {describe(entry.action)}{points}"))
    for finding in frame.findings:
        print(clean(f"   wrong: {finding.prose}"))
    for note in entry.notes:
        print(clean(f"   note: {note}"))
    for row in draw_board(_rows(after.board), record.rules.layout):
        print(row)
    scores = (f"{p.nick} {score}" for p, score in zip(record.players, after.recorded, strict=True))
    print(clean(f"{'   '.join(scores)}   bag {after.bag}"))
    print()


def _as_json(record: Record, frame: Frame) -> dict[str, Any]:
    entry, after = frame.entry, frame.after
    return {
        "move": frame.number,
        "player": entry.name,
        "rack": spell(entry.rack),
        "action": describe(entry.action),
        "points": entry.points,
        "total": entry.total,
        "notes": entry.notes,
        "board": _rows(after.board),
        "scores": [
            {"player": p.nick, "score": score}
            for p, score in zip(record.players, after.recorded, strict=True)
        ],
        "bag": after.bag,
        "findings": [asdict(finding) for finding in frame.findings],
    }


def describe(action: GcgAction) -> str:
    """Say in words what somebody did: ``plays 8H WORD``.

    >>> describe(GcgExchange(3, None))
    'exchanges 3 tiles'
    """
    match action:
        case GcgPlay(spot, text, swaps):
            back = "".join(f", takes back the blank on {square}" for square in swaps)
            return f"plays {spot} {text}{back}"
        case GcgExchange(count, tiles):
            return f"exchanges {f'{count} tiles' if tiles is None else spell(tiles)}"
        case GcgPass(lost):
            return "loses the turn to a challenge" if lost else "passes"
        case Withdrawal():
            return "takes the play back"
        case Bonus():
            return "was challenged in vain"
        case Leftover(tiles):
            return f"is settled for the tiles {spell(tiles)}"
        case Overtime():
            return "pays for time"
        case Retirement():
            return "leaves the game"


def _rows(board: Board) -> list[str]:
    texts = ["." if letter is None else str(letter) for letter in board.squares]
    return ["".join(texts[at : at + board.width]) for at in range(0, len(texts), board.width)]
