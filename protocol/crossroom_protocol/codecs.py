"""Writing notices: a notice in, the frames of one reader's :class:`Style` out. No sockets.

Plain: lines of prose, each with its mark. Tags: the same lines behind IRCv3-style tags, which are
stable. JSON: the notice itself.
"""

import json
from typing import Final

from crossroom_protocol import tags, text
from crossroom_protocol.notices import AnyNotice, Style

SUBPROTOCOLS: Final = {"json.v1.crossroom": "json", "tags.v1.crossroom": "tags"}
"""Websocket subprotocols and the mode each stands for; none means plain."""


def encode(notice: AnyNotice, style: Style, label: str | None = None) -> list[str]:
    """The frames that tell *notice*: none of them empty, none with a line break inside."""
    if style.mode == "json":
        dumped = notice.model_dump_json(exclude_none=False)
        if label is not None:
            dumped = f'{{"id":{json.dumps(label)},{dumped[1:]}'
        return [dumped]
    lines = text.render(notice, style)
    if style.mode == "plain":
        return lines
    front = tags.write(tags.of(notice, label))
    return [f"@{front} {line}" if front else line for line in lines]
