"""Display settings of a connection: ``/set reader``, ``ansi`` and ``language``."""

from dataclasses import replace
from typing import Final

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import LANGUAGES, gettext
from crossroom_protocol.base.wording import join_or
from crossroom_protocol.notices import ReaderSettings

DISPLAY_SETTINGS: Final = ("reader", "ansi", "language")


def with_display_setting(style: ReaderSettings, setting: str, value: str) -> ReaderSettings:
    """Return the style after ``/set`` *setting value*; an empty value changes nothing.

    Raises:
        Refusal: ``BAD_SETTING``.
    """
    value = value.lower()
    if setting == "language":
        if value and value not in LANGUAGES:
            told = join_or([f"{code} ({name})" for code, name in LANGUAGES.items()])
            raise Refusal("BAD_SETTING", "language is {languages}", languages=told)
        return replace(style, language=value or style.language)
    if value not in ("on", "off", ""):
        raise Refusal("BAD_SETTING", "{setting} is on or off: /set {setting} on", setting=setting)
    if not value:
        return style
    on = value == "on"
    return replace(style, reader=on) if setting == "reader" else replace(style, ansi=on)


def setting_line(style: ReaderSettings, setting: str) -> str:
    """Return a line with the value of *setting*."""
    if setting == "language":
        return gettext("language is {language}", language=LANGUAGES[style.language])
    if getattr(style, setting):
        return gettext("{setting} is on", setting=setting)
    return gettext("{setting} is off", setting=setting)
