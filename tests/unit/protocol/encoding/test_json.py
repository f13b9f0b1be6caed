"""Reading JSON: what programs send."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_protocol.commands.moves import PlayCommand
from crossroom_protocol.commands.parser import MAX_LABEL_LENGTH, ParseError, Request, read_json
from crossroom_protocol.commands.registry import COMMANDS


def test_json() -> None:
    asked = {"do": "play", "at": "8h", "word": "WORD", "turn": 5, "id": "é 7", "show": True}
    assert read_json(json.dumps(asked)) == Request(
        PlayCommand(at="8H", word="WORD", turn=5), "é 7", True
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "BAD_ARGS"),
        ("play", "BAD_ARGS"),
        ("[1]", "BAD_ARGS"),
        ("[" * 100_000, "BAD_ARGS"),
        ("1" * 10_000, "BAD_ARGS"),
        ("{}", "UNKNOWN_COMMAND"),
        ('{"do": "x"}', "UNKNOWN_COMMAND"),
        ('{"do": ["play"]}', "UNKNOWN_COMMAND"),
        ('{"do": "\\ud800"}', "UNKNOWN_COMMAND"),
        ('{"do": "play"}', "BAD_ARGS"),
        ('{"do": "ping", "kind": 1}', "BAD_ARGS"),
        ('{"do": "ping", "values": 1}', "BAD_ARGS"),
        ('{"do": "ping", "\\ud800\\u202e": 1}', "BAD_ARGS"),
        ('{"do": "play", "at": 5, "word": "WORD"}', "BAD_ARGS"),
        ('{"do": "say", "text": "\\u202e"}', "BAD_ARGS"),
        ('{"do": "ping", "id": ""}', "BAD_ARGS"),
        ('{"do": "ping", "id": 7}', "BAD_ARGS"),
        (json.dumps({"do": "ping", "id": "x" * (MAX_LABEL_LENGTH + 1)}), "BAD_ARGS"),
    ],
)
def test_json_that_asks_for_nothing(text: str, code: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_json(text)
    assert caught.value.code == code
    assert str(caught.value).isprintable()
    assert caught.value.command.isprintable()


def test_a_refusal_of_json_keeps_the_label() -> None:
    with pytest.raises(ParseError) as caught:
        read_json('{"do": "paly", "id": "7"}')
    assert caught.value.label == "7"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ('"do": "ping", "extra": 1', "there is no field 'extra'; usage: /ping"),
        ('"do": "history", "last": "3"', "LAST is a number; "),
        ('"do": "history", "last": 1.5', "LAST is a number; "),
        ('"do": "play", "at": "8H", "word": 5', "WORD is text; "),
        ('"do": "play", "at": "8H", "word": ""', "WORD is missing; "),
    ],
)
def test_misused_json_is_explained_in_words(fields: str, problem: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_json("{" + fields + "}")
    assert str(caught.value).startswith(problem)


def test_an_unknown_command_in_json_has_no_escape() -> None:
    with pytest.raises(ParseError) as caught:
        read_json('{"do": "nix"}')
    assert "//" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ['{"do":"play","at":"8H","word":"X","turn":true}', '{"do":"say","text":" "}',
             '{"do":"history","last":"3"}', '{"do":"board","show":"yes"}'],
)  # fmt: skip
def test_json_is_taken_at_its_word(text: str) -> None:
    with pytest.raises(ParseError) as refused:
        read_json(text)
    assert refused.value.code == "BAD_ARGS"


LEAF = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
FIELDS = st.sampled_from(["id", "show", "at", "word", "text", "kind", "turn", "name", "tags"])


@given(
    st.sampled_from([*COMMANDS, "nothing"]),
    st.dictionaries(FIELDS | st.text(), LEAF | st.lists(LEAF)),
)
def test_any_object_is_read_or_refused(do: str, values: dict[str, object]) -> None:
    try:
        request = read_json(json.dumps({**values, "do": do}))
    except ParseError as error:
        error.prose.encode()
    else:
        assert request.command.do == do
        assert request.label == values.get("id")
