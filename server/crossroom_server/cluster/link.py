"""Carries messages between two nodes in order, and detects every loss on both sides."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from crossroom_server.cluster import messages as to
from crossroom_server.cluster.bus import MAX_MESSAGE_BYTES, Bus

log = logging.getLogger(__name__)

KEEP_ALIVES: Final = 4
"""Empty messages that follow the last one, so that its loss is noticed; then a link is quiet."""
MAX_ENVELOPE_CHARS: Final = MAX_MESSAGE_BYTES // 4
"""Characters after which an envelope is sent, for each may take some bytes."""


def subject_of(node: str) -> str:
    """Return the subject of messages for one node alone."""
    return f"crossroom.node.{node}"


class Link:
    """This node's end of the link to another; messages of one turn of the loop share an envelope.

    Args:
        node: This node.
        peer: The other node.
        bus: Carries the envelopes.
        received: Called with each message of the peer.
        broken: Called when something was lost in either direction: nothing that was said before,
            answers included, will arrive any more.
    """

    def __init__(
        self,
        node: str,
        peer: str,
        bus: Bus,
        received: Callable[["Link", to.Message], None],
        broken: Callable[["Link"], None],
    ) -> None:
        self.peer, self.generation = peer, 0
        self._node, self._bus = node, bus
        self._received, self._broken = received, broken
        self._leaving: list[to.Message] = []
        self._pieces: list[str] = []
        self._is_flushing = False
        self._size = self._sent = self._heard = 0
        self._keep_alives = 0
        self.envelopes = self.breaks = 0
        """Envelopes sent, and losses, since this node began."""

    def keep_alive(self) -> None:
        """Send an empty message, unless nothing has been said for a while."""
        if self._keep_alives:
            left = self._keep_alives - 1
            self.say(to.KeepAlive())
            self._keep_alives = left

    def say(self, message: to.Message) -> None:
        """Send a message; frames that go to several people in succession are sent once."""
        self._keep_alives = KEEP_ALIVES
        last = self._leaving[-1] if self._leaving else None
        if isinstance(message, to.FramesTold):
            if (
                isinstance(last, to.FramesTold)
                and last.frames == message.frames
                and last.seq == message.seq
            ):
                self._leaving[-1] = replace(last, numbers=last.numbers + message.numbers)
                return
            self._size += sum(map(len, message.frames))
        self._leaving.append(message)
        if self._size > MAX_ENVELOPE_CHARS:
            self._flush()
        elif not self._is_flushing:
            self._is_flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def hear(self, envelope: to.Envelope) -> None:
        """Take an envelope of the peer."""
        if envelope.generation < self.generation:
            return
        if envelope.generation > self.generation:
            self._begin(envelope.generation)
        if envelope.number != self._heard + 1:
            log.warning("something of %s was lost", self.peer)
            self.give_up()
            return
        self._heard += 1
        for message in envelope.messages:
            if not isinstance(message, to.Fragment):
                self._received(self, message)
                continue
            self._pieces.append(message.text)
            if message.is_last:
                text, self._pieces = "".join(self._pieces), []
                for whole in to.MESSAGES.validate_json(text):
                    self._received(self, whole)

    def give_up(self) -> None:
        """Begin a new generation, as something was lost or the peer is gone, and tell the peer."""
        self._begin(self.generation + 1)
        self.say(to.KeepAlive())

    def _begin(self, generation: int) -> None:
        self.generation, self._sent, self._heard, self._size = generation, 0, 0, 0
        self._leaving.clear()
        self._pieces.clear()
        self.breaks += 1
        self._broken(self)

    def _flush(self) -> None:
        self._is_flushing = False
        if not self._leaving:
            return
        messages, self._size = tuple(self._leaving), 0
        self._leaving.clear()
        envelope = self._sealed(messages)
        if len(envelope) <= MAX_MESSAGE_BYTES:
            self._send(envelope)
            return
        text = to.MESSAGES.dump_json(messages).decode()
        for begin in range(0, len(text), MAX_ENVELOPE_CHARS):
            end = begin + MAX_ENVELOPE_CHARS
            self._send(self._sealed((to.Fragment(text[begin:end], is_last=end >= len(text)),)))

    def _sealed(self, messages: tuple[to.Message, ...]) -> bytes:
        envelope = to.Envelope(self._node, self.generation, self._sent + 1, messages)
        return to.ENVELOPE.dump_json(envelope)

    def _send(self, envelope: bytes) -> None:
        self._sent += 1
        self.envelopes += 1
        self._bus.publish(subject_of(self.peer), envelope)
