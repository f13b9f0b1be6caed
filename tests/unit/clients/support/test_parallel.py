"""Work in processes: in order, and nothing left behind."""

import multiprocessing
import signal
import time
from itertools import count

import pytest

from crossroom_clients.support.parallel import map_in_processes
from crossroom_protocol.cli.progress import Progress


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_the_order_of_the_tasks(jobs: int) -> None:
    seconds = [0.1, 0, 0.05, 0, 0]
    expected = [(second, None) for second in seconds]
    assert list(map_in_processes(time.sleep, seconds, jobs)) == expected


def test_whoever_stops_leaves_nothing_running_and_tasks_may_be_endless() -> None:
    results = map_in_processes(abs, count(-1), 2)
    assert next(results) == (-1, 1)
    assert len(multiprocessing.active_children()) == 2
    results.close()  # type: ignore[attr-defined]  # a generator
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_fails_there_fails_here(jobs: int) -> None:
    with pytest.raises(ValueError, match="'x'"):
        list(map_in_processes(int, ["x", "1"], jobs))
    assert multiprocessing.active_children() == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs POSIX signals")
def test_a_process_that_is_killed_is_told_of() -> None:
    with pytest.raises(ChildProcessError, match="killed from outside"):
        list(map_in_processes(signal.raise_signal, [signal.SIGKILL], 2))


def test_a_bar_is_drawn_at_a_terminal_and_taken_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("crossroom_protocol.cli.progress.time.monotonic", count().__next__)
    progress = Progress(48, "games", done=12)
    progress.show(24, "first: ")
    bar = "#" * 12 + "." * 12
    assert capsys.readouterr().err == (
        f"\r\x1b[K[{bar}] first: 24 of 48 games, 12 a second, 0:02 left"
    )
    progress.clear()
    progress.clear()
    assert capsys.readouterr().err == "\r\x1b[K"


def test_elsewhere_a_line_is_printed_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([0.0, 29.0, 31.0, 32.0])
    monkeypatch.setattr("crossroom_protocol.cli.progress.time.monotonic", times.__next__)
    progress = Progress(1000, "games")
    for done in (1, 62, 63):
        progress.show(done)
    progress.clear()
    assert capsys.readouterr().err == "62 of 1,000 games, 2 a second, 7:49 left\n"
