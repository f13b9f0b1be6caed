"""Build a word list from a word file, by the dictionary rule (RULES 8.2).

The file has an entry a line; empty lines and lines that begin with ``#`` are skipped, and so is
what follows a tab, a definition.

A capital marks a name or an abbreviation. But the lists of clubs are all in capitals: where more
entries are in capitals than in small letters, only mixed case (*Paris*) does. In such a file a
definition may also follow a space, if it is not all in capitals itself: ``AA rough lava``.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple, TypeAlias

from crossroom_engine.core.errors import BadText
from crossroom_engine.core.tiles import Tiles, TileSet
from crossroom_engine.words.languages import PLAIN, Language
from crossroom_engine.words.lexicon import MAX_WORD_LENGTH, pack_words, split_word

ExclusionReason: TypeAlias = Literal[
    "capitals", "apostrophe", "hyphen", "space", "letters", "short", "long", "duplicate"
]

EXCLUSION_REASONS: Final[Mapping[ExclusionReason, str]] = {
    "capitals": "capital letters: a name or an abbreviation",
    "apostrophe": "an apostrophe",
    "hyphen": "a hyphen",
    "space": "a space: several words (a definition stands behind a tab)",
    "letters": "a letter outside the alphabet",
    "short": "too short",
    "long": "too long",
    "duplicate": "there already",
}
"""Why an entry is left out; the first of these reasons that applies."""

ReportProgress: TypeAlias = Callable[[int, int], None]
"""Told now and then how many entries are done, of how many; and when all are."""

_MIN_WORD_LENGTH: Final = 2
_MARKS: Final[Mapping[ExclusionReason, re.Pattern[str]]] = {
    "apostrophe": re.compile("['`\u00b4\u02bc\u2018\u2019]"),
    "hyphen": re.compile("[-\u2010-\u2015]"),
    "space": re.compile(r"\s"),
}
_EXAMPLES_PER_REASON: Final = 5
_PROGRESS_STEP: Final = 4096
"""Entries between two calls of a :data:`ReportProgress`."""


@dataclass(frozen=True)
class BuildReport:
    """The fate of the entries of a word file.

    Attributes:
        entries: Number of entries.
        words: Number of those that became words of the list.
        left_out: Number left out, by reason, in the order of :data:`EXCLUSION_REASONS`.
        examples: The first few entries left out, by reason.
        definitions: Number of entries with a definition.
        in_capitals: Whether this was taken for a file all in capitals.
    """

    entries: int
    words: int
    left_out: Mapping[ExclusionReason, int]
    examples: Mapping[ExclusionReason, Sequence[str]]
    definitions: int
    in_capitals: bool


class BuiltLexicon(NamedTuple):
    """The bytes of a word list, and the report of how it was built."""

    data: bytes
    report: BuildReport


def build_lexicon(
    lines: Iterable[str],
    tiles: TileSet,
    *,
    info: Mapping[str, str] | None = None,
    longest: int = 15,
    fold: bool = False,
    language: Language = PLAIN,
    progress: ReportProgress | None = None,
) -> BuiltLexicon:
    """Build a word list. Equal arguments give equal bytes.

    Args:
        lines: A word file, line by line (:func:`decode_word_file`).
        tiles: The letters, and with them the spelling of words.
        info: Facts for people: description, source, licence.
        longest: Most letters (tiles) of a word, 2 to 21; the standard board has room for 15.
        fold: Take the marks off letters that the alphabet has only without: café as CAFE.
        language: The language that spells the words.
        progress: Called to report progress.

    Raises:
        BadText: no word is left, or *longest* is out of bounds.
    """
    if not _MIN_WORD_LENGTH <= longest <= MAX_WORD_LENGTH:
        raise BadText(
            f"words may have {_MIN_WORD_LENGTH} to {MAX_WORD_LENGTH} letters at most, not {longest}"
        )
    sieve = _EntryFilter(tiles, longest, replace(language, marks="all") if fold else language)
    sieve.add_entries([line for line in map(str.strip, lines) if line and line[0] != "#"], progress)
    report = sieve.report()
    if not report.words:
        raise BadText(f"there is no word in it; {summarize(report)}")
    return BuiltLexicon(pack_words(sieve.words, tiles.letters, info or {}), report)


def decode_word_file(data: bytes, encoding: str = "utf-8") -> list[str]:
    """Read the lines of a word file, with any line ends; drop a byte order mark.

    Raises:
        BadText: the bytes are of another encoding, or there is none of that name.
    """
    try:
        text = data.decode(encoding).removeprefix("\N{BYTE ORDER MARK}")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadText(
            f"line {line} is not {encoding}; name the encoding of the file, say latin-1 or utf-16"
        ) from None
    except (LookupError, ValueError):
        raise BadText(f"there is no encoding {encoding!r}; most files are utf-8") from None
    return unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").split("\n")


def summarize(report: BuildReport) -> str:
    """Say in a sentence what was left out: ``"of 9 entries 2 are left out, hyphen 2"``."""
    reasons = "".join(f", {reason} {count}" for reason, count in report.left_out.items())
    return f"of {report.entries} entries {sum(report.left_out.values())} are left out{reasons}"


class _EntryFilter:
    """The words let through, and the entries held back."""

    def __init__(self, tiles: TileSet, longest: int, language: Language) -> None:
        self.words: dict[Tiles, None] = {}
        self._tiles, self._longest, self._language = tiles, longest, language
        self._alphabet = frozenset("".join(tiles.letters))
        self._held: dict[ExclusionReason, list[str]] = {reason: [] for reason in EXCLUSION_REASONS}
        self._definitions = 0
        self._in_capitals = False

    def add_entries(self, entries: Sequence[str], progress: ReportProgress | None) -> None:
        heads = [entry.split(maxsplit=1)[0] for entry in entries]
        self._in_capitals = sum(map(str.isupper, heads)) > sum(map(str.islower, heads))
        for done, entry in enumerate(entries):
            if progress is not None and not done % _PROGRESS_STEP:
                progress(done, len(entries))
            word, is_defined = self._headword(entry)
            self._definitions += is_defined
            if (reason := self._judge(word)) is not None:
                self._held[reason].append(word)
        if progress is not None:
            progress(len(entries), len(entries))

    def report(self) -> BuildReport:
        left_out = {reason: len(held) for reason, held in self._held.items() if held}
        return BuildReport(
            entries=len(self.words) + sum(left_out.values()),
            words=len(self.words),
            left_out=left_out,
            examples={
                reason: tuple(self._held[reason][:_EXAMPLES_PER_REASON]) for reason in left_out
            },
            definitions=self._definitions,
            in_capitals=self._in_capitals,
        )

    def _headword(self, entry: str) -> tuple[str, bool]:
        """Return the entry without its definition, and whether it had one."""
        word, tab, _ = entry.partition("\t")
        if tab:
            return word.rstrip(), True
        word, space, rest = entry.partition(" ")
        if space and self._in_capitals and word.isupper() and not rest.isupper():
            return word, True
        return entry, False

    def _judge(self, word: str) -> ExclusionReason | None:
        """Keep the word, or return why not."""
        if not self._language.is_small(word) and not (self._in_capitals and word.isupper()):
            return "capitals"
        for reason, mark in _MARKS.items():
            if mark.search(word):
                return reason
        spelt = split_word(self._language.capitals(word, self._alphabet), self._tiles)
        if spelt is None:
            return "letters"
        if not _MIN_WORD_LENGTH <= len(spelt) <= self._longest:
            return "short" if len(spelt) < _MIN_WORD_LENGTH else "long"
        if spelt in self.words:
            return "duplicate"
        self.words[spelt] = None
        return None
