"""Writes the reference of the settings, ``SETTINGS.md``, from the code.

``python -m crossroom_server.config.docs`` rewrites the generated parts; with ``--check`` it only
compares them, and exits with 1 if they are stale.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from crossroom_protocol.docs.reference import fill_parts, markdown_table, update_files
from crossroom_server.config.fields import Setting
from crossroom_server.config.settings import SETTINGS

PAGE: Final = Path(__file__).parents[2] / "SETTINGS.md"


def page(text: str) -> str:
    """Return the page *text* with its generated parts made anew.

    Raises:
        KeyError: the page asks for a part that is not known here.
    """
    limits = [one for one in SETTINGS.values() if one.name.startswith("limits.")]
    server = [one for one in SETTINGS.values() if one not in limits]
    return fill_parts(
        text, {"server": lambda: _settings(server), "limits": lambda: _settings(limits)}
    )


def _settings(settings: Iterable[Setting]) -> str:
    rows = ((f"`{one.name}`", one.default_text, _meaning(one)) for one in settings)
    return markdown_table(("name", "default", "what it is"), rows)


def _meaning(setting: Setting) -> str:
    words = f"{setting.doc[:1].upper()}{setting.doc[1:]}."
    return f"{words} Also `{setting.alias}`." if setting.alias else words


def main(argv: Sequence[str] | None = None) -> int:
    """Rewrite the reference, or with ``--check`` compare it; return 1 if it is stale, else 0."""
    parser = argparse.ArgumentParser(prog="python -m crossroom_server.config.docs")
    parser.add_argument("--check", action="store_true", help="change nothing, say what is stale")
    parser.add_argument("--page", type=Path, default=PAGE, help="default: %(default)s")
    args = parser.parse_args(argv)
    wanted = {args.page: page(args.page.read_text(encoding="utf-8"))}
    return update_files(wanted, "crossroom_server.config.docs", check=args.check)


if __name__ == "__main__":
    sys.exit(main())
