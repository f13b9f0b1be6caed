"""What is typed while no prompt is open is not shown."""

import os

import pytest

from crossroom_clients.lineui.echo import echo_off

pty = pytest.importorskip("pty", exc_type=ImportError)


def test_a_terminal_shows_nothing_until_the_end() -> None:
    controller, terminal = pty.openpty()
    try:
        with echo_off(terminal):
            os.write(controller, b"open-sesame\n")
            assert os.read(terminal, 100) == b"open-sesame\n"
        os.write(controller, b"hello\n")
        assert os.read(controller, 100) == b"hello\r\n"
    finally:
        os.close(controller)
        os.close(terminal)


def test_a_pipe_is_left_alone() -> None:
    reading, writing = os.pipe()
    try:
        with echo_off(reading):
            os.write(writing, b"hello\n")
            assert os.read(reading, 100) == b"hello\n"
    finally:
        os.close(reading)
        os.close(writing)
