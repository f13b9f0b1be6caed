"""What peers send, written as nobody should: lines, objects, bytes, names, requests.

What is read must be a request or be refused by its type, and whatever is answered must be frames
that a terminal can be trusted with.
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, cast
from unicodedata import category

from websockets.datastructures import Headers
from websockets.http11 import Request as HttpRequest

from crossroom_protocol.base.clean import clean
from crossroom_protocol.base.refusals import CODES, Refusal
from crossroom_protocol.commands import parser
from crossroom_protocol.commands.parser import MAX_LINE_BYTES, ParseError
from crossroom_protocol.commands.registry import COMMANDS
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.notices import Done, Note, ReaderSettings, Refused
from crossroom_server.identity import names
from crossroom_server.identity.client_address import read_network
from crossroom_server.identity.codes import code_digest
from crossroom_server.listeners.tcp import LineSplitter
from crossroom_server.net.forwarded_headers import Proxies
from crossroom_server.session.server_state import ServerState
from crossroom_server.store.memory import MemoryStore
from crossroom_server.web.health import Health
from crossroom_server.web.prometheus import MetricsText
from crossroom_server.web.site import Site, base_url, client_address, room_in
from tests.support.server import UNLIMITED, new_lobby
from tests.system.fuzz.texts import text_like

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

TEXT: Final = [
    ReaderSettings(),
    ReaderSettings(mode="tags"),
    ReaderSettings(reader=True),
    ReaderSettings(ansi=True),
]
JSON: Final = ReaderSettings(mode="json")
EXAMPLES: Final = [*(kind.example for kind in COMMANDS.values()), "hello", "//x", "!!", "...ok"]
OBJECTS: Final = (
    '{"do": "play", "at": "8H", "word": "QUIz", "turn": 1, "id": "7", "show": true}',
    '{"do": "say", "text": "hello"}',
    '{"do": "resume", "code": "k7qm-4ftz-9w2h", "seq": 9}',
    '{"do": "set", "setting": "preset", "value": "race"}',
    '{"do": "history", "last": [[{"x": 1.5e300, "y": null}, "\\ud800"]]}',
)
TARGETS: Final = (
    *("/", "/t/kitchen", "/healthz", "/t/%41?x#y", "http://[::1]:80/t/x", "//x/t/.."),
    *("/g/aaaaaaaaaaaaaaaaaaaa.png", "/p/ann", "/r/kitchen", "/page/archive/game.js"),
)
FIELDS: Final = {
    "Host": ("host:8765", "[::1]:80", ""),
    "Origin": ("http://host:8765", "null", "http://[::1"),
    "Upgrade": ("websocket", "h2c, WebSocket"),
    "X-Forwarded-For": ("192.0.2.1, 10.0.0.1", "[::1]:80", "unknown"),
    "X-Forwarded-Proto": ("https",),
    "X-Real-IP": ("::ffff:192.0.2.1%eth0",),
}
NO_VALUE: Final = re.compile(r"[^\t -~\x80-\xff]")
NO_TARGET: Final = re.compile(rb"\s")
LOOP: Final = asyncio.new_event_loop()
LOBBY: Final = new_lobby()
PROXIES: Final = Proxies([read_network("127.0.0.0/8"), read_network("10.0.0.0/8")])


def tell(notice: Refused | Note | Done, label: str | None, style: ReaderSettings) -> None:
    for frame in encode(notice, style, label):
        assert frame
        assert "\n" not in frame
        assert "\r" not in frame
        assert all(map(_may_be_sent, frame)), frame
        frame.encode()


def _may_be_sent(character: str) -> bool:
    """Whether it is printable, private, an escape for colour, or part of an emoji."""
    is_emoji = character in "\x1b\u200d" or 0x1F000 <= ord(character) < 0x1FC00
    return (
        character.isprintable()
        or is_emoji
        or 0xE0020 <= ord(character) < 0xE0080
        or (category(character) == "Co")
    )


def refused(no: ParseError, style: ReaderSettings) -> None:
    assert no.code in CODES
    tell(Refused(code=no.code, command=no.command, text=no.prose), no.label, style)


def read_a_line(dice: Random) -> None:
    line = text_like(dice, dice.choice(EXAMPLES))
    if dice.random() < 0.3:
        line = dice.choice(("@7 ", "@;=\\ ", "@" + "x" * 65 + " ")) + line
    label, line = parser.split_label(line)
    try:
        request = parser.read_line(line, in_room=dice.random() < 0.5)
    except ParseError as no:
        no.label = label
        refused(no, dice.choice(TEXT))
        return
    if request is not None:
        assert len(line.encode("utf-8", "replace")) <= MAX_LINE_BYTES
        assert parser.read_json(request.command.model_dump_json()).command == request.command
    tell(Done(), label or "7", dice.choice(TEXT))


def read_an_object(dice: Random) -> None:
    text = text_like(dice, dice.choice(OBJECTS))
    if dice.random() < 0.1:
        text = text.replace(dice.choice(("1", '"7"', "true")), "[" * dice.choice((9, 3000)))
    try:
        request = parser.read_json(text)
    except ParseError as no:
        refused(no, JSON)
        return
    tell(Note(about="echo", lines=(repr(request.command),)), request.label, JSON)


def split_bytes(dice: Random) -> None:
    longest = dice.choice((1, 10, 4096))
    splitter = LineSplitter(longest)
    for _ in range(dice.randrange(5)):
        data = dice.choice(
            (dice.randbytes(dice.randrange(300)), text_like(dice, "a\nb").encode("utf-8", "ignore"))
        )
        found = splitter.feed(data.replace(b"x", b"\xff"))
        assert all(len(line) <= longest and b"\n" not in line for line in found)
    assert len(splitter.rest()) <= longest


def give_a_name(dice: Random) -> None:
    name = clean(text_like(dice, dice.choice(("ann", "Zoë", "Иван", "greedy-bot", "李小龙"))))
    code_digest(name)
    key = names.comparison_key(name)
    assert names.comparison_key(name.swapcase().casefold()) == names.comparison_key(name.casefold())
    with suppress(Refusal):
        names.check_room_name(name)
    checked = names.check_name(name)
    assert checked.isprintable()
    assert names.comparison_key(checked) == key


def ask_for_a_page(dice: Random) -> None:
    server = ServerState(LOBBY, UNLIMITED, proxies=PROXIES)
    store, headers = MemoryStore(), Headers()
    health = Health(server, store)
    site = Site(server, health, store, MetricsText(server, health), allowed_hosts=["host"])
    for field, values in FIELDS.items():
        for _ in range(dice.choice((0, 0, 1, 2))):
            headers[field] = NO_VALUE.sub("", text_like(dice, dice.choice(values)))
    target = text_like(dice, dice.choice(TARGETS)).encode("utf-8", "ignore")
    request = HttpRequest(NO_TARGET.sub(b"", target).decode("ascii", "surrogateescape"), headers)
    near, far = ("127.0.0.1", 8765), (dice.choice(("127.0.0.1", "::1", "10.0.0.1")), 40000)
    fake: Any = SimpleNamespace(local_address=near, remote_address=far, transport=None)
    connection = cast("ServerConnection", fake)
    room_in(request)
    assert base_url(server, connection, request).isprintable()
    assert client_address(server, connection, request).isprintable()
    response = LOOP.run_until_complete(site.respond(connection, request))
    if response is not None:
        assert response.status_code in (200, 400, 403, 404, 405, 421)
        response.serialize()


READERS: Final[list[Callable[[Random], None]]] = [
    read_a_line,
    read_an_object,
    split_bytes,
    give_a_name,
    ask_for_a_page,
]


def case(dice: Random) -> None:
    """Read one thing."""
    with suppress(Refusal):
        dice.choice(READERS)(dice)
