"""What a terminal is sent when it is somebody's turn."""

import time

import pytest

from crossroom_clients.support.turn_alert import QUIET_S, TurnAlert


class Terminal:
    """A terminal that keeps what it is sent, with a clock beside it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **environ: str) -> None:
        self.sent: list[str] = []
        self.now = 1000.0
        monkeypatch.setattr(time, "monotonic", lambda: self.now)
        self.alert = TurnAlert(self.sent.append, environ)

    def take(self) -> str:
        taken = "".join(self.sent)
        self.sent.clear()
        return taken


def test_the_title_says_whose_turn_it_is_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, TERM="xterm-256color")
    terminal.alert.show("kitchen", is_yours=False)
    assert terminal.take() == "\x1b[22;2t\x1b]2;kitchen · crossroom\a"
    terminal.alert.show("kitchen", is_yours=False)
    assert terminal.take() == ""
    terminal.alert.show("kitchen", is_yours=True)
    assert terminal.take() == "\x1b]2;your turn · kitchen · crossroom\a"
    terminal.alert.close()
    assert terminal.take() == "\x1b[23;2t"
    terminal.alert.close()
    assert terminal.take() == ""


def test_your_turn_rings_only_when_you_look_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, TERM="foot")
    terminal.now += QUIET_S
    terminal.alert.typed()
    terminal.now += QUIET_S
    terminal.alert.ring("kitchen")
    assert terminal.take() == ""
    terminal.now += 1
    terminal.alert.ring("kitchen")
    assert terminal.take() == "\a\x1b]777;notify;crossroom;It is your turn in kitchen.\a"


@pytest.mark.parametrize("program", ["iTerm.app", "WezTerm", "ghostty"])
def test_a_terminal_gets_the_one_notification_that_it_knows(
    monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    terminal = Terminal(monkeypatch, TERM="xterm-256color", TERM_PROGRAM=program)
    terminal.now += QUIET_S + 1
    terminal.alert.ring("kitchen")
    assert terminal.take() == "\a\x1b]9;It is your turn in kitchen.\a"


@pytest.mark.parametrize("environ", [{}, {"TERM": "dumb"}, {"TERM": "linux"}])
def test_a_terminal_that_would_print_them_gets_the_bell_alone(
    monkeypatch: pytest.MonkeyPatch, environ: dict[str, str]
) -> None:
    terminal = Terminal(monkeypatch, **environ)
    terminal.alert.show("kitchen", is_yours=True)
    terminal.now += QUIET_S + 1
    terminal.alert.ring("kitchen")
    terminal.alert.close()
    assert terminal.take() == "\a"
