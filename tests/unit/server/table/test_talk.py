"""Talk at a table, and what only looks like it."""

import pytest

from crossroom_protocol.events.room import Said
from tests.support.table_driver import TableDriver, table_after_game, table_in_game, with_rack

MOVES = [
    ("play 8H ZA", "/play 8H ZA"),
    ("P h8 z.a", "/p h8 z.a"),
    ("8H WEA", "/play 8H WEA"),
    ("exchange QV", "/exchange QV"),
    ("swap v?", "/exchange v?"),
]


@pytest.mark.parametrize(("line", "meant"), MOVES)
@pytest.mark.parametrize("name", ["ann", "bob"])
def test_a_forgotten_slash_shows_no_move(line: str, meant: str, name: str) -> None:
    driver = with_rack(table_in_game(), "QV?ZAWE")
    if name == "bob" and "exchange" in meant:
        return
    with driver.refuses("BAD_ARGS", "did you mean"):
        driver.type(name, line)
    assert driver.type("ann", f"//{line}") == (Said("ann", f"/{line}"),)


@pytest.mark.parametrize(
    "line",
    [
        "play it again",
        "swap seats",
        "exchange XX",
        "8H",
        "8H is free",
        "15 Q",
        "8H 30",
        "A1 in Rome",
    ],
)
def test_talk_is_talk(line: str) -> None:
    driver = with_rack(table_in_game(), "QV?ZAWE")
    assert driver.type("ann", line) == (Said("ann", line),)


@pytest.mark.parametrize(("name", "line"), [("ann", "pass"), ("ann", "resign"), ("bob", "resign")])
def test_a_command_of_one_word_lacks_its_slash(name: str, line: str) -> None:
    driver = table_in_game()
    with driver.refuses("BAD_ARGS", f"did you mean /{line}"):
        driver.type(name, line)
    assert driver.type(name, f"//{line}") == (Said(name, f"/{line}"),)


@pytest.mark.parametrize("line", ["pass", "challenge", "accept", "ready", "Resign", "pass it on"])
def test_what_could_not_be_done_now_is_talk(line: str) -> None:
    assert table_in_game().type("bob", line) == (Said("bob", line),)


def test_ready_lacks_its_slash_before_a_game_only() -> None:
    driver = TableDriver("ann", "bob")
    with driver.refuses("BAD_ARGS", "did you mean /ready"):
        driver.type("ann", "ready")
    driver.type("ann", "/ready")
    assert driver.type("ann", "ready") == (Said("ann", "ready"),)


@pytest.mark.parametrize("line", [line for line, _ in MOVES])
def test_who_plays_in_no_game_may_say_it(line: str) -> None:
    for driver in (TableDriver("ann", "bob"), table_after_game()):
        assert driver.type("ann", line) == (Said("ann", line),)
    assert table_in_game().type("watcher", line) == (Said("watcher", line),)
