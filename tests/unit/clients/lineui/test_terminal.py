"""What a terminal shows: the bar, the colours, the folding of long lines, the completion."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from crossroom_clients.connection.game_status import Fragments, GameStatus
from crossroom_clients.lineui.completion import CommandCompleter, command_hint
from crossroom_clients.lineui.printing import INDENT, fold
from crossroom_clients.lineui.styles import STYLES, style_line
from crossroom_clients.lineui.terminal import (
    ADJOURNED_HINT,
    AT_DOOR_HINT,
    BEFORE_GAME_HINT,
    OFF_TURN_HINT,
    ON_TURN_HINT,
    SUGGESTED_NAME_HINT,
    UNNAMED_HINT,
)
from crossroom_clients.support.login import login_name, playable_name
from crossroom_protocol.base.translate import translate

GAME = {
    "game": "1",
    "phase": "playing",
    "turn": "5",
    "on": "1",
    "you": "1",
    "players": "alice,bob",
    "scores": "48,0",
    "bag": "82",
}


def text(line: Fragments) -> str:
    return "".join(piece for _, piece in line)


def styles(line: Fragments) -> dict[str, str]:
    return {piece: style.removeprefix("class:") for style, piece in line if piece}


def bar(*told: dict[str, str], room: str | None = "kitchen", width: int = 80) -> str:
    standing = GameStatus()
    for tags in told:
        standing.update(tags)
    return text(standing.bar(room, width))


def test_the_bar_on_your_turn() -> None:
    shown = bar(GAME | {"state": "turn", "rack": "AEIQS[CH]?"})
    assert shown == " kitchen │ your turn 5 │ A E I Q S [CH] ? │ alice 48, you 0 │ bag 82"


def test_the_bar_of_somebody_else() -> None:
    assert "alice to move (5)" in bar(GAME | {"on": "0"})
    watching = {key: value for key, value in GAME.items() if key != "you"}
    assert bar(watching) == " kitchen │ bob to move (5) │ alice 48, bob 0 │ bag 82"
    assert "the last word" in bar(GAME | {"phase": "last_word"})


def test_nobody_is_on_turn_in_a_game_that_is_adjourned() -> None:
    standing = GameStatus()
    standing.update(GAME | {"adjourned": "1"})
    assert not standing.is_yours
    assert text(standing.bar("kitchen", 80)).startswith(" kitchen │ adjourned │ ")
    standing.update(GAME)
    assert standing.is_yours, "it goes on"


def test_an_entry_does_not_say_who_you_are_but_a_new_game_begins_without_you() -> None:
    entry = {key: value for key, value in GAME.items() if key != "you"} | {"seq": "7"}
    assert "alice 48, you 0" in bar(GAME | {"state": "state"}, entry)
    assert "alice 48, bob 0" in bar(GAME | {"state": "state"}, entry | {"game": "2"})
    assert "alice 48, bob 0" in bar(GAME, entry | {"protocol": "1"})
    assert "alice 48, bob 0" in bar(GAME, entry | {"state": "state"})


def test_the_bar_between_games_and_at_the_door() -> None:
    over = bar(GAME | {"rack": "AB"}, GAME | {"phase": "over"})
    assert over == " kitchen │ game over │ alice 48, you 0 │ bag 82"
    assert bar(GAME, {"protocol": "1", "room": "attic"}, room="attic") == " attic"
    assert bar(GAME, {"protocol": "1"}, room=None) == " at the door"


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (59, " kitchen │ your turn 5 │ A B C │ alice 48, you 0 │ bag 82"),
        (52, " kitchen │ your turn 5 │ A B C │ alice 48, you 0"),
        (40, " your turn 5 │ A B C │ alice 48, you 0"),
        (30, " your turn 5 │ A B C"),
        (5, " your turn 5"),
    ],
)
def test_a_narrow_bar_leaves_out_whole_parts(width: int, shown: str) -> None:
    assert bar(GAME | {"rack": "ABC"}, width=width) == shown


def test_wide_letters_count_as_two_columns() -> None:
    told = GAME | {"players": "\u6f22\u5b57,bob"}
    watching = {key: value for key, value in told.items() if key != "you"}
    assert bar(watching, width=52).endswith("bag 82")
    assert not bar(watching, width=51).endswith("bag 82")


def test_the_advice_fits_on_80_columns_and_tells_the_way_out() -> None:
    for advice in (
        ON_TURN_HINT,
        OFF_TURN_HINT,
        ADJOURNED_HINT,
        BEFORE_GAME_HINT,
        AT_DOOR_HINT,
        UNNAMED_HINT,
        SUGGESTED_NAME_HINT,
    ):
        assert len(advice) <= 80
        assert advice.endswith("Ctrl-D leaves")
        assert len(translate(advice, "de")) <= 80
        assert translate(advice, "de").endswith("Strg-D geht")


def test_the_rack_stays_as_you_have_shuffled_it() -> None:
    standing = GameStatus()
    standing.update(GAME | {"rack": "AEIQ"})
    standing.update({"about": "rack"}, "Q I E A")
    standing.update(GAME | {"rack": "AEIQ"})
    assert standing.rack == ["Q", "I", "E", "A"]
    standing.update({"about": "rack"}, "no tiles")
    standing.update(GAME | {"rack": "AEIZ"})
    assert standing.rack == ["A", "E", "I", "Z"]


def test_what_happened_names_the_players_in_bold() -> None:
    line = style_line("*", "#4 alice plays 8E QUIZ: alice 48; alice-2 waits", GAME)
    assert text(line) == "#4 alice plays 8E QUIZ: alice 48; alice-2 waits"
    assert [piece for style, piece in line if style == "class:name"] == ["alice", "alice"]
    assert styles(line)["#4 "] == "number"


def test_talk_is_told_from_what_happened() -> None:
    assert styles(style_line(":", "#6 bob: alice: hi", {})) == {
        "#6 ": "number",
        "bob": "chat",
        ": alice: hi": "",
    }
    assert styles(style_line(":", "#7 * bob: the builder", {}))["* bob: the builder"] == "chat"


def test_a_refusal_keeps_its_words_and_leaves_its_code_to_programs() -> None:
    line = style_line("!", "BAD_PLAY play: not there", {"code": "BAD_PLAY"})
    assert line == [("class:refusal", "play: not there")]


def test_the_code_stays_off_the_screen() -> None:
    line = style_line("-", "you are alice. /resume k7qm", {"name": "alice", "code": "k7qm"})
    assert text(line) == "you are alice"


@pytest.mark.parametrize(
    "row",
    [
        " 1 = . . ' . [CH] . a . . . ' . . =   alice         0",
        '15 . - . . . " A B * . . " . . . - .   - double word (16)',
        "   A B C D E F G H I J K L M N O",
    ],
)
def test_a_board_keeps_every_character_in_its_place(row: str) -> None:
    assert text(style_line("|", row, {"about": "board"})) == row


def test_tiles_and_premium_squares_can_be_told_apart() -> None:
    shown = styles(style_line("|", " 1 = . ' A - * [CH]   bob 0", {"about": "board"}))
    assert (shown["="], shown["'"], shown["-"]) == ("word3", "letter2", "word2")
    assert shown["A"] == shown["[CH]"] == "tile"
    assert set(shown.values()) - {""} <= set(STYLES)
    assert "tile" not in styles(style_line("|", " 1 A B", {"about": "gcg"})).values()


WORDS = st.lists(st.text("abc", min_size=1, max_size=8), min_size=1, max_size=20).map(" ".join)


@given(WORDS, st.integers(12, 40), st.integers(0, 60))
@example("aaaa bbbb cccc", 9, 4)
def test_long_lines_are_folded_between_words(line: str, width: int, cut: int) -> None:
    folded = text(fold([("class:number", line[:cut]), ("", line[cut:])], width))
    assert folded.replace(f"\n{INDENT}", " ") == line
    assert all(len(part) <= width for part in folded.split("\n"))


def test_a_word_that_is_too_long_is_left_alone() -> None:
    assert text(fold([("", "a " + "b" * 30 + " c")], 10)) == f"a\n{INDENT}{'b' * 30}\n{INDENT}c"


def complete(line: str) -> list[str]:
    return [
        completion.text
        for completion in CommandCompleter().get_completions(Document(line), CompleteEvent())
    ]


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("/pl", ["/play"]),
        ("/re", ["/resign", "/ready", "/recall", "/resume", "/register"]),
        ("/ready ", ["yes", "no"]),
        ("/export g", ["gcg"]),
        ("/exp j", ["json"]),
        ("/bot ", ["add", "remove", "levels", "me"]),
        ("/bot add n", ["novice"]),
        ("/set cha", ["challenge"]),
        ("/set preset r", ["race"]),
        ("/set reader o", ["on", "off"]),
        ("/set tie_break s", ["shared"]),
        ("/set rack ", []),
        ("/set turn_limit ", ["off"]),
        ("/set lexicon ", []),
        ("/help excha", ["exchange"]),
        ("/nonsense ", []),
        ("/play 8H ", []),
        ("//pl", []),
        ("pl", []),
        ("", []),
    ],
)
def test_completion(line: str, completed: list[str]) -> None:
    assert sorted(complete(line)) == sorted(completed)


def test_all_commands_are_offered_with_their_help() -> None:
    offered = list(CommandCompleter().get_completions(Document("/"), CompleteEvent()))
    assert len(offered) > 30
    assert all(completion.display_meta_text for completion in offered)


def test_the_hint_says_how_a_command_is_written() -> None:
    assert command_hint("/p 8H").startswith("/play AT WORD")
    assert command_hint("/res") != command_hint("/resi") == "/resign"
    assert command_hint("hello") == command_hint("//hello") == command_hint("/nonsense 1") == ""


@pytest.mark.parametrize(
    ("login", "name"),
    [
        ("alice", "alice"),
        ("42 jean.luc", "jeanluc"),
        ("Zoë", "Zoë"),
        ("x" * 30, "x" * 20),
        ("7", ""),
    ],
)
def test_a_login_name_becomes_one_to_play_under(login: str, name: str) -> None:
    assert playable_name(login) == name


@pytest.mark.parametrize("login", ["root", "Owner", "7"])
def test_a_login_name_that_nobody_may_have_is_not_offered(
    login: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: login)
    assert login_name() == ""


def test_at_the_door_the_bar_shows_no_game() -> None:
    standing = GameStatus()
    standing.update(GAME)
    standing.update({"about": "left"}, "you have left kitchen")
    assert text(standing.bar(None, 80)) == " at the door"
