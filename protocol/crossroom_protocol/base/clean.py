"""Remove from texts what could disturb other people's terminals."""

import re
import unicodedata
from typing import Final

from wcwidth import iter_graphemes, wcwidth

MOST_MARKS: Final = 6
"""Marks on one letter: more than any language writes, too few to climb over other lines."""

_HARMLESS: Final = re.compile("[ -~\u00a1-\u00ac\u00ae-\u024f\u2190-\u21ff]*")
"""Most lines, which need no closer look: Latin letters, punctuation, arrows."""

_EMOJI: Final = range(0x1F000, 0x1FC00)
"""Blocks in which new emoji are assigned."""

_JOINER: Final = "\u200d"
_BLACK_FLAG: Final = "\U0001f3f4"
_TAGS: Final = range(0xE0020, 0xE0080)
"""Letters that name the region of a black flag."""


def clean(text: str) -> str:
    """Return *text* as one line that is safe to print.

    Tabs, line breaks and all kinds of spaces become plain spaces. Control and format characters,
    direction overrides among them, lone surrogates and unassigned code points are dropped, except
    within an emoji that is joined from several. Accents are joined to their letters, as in the
    tiles; a letter keeps :data:`MOST_MARKS` of its marks.
    """
    if _HARMLESS.fullmatch(text):
        return text
    text = unicodedata.normalize("NFC", text)
    # Once more: what was taken out may have kept an accent from its letter.
    return unicodedata.normalize("NFC", "".join(map(_safe_grapheme, iter_graphemes(text))))


def _safe_grapheme(grapheme: str) -> str:
    first, last = grapheme[0], len(grapheme) - 1
    kept, marks = [], 0
    for index, character in enumerate(grapheme):
        is_mark = unicodedata.category(character)[0] == "M"
        marks += is_mark
        is_joined = (character == _JOINER and 0 < index < last) or (
            first == _BLACK_FLAG and ord(character) in _TAGS
        )
        if is_joined:
            kept.append(character)
        elif not is_mark or marks <= MOST_MARKS:
            kept.append(_safe(character))
    return "".join(kept)


def _safe(character: str) -> str:
    category = unicodedata.category(character)
    if character in "\t\n" or category in ("Zl", "Zp", "Zs"):
        return " "
    if category == "Cn" and ord(character) in _EMOJI and wcwidth(character) > 1:
        return character  # an emoji newer than this interpreter
    return "" if category in ("Cc", "Cf", "Cs", "Cn") else character
