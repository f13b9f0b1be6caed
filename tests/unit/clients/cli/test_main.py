"""The `crossroom` command: its help, its failures, and how it ends."""

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from crossroom_clients.cli.main import COMMANDS, Subcommand, main

CROSSROOM = (sys.executable, "-m", "crossroom_clients")


def crossroom(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run((*CROSSROOM, *args), capture_output=True, text=True, check=False)


@pytest.fixture
def fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The module of a command named ``fails``; a test writes how."""
    module = tmp_path / "failing_command.py"
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(COMMANDS, "fails", Subcommand(module.stem, "fail"))
    monkeypatch.delitem(sys.modules, module.stem, raising=False)
    return module


def test_help_lists_exactly_the_table() -> None:
    done = crossroom("--help")
    assert done.returncode == 0
    listed = re.findall(r"^    ([\w-]+)\s+(.+)$", done.stdout, re.MULTILINE)
    assert listed == [(name, command.summary) for name, command in COMMANDS.items()]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str) -> None:
    done = crossroom(name, "--help")
    assert "?." not in done.stdout
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: crossroom {name} ")


def test_help_loads_nothing_slow() -> None:
    script = (
        "import sys, crossroom_clients.cli.main as m\ntry: m.main(['-h'])\nexcept SystemExit: pass"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", f"{script}\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "crossroom_clients.cli.main" in loaded
    slow = {"asyncio", "prompt_toolkit", "pydantic", "websockets", "crossroom_server"}
    assert not slow.intersection(loaded)


def test_next_to_nothing_is_loaded_before_an_interrupt_is_quiet() -> None:
    script = "import sys, crossroom_clients.cli.main\nprint(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    ours = {name for name in loaded if name.startswith("crossroom_")}
    assert ours == {"crossroom_clients", "crossroom_clients.cli", "crossroom_clients.cli.main"}
    assert "argparse" not in loaded


def test_version_is_the_one_that_is_installed() -> None:
    assert crossroom("--version").stdout.splitlines()[0] == f"crossroom {version('crossroom')}"


def word_engine(monkeypatch: pytest.MonkeyPatch, demanded: str) -> str:
    """What ``crossroom --version`` says of it, with this in the environment."""
    if demanded:
        monkeypatch.setenv("CROSSROOM_KERNEL", demanded)
    else:
        monkeypatch.delenv("CROSSROOM_KERNEL", raising=False)
    done = crossroom("--version")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()[1].removeprefix("word engine: ")


def test_version_tells_the_word_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    by_force = word_engine(monkeypatch, "python")
    assert by_force.startswith("plain Python, slower; without CROSSROOM_KERNEL")
    assert word_engine(monkeypatch, "rust").startswith("none; CROSSROOM_KERNEL is rust, but")
    of_itself, in_c = (word_engine(monkeypatch, demanded) for demanded in ("", "c"))
    if of_itself == "C kernel":
        assert in_c == of_itself
    else:
        assert of_itself.startswith("plain Python, slower; install again")
        assert in_c.startswith("none; CROSSROOM_KERNEL is c, but")


def test_no_command_is_answered_with_the_help() -> None:
    done = crossroom()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == crossroom("--help").stdout


def test_an_unknown_command_is_told_its_nearest() -> None:
    done = crossroom("srve")
    assert done.returncode == 2
    assert done.stderr == "crossroom: there is no command 'srve'; did you mean 'serve'?\n"


def test_a_strange_command_is_told_them_all() -> None:
    done = crossroom("xyzzy")
    assert done.returncode == 2
    assert done.stderr.endswith(f"there are: {', '.join(COMMANDS)}\n")


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        ("OSError(98, 'Address already in use')", "address already in use"),
        ("NotADirectoryError(20, 'Not a directory', '/x')", "cannot use /x: not a directory"),
        ("OSError('nobody is there')", "nobody is there"),
        ("BadText('no such word list')", "no such word list"),
    ],
)
def test_an_expected_failure_is_one_line(
    fails: Path, capsys: pytest.CaptureFixture[str], raised: str, message: str
) -> None:
    fails.write_text(
        "from crossroom_engine.core.errors import BadText\n"
        "def add_arguments(parser): pass\n"
        f"def run(args): raise {raised}\n"
    )
    assert main(["fails"]) == 1
    assert capsys.readouterr() == ("", f"crossroom: {message}\n")


def test_a_fault_of_ours_keeps_its_traceback(fails: Path) -> None:
    fails.write_text("def add_arguments(parser): pass\ndef run(args): return {}['nothing']\n")
    with pytest.raises(KeyError):
        main(["fails"])


def test_flags_reach_the_command_and_its_status_the_shell(fails: Path) -> None:
    fails.write_text(
        "def add_arguments(parser): parser.add_argument('status', type=int)\n"
        "def run(args): return args.status\n"
    )
    assert main(["fails", "7"]) == 7


@pytest.mark.parametrize(
    "text",
    [
        "def add_arguments(parser): pass\ndef run(args): raise KeyboardInterrupt\n",
        "raise KeyboardInterrupt\n",
    ],
    ids=["while it runs", "while it is loaded"],
)
def test_an_interrupt_ends_quietly(
    fails: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    fails.write_text(text)
    assert main(["fails"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGPIPE to report")
@pytest.mark.parametrize("flag", ["--help", "--version"])
def test_a_reader_who_left_is_no_error(flag: str) -> None:
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        (*CROSSROOM, flag), env=usual, stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_an_engine_that_is_not_there_is_told_before_anybody_sits_down(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bot", "run", "localhost:9/kitchen", "--name", "robo", "--", "no-such-bot"]) == 1
    assert "there is no program no-such-bot that can be run" in capsys.readouterr().err


def test_a_program_without_an_input_of_its_own_finds_the_end_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(SystemExit):
        main(["--help"])
    assert sys.stdin.read() == ""


@pytest.mark.parametrize("command", ["run", "check"])
def test_the_commands_for_programs_have_help(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bot", command, "--help"])
    assert ended.value.code == 0
    assert "--engine" in capsys.readouterr().out
