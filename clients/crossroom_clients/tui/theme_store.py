"""Which colours somebody chose, kept in the data folder beside their seats."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from crossroom_clients.tui.themes import default_theme, palettes

THEMES_FILE: Final = "colours.json"


class ThemeStore:
    """The theme chosen last, for each kind of terminal: what suits one cannot be read on another.

    Args:
        data: The data folder; None: nothing is remembered.
        theme: The theme to begin with, by name, whatever was chosen before; "" for that.
    """

    def __init__(self, data: Path | None = None, theme: str = "") -> None:
        self._path = None if data is None else data / THEMES_FILE
        self._theme = theme

    def first_theme(self, system: str | None) -> str:
        """The theme to begin with on a terminal of that colour system, as Rich names it."""
        kept = self._read().get(str(system), "")
        if self._theme or kept not in palettes(system):
            return self._theme or default_theme(system)
        return kept

    def save(self, system: str | None, theme: str) -> None:
        """Remember a choice. Where it cannot be written down, it holds until the end."""
        if self._path is None:
            return
        text = json.dumps(self._read() | {str(system): theme})
        fresh = self._path.with_suffix(f".{os.getpid()}.new")
        with suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(self._path)

    def _read(self) -> dict[str, str]:
        if self._path is None:
            return {}
        with suppress(OSError, ValueError):  # what cannot be read was never chosen
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            if isinstance(kept, dict):
                return {system: theme for system, theme in kept.items() if isinstance(theme, str)}
        return {}
