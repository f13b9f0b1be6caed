"""Draw every tile of finished games again, from the seeds that were sealed."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from crossroom_engine.core.errors import BadText, CorruptLog
from crossroom_engine.game.draw_verification import Verdict, verify_draws
from crossroom_engine.records.gcg_read import decode_gcg
from crossroom_protocol.base.clean import clean
from crossroom_protocol.encoding.game_json import read_events
from crossroom_server.cli.options import STDIN

UNFAIR: Final = 1
UNKNOWN: Final = 2
"""Exit statuses: something was not drawn as sealed; a game cannot be checked at all."""


def check(names: Sequence[str], seal: str | None, *, as_json: bool) -> int:
    """Check every game and print what disagrees.

    Returns:
        0 if nothing does, 1 if something does, 2 if a game cannot be checked.
    """
    results = [(name, _verify(name)) for name in names]
    if as_json:
        told = [_as_json(name, result, seal) for name, result in results]
        print(json.dumps({"games": told}, ensure_ascii=False, indent=1))
    else:
        for name, result in results:
            _print(name, result, seal)
    verdicts = [result for _, result in results if isinstance(result, Verdict)]
    if len(verdicts) < len(results):
        return UNKNOWN
    return UNFAIR if any(v.findings or _is_other(v, seal) for v in verdicts) else 0


def _verify(name: str) -> Verdict | str:
    """Return the verdict, or why there is none."""
    try:
        data = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
        return verify_draws(read_events(decode_gcg(data)))
    except (BadText, CorruptLog) as error:
        return str(error)
    except OSError as error:
        return error.strerror or str(error)


def _is_other(verdict: Verdict, seal: str | None) -> bool:
    return seal is not None and not verdict.seal.startswith(seal)


def _print(name: str, result: Verdict | str, seal: str | None) -> None:
    if isinstance(result, str):
        print(f"crossroom: {name}: {clean(result)}", file=sys.stderr)
        return
    for finding in result.findings:
        print(f"{name}: event {finding.event}: {clean(finding.prose)}")
    if _is_other(result, seal):
        print(f"{name}: the seal is {clean(result.seal)}, not {seal}")
    elif not result.findings:
        told = "as told" if seal else "was that told when the game began?"
        print(f"{name}: ok, {result.draws} draws; seal {result.seal}, {told}")


def _as_json(name: str, result: Verdict | str, seal: str | None) -> dict[str, Any]:
    if isinstance(result, str):
        return {"file": name, "error": result}
    told = {"seal_as_told": not _is_other(result, seal)} if seal else {}
    return {"file": name, **asdict(result), **told}
