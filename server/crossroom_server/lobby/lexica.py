"""The word lists of this server: those that come with the engine and those of the data folder."""

from pathlib import Path

from crossroom_engine.core.errors import BadText
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from crossroom_protocol.base.refusals import Refusal


class LexicaOnDisk:
    """Opens each list once and keeps it open; processes share its pages by the memory map."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: dict[str, Lexicon] = {}

    def names(self) -> tuple[str, ...]:
        """Return the names of the lists that can be opened now."""
        return tuple(catalog.lexicon_paths([self._folder]))

    def get(self, name: str, digest: str | None = None) -> Lexicon:
        """Return the list of that name or, given a *digest*, the list of exactly those words.

        Raises:
            Refusal: ``NO_LEXICON``; the prose says what there is, or what to do.
        """
        key = digest or name
        if key not in self._open:
            try:
                self._open[key] = catalog.open_lexicon(name, [self._folder], digest=digest)
            except (BadText, OSError) as error:
                raise Refusal("NO_LEXICON", str(error)) from None
        return self._open[key]
