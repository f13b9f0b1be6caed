"""What should not be said: broken frames, broken requests, text that is none."""

import asyncio
import json
from typing import Final

from tests.system.attack.floods import listening
from tests.system.attack.peer import BINARY, PING, RawPeer, Target, frame, random_bytes

HEAD: Final = b"Host: 127.0.0.1\r\n"
TAGS: Final = "Sec-WebSocket-Protocol: tags.v1.crossroom"
JSON: Final = "Sec-WebSocket-Protocol: json.v1.crossroom"
NASTY: Final = "\x1b[2J\x1b]0;owned\x07\x00\x08\x7f\x9b31m \u202e\u2066\u200b\u2028\ufeff\U000e0041"
"""Control characters, escape sequences, direction overrides and what cannot be seen."""


async def giant_frames(aim: Target) -> None:
    """Frames and messages that are, or claim to be, too big: 1009."""
    giants = [
        b"\x81\xff" + b"\x7f" + b"\xff" * 7 + bytes(4),
        b"\x81\xff" + (1 << 20).to_bytes(8) + bytes(4) + b"x" * 70_000,
        frame(b"x" * 5000),
        frame(b"x" * 1000, fin=0) + frame(b"x" * 1000, opcode=0, fin=0) * 100,
    ]
    for giant in giants:
        peer = await listening(aim)
        await peer.say(giant)
        assert await peer.close_code() == 1009


async def broken_frames(aim: Target) -> None:
    """Frames against the protocol: 1002, 1003 and 1007, as it says."""
    broken = {
        frame(b"\xff\xfe"): 1007,
        frame(b"\xed\xa0\x80"): 1007,
        frame(b"\xc3", fin=0) + frame(b"\x28", opcode=0): 1007,
        frame(b"\0\1\2", BINARY): 1003,
        b"\x81\x05hello": 1002,
        frame(b"x", opcode=3): 1002,
        frame(b"x", opcode=0xB): 1002,
        frame(b"x", rsv=2): 1002,
        frame(b"x" * 126, PING): 1002,
        frame(b"x", PING, fin=0): 1002,
        frame(b"x", opcode=0): 1002,
        frame(b"x", fin=0) + frame(b"y"): 1002,
        frame(b"\x03", opcode=8): 1002,
    }
    for data, code in broken.items():
        peer = await listening(aim)
        await peer.say(data)
        assert await peer.close_code() == code, data[:20]


async def compression_bomb(aim: Target) -> None:
    """Nothing is compressed here, so nothing can be blown up: 1002."""
    peer = await RawPeer.dial(aim.port, aim.source)
    offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    await peer.say(b"")
    assert await peer.upgrade("/", offer) == 101
    bomb = b"\xec\xc1\x01\x01\x00\x00\x00\x80\x90\xfe\xaf\xee\x08\x0a" + b"\x00" * 4000
    await peer.say(frame(bomb, rsv=4))
    assert await peer.close_code() == 1002


async def rubbish_on_the_web_port(aim: Target) -> None:
    """Requests against the protocol: one refusal at most, then hung up on."""
    ask = b"GET / HTTP/1.1\r\n" + HEAD
    requests = {
        b"POST / HTTP/1.1\r\n" + HEAD + b"Content-Length: 5\r\n\r\nhello": (0, 400, 405, 413),
        ask + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": (0, 400, 501),
        ask + b"Transfer-Encoding: chunked\r\n\r\nffffffff\r\n": (0, 400, 501),
        ask + b"Content-Length: -1\r\n\r\n": (0, 400),
        ask + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!": (0, 400),
        ask + b"X : y\r\n\r\n": (0, 400),
        ask + b"X: y\r\n z\r\n\r\n": (0, 400),
        ask + b"X: \x00\x01\r\n\r\n": (0, 400),
        ask + b"X: " + b"y" * 20_000 + b"\r\n\r\n": (0, 400, 431),
        ask + b"X: y\r\n" * 3000 + b"\r\n": (0, 400, 431),
        b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n\r\n": (0, 400, 414, 431),
        b"GET /%ff%00%0d%0aX:y HTTP/1.1\r\n" + HEAD + b"\r\n": (400, 404),
        b"GET /t/../../etc/passwd HTTP/1.1\r\n" + HEAD + b"\r\n": (404,),
        b"GET http://evil.example/ HTTP/1.1\r\n" + HEAD + b"\r\n": (200, 400, 404),
        b"GET //evil.example/%5c.. HTTP/1.1\r\n" + HEAD + b"\r\n": (200, 404),
        b"GET http://[::1/ HTTP/1.1\r\n" + HEAD + b"\r\n": (400, 404),
        b"GET / HTTP/0.9\r\n\r\n": (0, 400, 505),
        b"GET / HTTP/2.0\r\n\r\n": (0, 400, 505),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n": (0, 400, 405, 505),
        b"CONNECT evil.example:443 HTTP/1.1\r\n" + HEAD + b"\r\n": (0, 400, 404, 405),
        b"GET / HTTP/1.1\nHost: x\n\n": (0, 200, 400),
        b"\r\n\r\n" + ask + b"\r\n": (0, 400),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500): (0, 400),
        b"\xff" * 3000 + b"\r\n\r\n": (0, 400),
        random_bytes(3000) + b"\r\n\r\n": (0, 400),
    }
    for request, statuses in requests.items():
        peer = await RawPeer.dial(aim.port, aim.source)
        await peer.say(request)
        status = await peer.status()
        assert status in statuses, (request[:80], status)
        await peer.rest()


