"""What two nodes say to each other arrives whole, in order, and once; or both know."""

from crossroom_server.cluster.bus import MAX_MESSAGE_BYTES
from crossroom_server.cluster.link import KEEP_ALIVES, Link, subject_of
from crossroom_server.cluster.messages import (
    ENVELOPE,
    Call,
    FramesTold,
    IsSeated,
    KeepAlive,
    Message,
)

CALL = Call(1, "kitchen", IsSeated("ann"))


class HeldLink:
    """Carries what one link says to the other, as late as one wants."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []
        self.heard: list[Message] = []
        self.breaks = 0
        self.ends = {
            name: Link(name, peer, self, lambda _, said: self.heard.append(said), self._break)  # type: ignore[arg-type]
            for name, peer in (("a", "b"), ("b", "a"))
        }

    def _break(self, _: Link) -> None:
        self.breaks += 1

    def publish(self, subject: str, message: bytes) -> None:
        self.sent.append((subject, message))

    def carry(self) -> None:
        for link in self.ends.values():
            link._flush()
        while self.sent:
            subject, message = self.sent.pop(0)
            name = next(name for name in self.ends if subject == subject_of(name))
            self.ends[name].hear(ENVELOPE.validate_json(message))
            for link in self.ends.values():
                link._flush()


async def test_what_is_told_to_many_travels_once() -> None:
    wire, frames = HeldLink(), ["hello"]
    for number in range(3):
        wire.ends["a"].say(FramesTold((number,), list(frames), 7))
    wire.carry()
    assert wire.heard == [FramesTold((0, 1, 2), ["hello"], 7)]


async def test_what_is_too_long_for_the_bus_travels_in_pieces() -> None:
    wire = HeldLink()
    told = FramesTold((1,), ['ä\\"😀' * MAX_MESSAGE_BYTES], 3)
    called = [Call(number, "kitchen", IsSeated("x" * 50_000)) for number in range(40)]
    wire.ends["a"].say(told)
    for call in called:
        wire.ends["a"].say(call)
    wire.ends["a"]._flush()
    assert len(wire.sent) > 4
    assert all(len(message) < 2 * MAX_MESSAGE_BYTES for _, message in wire.sent)
    wire.carry()
    assert wire.heard == [told, *called]
    assert not wire.breaks


async def test_a_piece_that_is_lost_breaks_the_link_and_leaves_nothing_behind() -> None:
    wire = HeldLink()
    wire.ends["a"].say(FramesTold((1,), ["x" * (2 * MAX_MESSAGE_BYTES)], 3))
    wire.ends["a"]._flush()
    del wire.sent[1]
    wire.carry()
    assert wire.breaks == 2
    wire.heard.clear()
    short, long = (
        FramesTold((1,), ["short"], 4),
        FramesTold((1,), ["y" * (2 * MAX_MESSAGE_BYTES)], 5),
    )
    for told in (short, long):
        wire.ends["a"].say(told)
        wire.carry()
    assert wire.heard == [short, long]
    assert wire.breaks == 2


async def test_an_end_that_was_forgotten_is_found_again() -> None:
    wire = HeldLink()
    for number in range(3):
        wire.ends["a"].say(FramesTold((number,), ["before"], number))
        wire.carry()
    old = wire.ends["b"]
    wire.ends["b"] = Link("b", "a", wire, old._received, old._broken)  # type: ignore[arg-type]
    old.give_up()
    wire.ends["a"].say(FramesTold((9,), ["lost"], 9))
    wire.carry()
    wire.heard.clear()
    for name in ("a", "b"):
        wire.ends[name].say(FramesTold((1,), [name], 4))
        wire.carry()
    assert wire.heard == [FramesTold((1,), ["a"], 4), FramesTold((1,), ["b"], 4)]


async def test_a_link_is_kept_alive_for_a_while_only() -> None:
    wire = HeldLink()
    link = wire.ends["a"]
    link.keep_alive()
    wire.carry()
    assert wire.heard == []
    link.say(CALL)
    for _ in range(KEEP_ALIVES + 3):
        link.keep_alive()
        wire.carry()
    assert wire.heard == [CALL, *[KeepAlive()] * KEEP_ALIVES]


async def test_the_loss_of_the_last_message_is_noticed() -> None:
    wire = HeldLink()
    wire.ends["a"].say(CALL)
    wire.ends["a"]._flush()
    wire.sent.clear()
    wire.ends["a"].keep_alive()
    wire.carry()
    assert wire.breaks == 2
