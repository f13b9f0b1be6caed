"""The clocks at a moment, from the view of a game. Pure."""

from dataclasses import dataclass

from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.units import MINUTE_MS
from crossroom_engine.game.views import View
from crossroom_protocol.base.wording import format_duration


@dataclass
class ServerTime:
    """The lead of the server's clock over ours, in ms, as far as notices show it.

    What is told has happened, so the server's time is never before it: the latest is the best.
    """

    ahead: int | None = None

    def observe(self, at: int, now: int) -> None:
        """Something happened *at* (the server's time), and is heard *now* (ours), both in ms."""
        self.ahead = at - now if self.ahead is None else max(self.ahead, at - now)

    def at(self, now: int) -> int:
        """The server's time in ms, when ours is *now*."""
        return now + (self.ahead or 0)


def clocks(view: View, rules: Ruleset | None, now: int) -> list[str]:
    """The time of every seat as text, at *now* (the server's time, in ms).

    With a clock what is left, ``24:07``, or ``-0:12`` too late; without, nothing: /clock tells what
    was used. A turn that may take only so long has what is left of that, ``(0:40)``.
    """
    return [_clock(view, rules, seat, now) for seat in range(len(view.players))]


def _clock(view: View, rules: Ruleset | None, seat: int, now: int) -> str:
    player = view.players[seat]
    runs = view.phase == "playing" and seat == view.on_turn and view.since is not None
    running = max(0, now - view.since) if runs and view.since is not None else 0
    text = ""
    if player.allowed is not None:
        left = player.allowed - player.used - running
        text = format_duration(left / 1000) if left >= 0 else f"-{format_duration(-left / 1000)}"
    if runs and rules is not None and rules.turn_limit is not None:
        text += f" ({format_duration(rules.turn_limit - running / 1000)})"
    return text.strip()


def is_short(view: View, seat: int, now: int) -> bool:
    """Has *seat* a clock with less than a minute on it?"""
    player = view.players[seat]
    if player.allowed is None or view.phase == "over":
        return False
    runs = view.phase == "playing" and seat == view.on_turn and view.since is not None
    used = player.used + (now - view.since if runs and view.since is not None else 0)
    return player.allowed - used < MINUTE_MS
