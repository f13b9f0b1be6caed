"""Remove from texts what could disturb other people's terminals."""

import unicodedata


def clean(text: str) -> str:
    """Return *text* as one line that is safe to print.

    Tabs, line breaks and all kinds of spaces become plain spaces. Control and format characters,
    direction overrides among them, lone surrogates and unassigned code points are dropped. Accents
    are joined to their letters, as in the tiles.
    """
    text = unicodedata.normalize("NFC", text)
    # Once more: what was taken out may have kept an accent from its letter.
    return text if text.isprintable() else unicodedata.normalize("NFC", "".join(map(_safe, text)))


def _safe(character: str) -> str:
    category = unicodedata.category(character)
    if character in "\t\n" or category in ("Zl", "Zp", "Zs"):
        return " "
    return "" if category in ("Cc", "Cf", "Cs", "Cn") else character
