"""Reading lines: the grammar of what people send."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_protocol.base.clean import clean
from crossroom_protocol.commands import parser
from crossroom_protocol.commands.analysis import CheckCommand
from crossroom_protocol.commands.base import Command, usage
from crossroom_protocol.commands.connection import HelloCommand, PingCommand, ResumeCommand
from crossroom_protocol.commands.moves import (
    AcceptCommand,
    ChallengeCommand,
    ExchangeCommand,
    PlayCommand,
)
from crossroom_protocol.commands.parser import (
    MAX_LABEL_LENGTH,
    MAX_LINE_BYTES,
    ParseError,
    Request,
    find_command,
    read_json,
    read_line,
    split_label,
)
from crossroom_protocol.commands.queries import (
    BoardCommand,
    HelpCommand,
    HistoryCommand,
    RulesCommand,
)
from crossroom_protocol.commands.registry import COMMANDS, NAMES
from crossroom_protocol.commands.table import BotCommand, JoinCommand, ReadyCommand, SetCommand
from crossroom_protocol.commands.talk import MeCommand, NameCommand, SayCommand


def read(line: str, *, in_room: bool = True) -> Command:
    request = read_line(line, in_room=in_room)
    assert request is not None
    return request.command


def refused(line: str, *, in_room: bool = True) -> ParseError:
    with pytest.raises(ParseError) as caught:
        read_line(line, in_room=in_room)
    return caught.value


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("/play 8H WORD", PlayCommand(at="8H", word="WORD")),
        ("/PLAY h8 w.Rd", PlayCommand(at="H8", word="w.Rd")),
        ("  /p   8h   WORD  ", PlayCommand(at="8H", word="WORD")),
        ("/play turn=5 8H WORD", PlayCommand(at="8H", word="WORD", turn=5)),
        (
            "/play 8H WORD SWAP=10F,2A turn=5",
            PlayCommand(at="8H", word="WORD", swap="10F,2A", turn=5),
        ),
        ("/play 8H TURN", PlayCommand(at="8H", word="TURN")),
        ("/play H12 [CH]I(C)O", PlayCommand(at="H12", word="[CH]I(C)O")),
        ("/exchange", ExchangeCommand()),
        ("/exchange a b ?", ExchangeCommand(tiles="a b ?")),
        ("/exchange turn=3 A [CH] turn=4", ExchangeCommand(tiles="A [CH]", turn=4)),
        ("/exchange HELP", ExchangeCommand(tiles="HELP")),
        ("/x QV", ExchangeCommand(tiles="QV")),
        ("/challenge", ChallengeCommand()),
        ("/challenge SNARB", ChallengeCommand(word="SNARB")),
        ("/ok", AcceptCommand()),
        ("/history 5", HistoryCommand(last=5)),
        ("/r scoring", RulesCommand(section="scoring")),
        ("/?", HelpCommand()),
        ("/say  two  spaces", SayCommand(text="two  spaces")),
        ("/me turn=5", MeCommand(text="turn=5")),
        ("/say help", SayCommand(text="help")),
        ("/check quiz ZAX", CheckCommand(words="quiz ZAX")),
        ("/set challenge five", SetCommand(setting="challenge", value="five")),
        ("/bot add greedy", BotCommand(action="add", what="greedy")),
        ("/ready no", ReadyCommand(answer="no")),
        ("/hello tags=1", HelloCommand(tags=1)),
        ("/resume k7qm-4ftz-9w2h 9", ResumeCommand(code="k7qm-4ftz-9w2h", seq=9)),
    ],
)
def test_a_command(line: str, command: Command) -> None:
    assert read_line(line, in_room=True) == Request(command)


@pytest.mark.parametrize("token", ["/", "."])
def test_two_tokens_mean_the_same(token: str) -> None:
    assert read_line(f"{token}board", in_room=True) == Request(BoardCommand())


def test_the_third_token_shows_the_answer_to_all() -> None:
    request = read_line("!rules end", in_room=True)
    assert request == Request(RulesCommand(section="end"), shown=True)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("hello", "hello"),
        ("//play 8H WORD", "/play 8H WORD"),
        ("!!board", "!board"),
        ("!!!", "!!"),
        ("//", "/"),
        ("...ok", "...ok"),
        ("..", ".."),
        (".", "."),
        (". board", ". board"),
        (".boar", ".boar"),
        ("?", "?"),
        ("play 8H WORD", "play 8H WORD"),
        ("@bob hi", "@bob hi"),
        ("-> 3 < 4", "-> 3 < 4"),
    ],
)
def test_talk(line: str, said: str) -> None:
    assert read_line(line, in_room=True) == Request(SayCommand(text=said))


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("join kitchen", JoinCommand(room="kitchen")),
        ("j kitchen", JoinCommand(room="kitchen")),
        ("?", HelpCommand()),
        ("help", HelpCommand()),
        ("ping", PingCommand()),
        ("name alice", NameCommand(name="alice")),
        ("/name alice", NameCommand(name="alice")),
        (".name alice", NameCommand(name="alice")),
        (".nam alice", NameCommand(name="alice")),
        ("//hello", SayCommand(text="/hello")),
    ],
)
def test_at_the_door_bare_words_are_commands(line: str, command: Command) -> None:
    assert read(line, in_room=False) == command


@pytest.mark.parametrize("line", ["good evening", ".ok?", "...", "-"])
def test_at_the_door_nothing_is_talk(line: str) -> None:
    error = refused(line, in_room=False)
    assert error.code == "UNKNOWN_COMMAND"
    assert ("To say it" in str(error)) == line.startswith(".")


@pytest.mark.parametrize("line", ["", " ", "\t", "\r\n", "\u200b", "\x00", "\u202e \u2028"])
def test_a_line_with_nothing_in_it(line: str) -> None:
    assert read_line(line, in_room=True) is None


@pytest.mark.parametrize(
    ("begun", "name"),
    [("pl", "play"), ("exc", "exchange"), ("sw", "exchange"), ("res", "resume"), ("ch", "check")],
)
def test_a_unique_beginning(begun: str, name: str) -> None:
    assert find_command(begun) == name


def test_an_ambiguous_beginning_lists_what_it_may_mean() -> None:
    error = refused("/re")
    assert (error.code, error.command) == ("AMBIGUOUS", "re")
    assert str(error) == "'re' may mean /ready, /recall, /resume"


@pytest.mark.parametrize("name", [do for do, kind in COMMANDS.items() if kind.no_abbreviation])
def test_what_must_be_written_in_full(name: str) -> None:
    assert find_command(name) == name
    with pytest.raises(ParseError):
        find_command(name[:-1])


def test_a_beginning_of_nothing_else_is_told_to_be_completed() -> None:
    assert str(refused("/chal")) == "write /challenge in full"


@pytest.mark.parametrize(
    ("line", "prose"),
    [
        ("/plya 8H WORD", "there is no /plya; did you mean /play? To say it, write //plya"),
        ("!wow", "there is no /wow; did you mean /who? To say it, write !!wow"),
        ("/:)", "there is no /:); /help lists the commands. To say it, write //:)"),
        ("!", "a command has a name; /help lists the commands. To say it, write !!"),
        ("/ play", "a command has a name; /help lists the commands. To say it, write //"),
    ],
)
def test_an_unknown_command_names_the_nearest_and_the_escape(line: str, prose: str) -> None:
    error = refused(line)
    assert (error.code, str(error)) == ("UNKNOWN_COMMAND", prose)


@pytest.mark.parametrize(
    ("line", "room"),
    [("hello?", "ROOM"), ("Hello", "ROOM"), ("kitchen", "kitchen"), ("good evening", "ROOM")],
)
def test_who_talks_at_the_door_is_told_how_to_come_in(line: str, room: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_line(line, in_room=False)
    assert caught.value.code == "UNKNOWN_COMMAND"
    assert f"/join {room} enters the room" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("/play", "AT is missing"),
        ("/play 8H", "WORD is missing"),
        ("/play 8H WORD NOW", "unexpected 'NOW'"),
        ("/play WORD 8H", "AT: 'WORD' is not a square"),
        ("/play 8Z WORD", "AT: '8Z' is not a square"),
        ("/play 8H WORD turn=0", "TURN is 1 or more; "),
        ("/play 8H WORD turn=five", "TURN is a number; "),
        ("/play 8H WORD turn=1.5", "TURN is a number; "),
        (f"/play 8H {'A' * 65}", "WORD is at most 64 characters; "),
        (f"/join {'a' * 65}", "ROOM is at most 64 characters; "),
        ("/hello tags=2", "TAGS is 1 or less; "),
        ("/export pdf", "FORM is gcg, text, json or analysis; "),
        ("/rack now", "unexpected 'now'; usage: /rack"),
        ("/play 8H WORD when=5", "unexpected 'when=5'"),
        ("/pass now", "unexpected 'now'"),
        ("/ready maybe", "ANSWER is yes or no; "),
        ("/say", "TEXT is missing"),
        ("/history 0", "LAST is 1 or more; "),
        ("/history 1000", "LAST is 999 or less; "),
    ],
)
def test_a_misused_command_shows_how_it_is_written(line: str, problem: str) -> None:
    error = refused(line)
    kind = COMMANDS[error.command]
    assert error.code == "BAD_ARGS"
    assert str(error).startswith(problem)
    shown = f", as in {kind.example}" if " " in kind.example else ""
    assert str(error).endswith(f"; usage: {usage(kind)}{shown}")


def test_the_form_of_a_command_names_what_to_write() -> None:
    assert usage(PlayCommand) == "/play AT WORD [swap=SQUARE] [turn=TURN]"


@pytest.mark.parametrize("space", ["\xa0", "\u2003", "\u202f", "\u3000", "\t"])
def test_every_kind_of_space_parts_words(space: str) -> None:
    assert read(f"/play{space}8H{space}{space}AB") == PlayCommand(at="8H", word="AB")


@pytest.mark.parametrize(
    ("line", "about"),
    [
        ("/help play", "play"),
        ("/play help", "play"),
        ("/p  help ", "play"),
        ("/exchange help", "exchange"),
        ("/challenge help", "challenge"),
        ("/check help", "check"),
    ],
)
def test_help_is_also_asked_for_behind_a_command(line: str, about: str) -> None:
    assert read(line) == HelpCommand(about=about)


@pytest.mark.parametrize("letter", ["a", "é", "🀄"])
def test_the_longest_line_is_counted_in_bytes(letter: str) -> None:
    room = MAX_LINE_BYTES - len("/check ")
    fits = "/check " + letter * min(900, room // len(letter.encode()))
    assert isinstance(read(fits), CheckCommand)
    assert refused("/say " + letter * MAX_LINE_BYTES).code == "TOO_LONG"


def test_what_disturbs_terminals_is_taken_out() -> None:
    dirty = "a\x1b[31mb\u202ec\u2066d\ud800e\x07f\u200bg\ufeffh\uffffi\u2028j\tk\x85l"
    assert clean(dirty) == "a[31mbcdefghi j kl"
    assert read(f"/say {dirty}") == SayCommand(text="a[31mbcdefghi j kl")
    assert read_json(json.dumps({"do": "say", "text": dirty})).command == read(f"/say {dirty}")


def test_nothing_that_is_taken_out_keeps_an_accent_from_its_letter() -> None:
    assert clean("r\u200b\u0301") == "\u0155"


@given(st.text())
def test_clean_text_is_printable_but_for_spaces(text: str) -> None:
    kept = clean(text)
    assert clean(kept) == kept
    assert len(kept.splitlines()) <= 1
    assert not set(kept) & {"\t", "\x1b", "\u202e"}


@pytest.mark.parametrize(
    ("line", "label", "rest"),
    [
        ("@7 /play 8H WORD", "7", "/play 8H WORD"),
        ("@a;b= hello", "a;b=", "hello"),
        ("@7 ", "7", ""),
        ("@7", None, "@7"),
        ("@ hello", None, "@ hello"),
        ("@é hello", None, "@é hello"),
        (f"@{'x' * MAX_LABEL_LENGTH} hi", "x" * MAX_LABEL_LENGTH, "hi"),
        (f"@{'x' * (MAX_LABEL_LENGTH + 1)} hi", None, f"@{'x' * (MAX_LABEL_LENGTH + 1)} hi"),
        ("/play 8H WORD", None, "/play 8H WORD"),
    ],
)
def test_labels(line: str, label: str | None, rest: str) -> None:
    assert split_label(line) == (label, rest)


START = st.sampled_from(["", "/", ".", "!", "//", "@7 ", *(f"/{name} " for name in NAMES)])


@given(START, st.text(), st.booleans())
def test_any_line_is_read_or_refused(start: str, text: str, in_room: bool) -> None:
    try:
        request = read_line(start + text, in_room=in_room)
    except ParseError as error:
        prose = error.prose
        assert prose == clean(prose)
    else:
        assert request is None or read_json(spelt(request)) == request


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    with suppress(ParseError):
        read_line(text, in_room=True)
    with suppress(ParseError):
        read_json(text)


def spelt(request: Request) -> str:
    """The request as a program would send it."""
    asked = request.command.model_dump()
    return json.dumps({**asked, "show": request.shown})


def test_accents_join_their_letters() -> None:
    request = read_line("/play 8H N\u0303A", in_room=True)
    assert request == Request(PlayCommand(at="8H", word="\u00d1A"))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/lock sesame", "/lock ..."),
        ("/join kitchen sesame", "/join ..."),
        ("/resume k7qm-4ftz 4", "/resume ..."),
        ("/name ann k7qm-4ftz", "/name ..."),
        ("/name ann", "/name ann"),
        ("/play 8H HORN", "/play 8H HORN"),
        ("hello", "hello"),
        ("/play", "/play"),
    ],
)
def test_a_line_that_is_shown_again_has_no_secret(line: str, shown: str) -> None:
    assert parser.without_secrets(line, in_room=True) == shown
