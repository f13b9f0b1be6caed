"""Carries messages between two nodes in order, and detects every loss on both sides."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from crossroom_server.cluster.bus import MAX_MESSAGE_BYTES, Bus
from crossroom_server.cluster.messages import (
    ENVELOPE,
    MESSAGES,
    Envelope,
    Fragment,
    FramesTold,
    KeepAlive,
    Message,
)

log = logging.getLogger(__name__)

MAX_ENVELOPE_CHARS: Final = MAX_MESSAGE_BYTES // 4
"""Characters after which an envelope is sent, for each may take some bytes."""


def subject_of(node: str) -> str:
    """Return the subject on which a node receives what is for it alone."""
    return f"crossroom.node.{node}"


class Link:
    """This node's end of the way to another.

    What is said within one turn of the loop travels in one envelope.

    Args:
        node: This node.
        peer: The other.
        bus: Carries the envelopes.
        received: Called with each message of the peer.
        broken: Called when something was lost, here or there: of what was said in either
            direction, answers included, nothing more will come.
    """

    def __init__(
        self,
        node: str,
        peer: str,
        bus: Bus,
        received: Callable[["Link", Message], None],
        broken: Callable[["Link"], None],
    ) -> None:
        self.peer, self.generation = peer, 0
        self._node, self._bus = node, bus
        self._received, self._broken = received, broken
        self._leaving: list[Message] = []
        self._pieces: list[str] = []
        self._size = 0
        self._is_flushing = False
        self._sent = self._heard = 0
        self.envelopes = self.breaks = 0
        """Envelopes sent, and losses, since this node began."""

    def say(self, message: Message) -> None:
        """Send a message. What was told to one is told to the next in the same breath."""
        last = self._leaving[-1] if self._leaving else None
        if isinstance(message, FramesTold):
            if (
                isinstance(last, FramesTold)
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

    def hear(self, envelope: Envelope) -> None:
        """Take what the peer has sent."""
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
            if isinstance(message, Fragment):
                self._hear_piece(message)
            else:
                self._received(self, message)

    def _hear_piece(self, piece: Fragment) -> None:
        self._pieces.append(piece.text)
        if piece.is_last:
            text, self._pieces = "".join(self._pieces), []
            for message in MESSAGES.validate_json(text):
                self._received(self, message)

    def give_up(self) -> None:
        """Something was lost, or the peer is gone: begin anew, and let the peer know."""
        self._begin(self.generation + 1)
        self.say(KeepAlive())

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
        text = MESSAGES.dump_json(messages).decode()
        for begin in range(0, len(text), MAX_ENVELOPE_CHARS):
            end = begin + MAX_ENVELOPE_CHARS
            self._send(self._sealed((Fragment(text[begin:end], is_last=end >= len(text)),)))

    def _sealed(self, messages: tuple[Message, ...]) -> bytes:
        return ENVELOPE.dump_json(Envelope(self._node, self.generation, self._sent + 1, messages))

    def _send(self, envelope: bytes) -> None:
        self._sent += 1
        self.envelopes += 1
        self._bus.publish(subject_of(self.peer), envelope)
