"""Display settings of a connection: ``/set reader``, ``ansi``, ``language`` and their like."""

from dataclasses import replace
from typing import Final, cast, get_args

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import LANGUAGES, base_language, gettext
from crossroom_protocol.base.wording import join_or
from crossroom_protocol.notices import BoardSetting, ReaderSettings

NARROWEST: Final = 20
WIDEST: Final = 500
"""Characters after which lines may be wrapped."""


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
    if setting == "width":
        return _with_width(style, value)
    if setting == "board":
        if value and value not in get_args(BoardSetting):
            raise Refusal("BAD_SETTING", "board is each, mine or off")
        return replace(style, board=cast("BoardSetting", value) if value else style.board)
    if value not in ("on", "off", ""):
        raise Refusal("BAD_SETTING", "{setting} is on or off: /set {setting} on", setting=setting)
    if not value:
        return style
    on = value == "on"
    return replace(style, reader=on) if setting == "reader" else replace(style, ansi=on)


def _with_width(style: ReaderSettings, value: str) -> ReaderSettings:
    if value in ("", "off"):
        return replace(style, width=0) if value else style
    if not value.isdecimal() or not NARROWEST <= int(value[:5]) <= WIDEST:
        raise Refusal(
            "BAD_SETTING",
            "width is off, or a number of characters from {least} to {most}",
            least=NARROWEST,
            most=WIDEST,
        )
    return replace(style, width=int(value))


def setting_line(style: ReaderSettings, setting: str) -> str:
    """Return a line with the value of *setting*."""
    if setting == "language":
        return gettext("language is {language}", language=LANGUAGES[base_language(style.language)])
    if setting == "width" and style.width:
        return gettext("width is {width}", width=style.width)
    if setting == "board":
        return gettext("board is {board}", board=style.shown_board)
    if getattr(style, setting):
        return gettext("{setting} is on", setting=setting)
    return gettext("{setting} is off", setting=setting)
