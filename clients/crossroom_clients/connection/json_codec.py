"""JSON mode, for clients that draw: whole notices, each with its plain lines. No sockets."""

import json
from dataclasses import dataclass
from typing import Any, ClassVar, Final, get_args

from pydantic import ValidationError
from websockets.typing import Subprotocol

from crossroom_clients.connection.message import Message
from crossroom_protocol.commands.parser import read_line
from crossroom_protocol.encoding import tags
from crossroom_protocol.notices import AnyNotice


@dataclass(frozen=True)
class NoticeMessage(Message):
    """A notice of the server; ``line`` is the first of its plain ``lines``.

    ``notice`` is None where it tells of something that this client does not know.
    """

    lines: tuple[str, ...]
    notice: AnyNotice | None


_NOTICE_TYPES: Final = {kind.model_fields["tell"].default: kind for kind in get_args(AnyNotice)}


class JsonCodec:
    """One JSON object a frame. What a newer server adds is passed over."""

    subprotocol: ClassVar = Subprotocol("json.v1.crossroom")
    wants_rules: ClassVar = True

    def encode(self, label: str, line: str, *, in_room: bool) -> str:
        """The command that *line* stands for.

        Raises:
            Refusal: there is no such command, or something is wrong with its arguments.
        """
        request = read_line(line, in_room=in_room)
        asked: dict[str, Any] = {"id": label}
        if request is not None:
            asked |= request.command.model_dump(mode="json")
            asked |= {"show": True} if request.shown else {}
        return json.dumps(asked, ensure_ascii=False)

    def decode(self, frame: str) -> NoticeMessage | None:
        """One notice, with its plain lines."""
        told = json.loads(frame)
        kind = _NOTICE_TYPES.get(told["tell"])
        label = told.get("id")
        try:
            notice = kind and kind.model_validate({key: told[key] for key in kind.model_fields})
        except (ValidationError, KeyError):
            notice = None
        if notice is None:
            known = {"label": label, "seq": told.get("seq")}
        else:
            known = tags.notice_tags(notice, label)
        lines = tuple(told.get("plain", ()))
        heard = {key: str(value) for key, value in known.items() if value is not None}
        return NoticeMessage(heard, lines[0] if lines else "", lines, notice)
