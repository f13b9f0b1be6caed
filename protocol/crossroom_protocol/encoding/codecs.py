"""Writing notices: a notice in, the frames of one reader's :class:`ReaderSettings` out. No sockets.

Plain: lines of prose, each with its mark. Tags: the same lines behind IRCv3-style tags, which are
stable. JSON: the notice itself, and in ``plain`` the same lines once more.
"""

import json
from dataclasses import replace
from typing import Final

from crossroom_protocol.base.translate import ENGLISH, translate
from crossroom_protocol.encoding import tags
from crossroom_protocol.notices import AnyNotice, Note, ReaderSettings, Refused
from crossroom_protocol.text import render

SUBPROTOCOLS: Final = {"json.v1.crossroom": "json", "tags.v1.crossroom": "tags"}
"""Websocket subprotocols and the mode each stands for; none means plain."""

_dumped: Final = json.JSONEncoder(ensure_ascii=False).encode


def encode(notice: AnyNotice, style: ReaderSettings, label: str | None = None) -> list[str]:
    """The frames that tell *notice*: none of them empty, none with a line break inside."""
    if style.language != ENGLISH:
        notice = _translate_notice(notice, style.language)
    if style.mode == "json":
        front = "" if label is None else f'"id":{json.dumps(label)},'
        plain = _dumped(render.render(notice, replace(style, ansi=False) if style.ansi else style))
        return [f'{{{front}{notice.model_dump_json()[1:-1]},"plain":{plain}}}']
    lines = render.render(notice, style)
    if style.mode == "plain":
        return lines
    front = tags.format_tags(tags.notice_tags(notice, label))
    return [f"@{front} {line}" if front else line for line in lines]


def _translate_notice(notice: AnyNotice, language: str) -> AnyNotice:
    """The notice with its own sentences in the language of the reader."""
    match notice:
        case Note(lines=lines):
            said = tuple(str(translate(line, language)) for line in lines)
            return notice.model_copy(update={"lines": said})
        case Refused(text=prose):
            return notice.model_copy(update={"text": translate(prose, language)})
        case _:
            return notice
