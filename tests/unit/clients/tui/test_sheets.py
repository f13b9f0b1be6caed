"""Commands and settings are set in two columns, so that a name is found at a glance."""

from rich.console import Console

from crossroom_clients.tui.sheets import two_columns

HELP = [
    "What begins with / is a command; abbreviate it: /exch QV.",
    "YOUR MOVE: /play (p) AT WORD [swap=SQUARE]: Lay a word: 8H across.",
    "/pass [turn=TURN]: End your turn.",
    "LOOK AT THE GAME: /rack: Show your tiles.",
]
SETTINGS = [
    "preset = official (official or classic): the rule text to start from",
    "target = off (1 to 9999, or off): points that end the game",
    "/set NAME VALUE changes one",
]


def drawn(about: str, lines: list[str]) -> list[str]:
    console = Console(width=76, force_terminal=False)
    with console.capture() as capture:
        console.print(two_columns(about, lines))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_commands_stand_by_group() -> None:
    shown = drawn("help", HELP)
    assert shown[0] == HELP[0]
    assert shown[1] == ""
    assert "YOUR MOVE" in shown
    play = next(line for line in shown if line.startswith("/play (p)"))
    assert play.endswith("  Lay a word: 8H across.")
    assert any(line.startswith("/pass  ") and "[turn" not in line for line in shown)
    assert shown.index("LOOK AT THE GAME") > shown.index(play)


def test_settings_say_what_they_mean_before_what_they_can_be() -> None:
    shown = drawn("settings", SETTINGS)
    assert shown[0].split("  ")[0] == "preset = official"
    assert shown[0].endswith("the rule text to start from")
    assert shown[1].strip() == "official or classic"
    assert shown[3].strip() == "1 to 9999, or off"
    assert shown[4].strip() == SETTINGS[2]


def test_other_answers_are_read_as_they_are() -> None:
    assert two_columns("rules", HELP) is None
    assert two_columns("help", HELP[:1]) is None, "about one command"
