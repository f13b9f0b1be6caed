"""What people are told of those who keep order, and that secrets are taken out before."""

from dataclasses import replace
from typing import get_args

import pytest

from crossroom_protocol.events import moderation
from crossroom_protocol.events.moderation import (
    Banned,
    InvitationUsed,
    Invited,
    Kicked,
    Locked,
    ModerationEvent,
    Muted,
    RoleGiven,
    Slowed,
    Unbanned,
    Unlocked,
    Unmuted,
)
from crossroom_protocol.text import moderation_text

TOLD: list[tuple[ModerationEvent, str]] = [
    (RoleGiven("ann", "m", "bob", "moderator"), "ann makes bob a moderator"),
    (RoleGiven("ann", "m", "bob", "owner"), "ann gives the room to bob"),
    (RoleGiven("ann", "m", "bob", "player"), "ann removes bob as moderator"),
    (Kicked("ann", "m", "bob"), "ann sends bob away"),
    (Banned("ann", "m", "bob"), "ann bans bob"),
    (Banned("ann", "m", "bob", "198.51.100.7"), "ann bans bob and their address"),
    (Unbanned("ann", "bob"), "ann lets bob come in again"),
    (Muted("ann", "m", "bob", None), "ann mutes bob"),
    (Muted("ann", "m", "bob", 1), "ann mutes bob for a while"),
    (Unmuted("ann", "m", "bob"), "ann lets bob talk again"),
    (Locked("ann"), "ann locks the room: newcomers need an invitation"),
    (
        Locked("ann", "$argon2id$"),
        "ann locks the room: newcomers need the password or an invitation",
    ),
    (Unlocked("ann"), "ann unlocks the room: everybody may come in"),
    (Invited("ann", 1, "abcdef"), "ann makes an invitation"),
    (InvitationUsed("ann", "abcdef"), "somebody whom ann has invited comes in"),
    (Slowed("ann", 1), "ann slows talk down: 1 second between two lines"),
    (Slowed("ann", 0), "ann ends slow talk"),
]


@pytest.mark.parametrize(("event", "line"), TOLD, ids=lambda it: getattr(it, "kind", None))
def test_it_is_told_in_one_line_with_secrets_or_without(event: ModerationEvent, line: str) -> None:
    assert moderation_text.moderation_line(event) == line
    assert moderation_text.moderation_line(moderation.redact(event)) == line


def test_every_kind_is_told() -> None:
    assert {type(event) for event, _ in TOLD} == set(get_args(ModerationEvent))


def test_redacting_takes_out_what_nobody_is_told_and_nothing_else() -> None:
    ban, lock = Banned("ann", "m", "bob", "198.51.100.7"), Locked("ann", "$argon2id$")
    invited, used = Invited("ann", 1, "abcdef"), InvitationUsed("ann", "abcdef")
    assert moderation.redact(ban) == replace(ban, address="")
    assert moderation.redact(lock) == replace(lock, password="")
    assert moderation.redact(invited) == replace(invited, digest="")
    assert moderation.redact(used) == replace(used, digest="")
    kick = Kicked("ann", "m", "bob")
    assert moderation.redact(kick) is kick