async def smuggled_requests(aim: Target) -> None:
    """A request behind another, or in its body, is not answered."""
    second = b"GET /t/smuggled HTTP/1.1\r\n" + HEAD + b"\r\n"
    for first in (
        b"GET / HTTP/1.1\r\n" + HEAD + b"\r\n",
        b"GET / HTTP/1.1\r\n" + HEAD + b"Content-Length: %d\r\n\r\n" % len(second),
        b"GET / HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HEAD / HTTP/1.1\r\n" + HEAD + b"Connection: keep-alive\r\n\r\n",
    ):
        peer = await RawPeer.dial(aim.port, aim.source)
        await peer.say(first + second)
        heard = await peer.rest()
        assert heard.count(b"HTTP/1.1 ") <= 1
        assert b"smuggled" not in heard


async def rubbish_on_the_line_port(aim: Target) -> None:
    """Requests, TLS, telnet and endless lines: answered by a line, or hung up on."""
    said = {
        b"GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n": b"HTTP/1.1 400",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x28\n": b"! INVALID_UTF8 line:",
        b"\xff\xfd\x18\xff\xfa\x18\x00xterm\xff\xf0/quit\r\n": b"- bye",
        b"\0\0\0\0/quit\n": b"- bye",
        b"x" * 60_000 + b"\n/quit\n": b"! TOO_LONG line:",
        b"\xff" * 60_000 + b"\n/quit\n": b"- bye",
        b"\xff\xfa" + b"x" * 60_000 + b"\xff\xf0\n/quit\n": b"- bye",
    }
    for data, wanted in said.items():
        peer = await RawPeer.dial(aim.line_port, aim.source)
        await peer.say(data)
        heard = await peer.rest()
        assert wanted in heard, (data[:40], heard[-100:])


