"""The work of `crossroom check`: read records, and print what disagrees."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from crossroom_engine.core.errors import BadText
from crossroom_engine.records.check import CheckReport, check_record
from crossroom_engine.records.gcg_read import decode_gcg, read_gcg
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.base.clean import clean
from crossroom_protocol.cli.data_folder import data_folder

EXIT_FINDINGS: Final = 1
EXIT_UNREADABLE: Final = 2
"""Exit statuses: a record disagrees with itself or the rules; something is no record at all."""

STDIN: Final = "-"


def run(args: argparse.Namespace) -> int:
    """Check every record and print what disagrees, with file and line.

    Returns:
        0 if nothing does, 1 if something does, 2 if something cannot be read.
    """
    lexicon = _lexicon(args) if args.lexicon else None
    checked = [(name, _check(name, lexicon)) for name in _names(args.files)]
    if args.json:
        told = [_as_json(name, result) for name, result in checked]
        print(json.dumps({"records": told}, ensure_ascii=False, indent=1))
    else:
        for name, result in checked:
            _print(name, result)
    results = [result for _, result in checked]
    if len(results) > 1 and not args.json:
        print(_summary(results))
    if any(isinstance(result, str) for result in results):
        return EXIT_UNREADABLE
    return EXIT_FINDINGS if any(isinstance(r, CheckReport) and r.findings for r in results) else 0


def _lexicon(args: argparse.Namespace) -> Lexicon:
    return catalog.open_lexicon(args.lexicon, [data_folder(args) / "lexica"])


def _names(files: Iterable[str]) -> Iterator[str]:
    for name in files:
        if name != STDIN and Path(name).is_dir():
            yield from (sorted(map(str, Path(name).glob("*.gcg"))) or [name])
        else:
            yield name


def _check(name: str, lexicon: Lexicon | None) -> CheckReport | str:
    """The report, or why there is none."""
    try:
        data = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
        return check_record(read_gcg(decode_gcg(data)), lexicon)
    except BadText as error:
        return str(error)
    except OSError as error:
        return error.strerror or str(error)


def _print(name: str, result: CheckReport | str) -> None:
    if isinstance(result, str):
        print(f"crossroom: {name}: {clean(result)}", file=sys.stderr)
        return
    for finding in result.findings:
        print(f"{name}:{finding.line}: {finding.kind}: {clean(finding.prose)}")
    if not result.findings:
        print(f"{name}: ok")
    for note in result.notes:
        print(f"{name}: note: {clean(note)}")


def _as_json(name: str, result: CheckReport | str) -> dict[str, Any]:
    if isinstance(result, str):
        return {"file": name, "error": result}
    return {"file": name, **asdict(result)}


def _summary(results: list[CheckReport | str]) -> str:
    reports = [result for result in results if isinstance(result, CheckReport)]
    wrong = [report for report in reports if report.findings]
    parts = [f"{len(results)} records: {len(reports) - len(wrong)} ok"]
    if wrong:
        parts.append(f"{len(wrong)} wrong in {sum(len(r.findings) for r in wrong)} places")
    if unreadable := len(results) - len(reports):
        parts.append(f"{unreadable} unreadable")
    return ", ".join(parts)
