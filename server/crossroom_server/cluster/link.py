"""What two nodes say to each other: in order, and nothing lost without both of them knowing."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from crossroom_server.bus import LARGEST, Bus
from crossroom_server.cluster.messages import ENVELOPE, Envelope, Message, Nothing, Told

log = logging.getLogger(__name__)

FULL: Final = LARGEST // 4
"""Characters of frames after which an envelope is sent, for each may take some bytes."""


def subject_of(node: str) -> str:
    """Where a node hears what is meant for it alone."""
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
        self._size = 0
        self._is_flushing = False
        self._sent = self._heard = 0
        self.envelopes = self.breaks = 0
        """How many were sent, and how often something was lost, since this node began."""

    def say(self, message: Message) -> None:
        """Send a message. What was told to one is told to the next in the same breath."""
        last = self._leaving[-1] if self._leaving else None
        if isinstance(message, Told):
            if isinstance(last, Told) and last.frames is message.frames and last.seq == message.seq:
                self._leaving[-1] = replace(last, numbers=last.numbers + message.numbers)
                return
            self._size += sum(map(len, message.frames))
        self._leaving.append(message)
        if self._size > FULL:
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
            self._received(self, message)

    def give_up(self) -> None:
        """Something was lost, or the peer is gone: begin anew, and let the peer know."""
        self._begin(self.generation + 1)
        self.say(Nothing())

    def _begin(self, generation: int) -> None:
        self.generation, self._sent, self._heard, self._size = generation, 0, 0, 0
        self._leaving.clear()
        self.breaks += 1
        self._broken(self)

    def _flush(self) -> None:
        self._is_flushing = False
        if not self._leaving:
            return
        self._sent += 1
        self.envelopes += 1
        envelope = Envelope(self._node, self.generation, self._sent, tuple(self._leaving))
        self._leaving.clear()
        self._size = 0
        self._bus.publish(subject_of(self.peer), ENVELOPE.dump_json(envelope))