async def nested_json(aim: Target) -> None:
    """JSON that is deep, huge, ambiguous or something else: refused, each by itself."""
    deep = 3900
    texts = [
        "[" * deep,
        "[" * (deep // 2) + "]" * (deep // 2),
        '{"do":' * 500 + "1" + "}" * 500,
        '{"do": "play", "at": "8H", "word": "A", "turn": ' + "9" * deep + "}",
        '{"do": "play", "turn": 1e999}',
        '{"do": "play", "turn": NaN}',
        '{"do": "history", "last": -Infinity}',
        '{"do": "say", "text": ["x"]}',
        '{"do": "say", "text": "\\ud800"}',
        '{"do": "\\ud800"}',
        '{"do": "say", "\\ud800": 1}',
        '{"do": "say", "do": "quit", "do": 7}',
        '{"do": "ping", "id": {"a": 1}}',
        '{"do": "ping", "id": ""}',
        '{"do": "ping", "id": "' + "x" * 65 + '"}',
        '{"do": "ping", "show": 1}',
        '{"do": "ping", "__class__": "x"}',
        "null",
        "1",
        '"ping"',
        "\ufeff{}",
        "{",
    ]
    peer = await listening(aim, "/", JSON)
    await peer.hear('"welcome"')
    for text in texts[:8]:
        await peer.say(frame(text.encode("utf-8", "surrogatepass")))
        told = json.loads(await peer.text())
        assert told["tell"] == "refused", (text[:50], told)
        assert told["code"] in ("BAD_ARGS", "UNKNOWN_COMMAND", "NOT_IN_ROOM", "TOO_LONG"), told
    other = await listening(aim, "/", JSON)
    await other.hear('"welcome"')
    for text in texts[8:]:
        await other.say(frame(text.encode()))
        told = json.loads(await other.text())
        assert told["tell"] == "refused", (text[:50], told)
        assert told["code"] != "INTERNAL", told
    peer.hang_up()
    other.hang_up()


async def label_abuse(aim: Target) -> None:
    """Labels that try to be something else: one end for each, and no line of their own."""
    peer = await listening(aim, "/", TAGS)
    await peer.hear("the door")
    labels = [";label=7;code=OK", "\\n*", "a=b", "@", "x" * 64, "\\", ":", "\u00b7".encode().hex()]
    for label in labels:
        await peer.say(frame(f"@{label} /ping".encode()))
        heard = [await peer.hear("pong"), await peer.text()]
        assert all("\n" not in line for line in heard)
        assert heard[-1].startswith("@label=")
        assert heard[-1].endswith(" .")
        assert heard[-1].count(" ") == 1
    peer.hang_up()
    for line in (f"@{'x' * 65} /ping", "@\u202e /ping", "@ /ping", "@a\tb /ping"):
        peer = await listening(aim, "/", TAGS)
        await peer.hear("the door")
        await peer.say(frame(line.encode()))
        await peer.hear("! ")
        peer.hang_up()


async def nasty_text(aim: Target) -> None:
    """Control characters in everything that others hear or that is logged: none arrives."""
    room = f"/t/{aim.source.replace('.', '-')}n"
    witness = await listening(aim, room)
    eve = await listening(aim, room)
    lines = ["/name eve", f"hello {NASTY} there", f"/me {NASTY} waves", f"{NASTY}/help\r{NASTY}"]
    lines += [f"/name eve{NASTY}", f"!{NASTY}", f"!rules {NASTY}", f"/set {NASTY} {NASTY}"]
    for line in lines:
        await eve.say(frame(line.encode()))
    await eve.say(frame(b"the end"))
    for peer in (witness, eve):
        while True:
            text = await peer.text()
            assert text.isprintable(), text
            if "the end" in text:
                break
        peer.hang_up()


async def log_injection(aim: Target) -> None:
    """Line breaks and escapes wherever something may be logged; the log is looked at afterwards."""
    forged = "x%0d%0a2026-01-01%2000:00:00,000%20CRITICAL%20root:%20forged"
    for path in (f"/t/{forged}", f"/{forged}", "/t/x%1b%5b2J"):
        peer = await RawPeer.dial(aim.port, aim.source)
        assert await peer.upgrade(path) in (101, 404, 400), path
        await peer.say(frame(b"/name \n2026 CRITICAL root: forged\r\n/resume \x1b[2J-forged"))
        peer.hang_up()
    peer = await RawPeer.dial(aim.line_port, aim.source)
    await peer.say(b"\x1b[2J\r2026 CRITICAL root: forged\n/join \x1b]0;forged\x07\n/quit\n")
    await peer.rest()


async def everything_at_random(aim: Target) -> None:
    """Bytes as they come, on both ports, for a while."""
    loop = asyncio.get_running_loop()
    until = loop.time() + aim.seconds
    while loop.time() < until:
        for port in (aim.port, aim.line_port):
            peer = await RawPeer.dial(port, aim.source)
            await peer.say(random_bytes(4000) + b"\r\n\r\n")
            await peer.rest()
        peer = await RawPeer.dial(aim.port, aim.source)
        status = await peer.upgrade()
        assert status in (101, 429), status  # after so many arrivals the address has to wait
        await peer.say(random_bytes(4000) + frame(b"/quit"))
        peer.hang_up()
        await asyncio.sleep(0.7)  # or the door stays closed


RUBBISH = [
    giant_frames,
    broken_frames,
    compression_bomb,
    rubbish_on_the_web_port,
    smuggled_requests,
    rubbish_on_the_line_port,
    nested_json,
    label_abuse,
    nasty_text,
    log_injection,
    everything_at_random,
]
