"""The help and the reference say what the code does."""

import json
import re
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest

from crossroom_engine.core import events
from crossroom_protocol.base.refusals import CODES
from crossroom_protocol.commands.base import Command, fields, usage
from crossroom_protocol.commands.parser import ParseError, read_json, read_line
from crossroom_protocol.commands.registry import COMMANDS, NAMES
from crossroom_protocol.docs import reference
from crossroom_protocol.encoding.tags import TAGS
from crossroom_protocol.events import room
from crossroom_protocol.notices import AnyNotice
from crossroom_protocol.text.help_text import TOPICS, doc_paragraphs, help_lines

PAGE = reference.CHECKOUT_FOLDER / "PROTOCOL.md"
KINDS = list(COMMANDS.values())


@pytest.mark.parametrize("kind", KINDS, ids=COMMANDS)
def test_a_command_says_what_it_is(kind: type[Command]) -> None:
    first = doc_paragraphs(kind)[0]
    assert first.endswith(".")
    assert first[0].isupper()
    assert len(f"{usage(kind)}: {first}") < 140
    assert kind.topic in TOPICS


@pytest.mark.parametrize("kind", KINDS, ids=COMMANDS)
def test_an_example_is_read_and_survives_json(kind: type[Command]) -> None:
    request = read_line(kind.example, in_room=True)
    assert request is not None
    assert type(request.command) is kind
    assert read_json(request.command.model_dump_json()) == request


def test_no_two_commands_share_a_name() -> None:
    counted = Counter(name for do, kind in COMMANDS.items() for name in (do, *kind.aliases))
    assert counted.most_common(1)[0][1] == 1
    assert counted.keys() == NAMES.keys()


def test_every_class_of_a_command_is_registered() -> None:
    def leaves(kind: type[Command]) -> list[type[Command]]:
        below = [leaf for sub in kind.__subclasses__() for leaf in leaves(sub)]
        return below or [kind]

    assert sorted(map(usage, leaves(Command))) == sorted(map(usage, KINDS))


def test_help_has_a_line_for_every_command_under_its_topic() -> None:
    topic, told = "", {}
    headings = {heading.upper(): topic for topic, heading in TOPICS.items()}
    for line in help_lines("all")[:-1]:
        heading, _, rest = line.partition(": /")
        topic = headings.get(heading, topic)
        command = f"/{rest}" if heading in headings else line
        if topic:
            told[command.split()[0].strip("/:,")] = topic
            assert line.startswith("/") == (heading not in headings)
            told |= dict.fromkeys(re.findall(r", /([a-z]+)", command), topic)
    assert told == {do: kind.topic for do, kind in COMMANDS.items()}


def test_help_names_every_command_once_and_fits_a_terminal() -> None:
    lines = help_lines()
    assert sum(len(textwrap.wrap(line, 76)) for line in lines) < 20
    names = re.findall(r"/([a-z]+)", " ".join(lines[1:-1]))
    assert sorted(names) == sorted(COMMANDS)


def test_help_about_all_names_every_alias() -> None:
    lines = help_lines("all")
    assert len(lines) < 40
    assert "/rules (r) [SECTION]: Show the rules of this room, or one section of them." in lines
    for kind in KINDS:
        assert not kind.aliases or any(f"({' '.join(kind.aliases)})" in line for line in lines)


@pytest.mark.parametrize("kind", KINDS, ids=COMMANDS)
def test_help_about_one_command(kind: type[Command]) -> None:
    lines = help_lines(kind.model_fields["do"].default)
    assert lines[0] == usage(kind)
    assert f"Example: {kind.example}" in lines
    text = "\n".join(lines)
    assert all(paragraph in text for paragraph in doc_paragraphs(kind))
    assert all(f"/{alias}" in text for alias in kind.aliases)


def test_help_understands_what_people_write() -> None:
    assert help_lines("/play") == help_lines("p") == help_lines("PLAY")
    assert help_lines("/") == help_lines()


def test_help_about_nothing_there_is_names_the_nearest() -> None:
    with pytest.raises(ParseError, match="did you mean /play") as caught:
        help_lines("plya")
    assert caught.value.code == "UNKNOWN_COMMAND"


def test_the_reference_is_not_stale(capsys: pytest.CaptureFixture[str]) -> None:
    assert reference.main(["--check"]) == 0, capsys.readouterr().out


def test_a_stale_reference_is_named_then_rewritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = PAGE.read_text(encoding="utf-8")
    stale = tmp_path / "PROTOCOL.md"
    stale.write_text(page.replace("`NAME_TAKEN`", "`NAME_GIVEN`"), encoding="utf-8")
    folder = ["--folder", str(tmp_path)]
    assert reference.main(["--check", *folder]) == 1
    out = capsys.readouterr().out
    assert f"{stale} is stale" in out
    assert f"{tmp_path / 'schema.json'} is stale" in out
    assert "NAME_GIVEN" in stale.read_text(encoding="utf-8")
    assert reference.main(folder) == 0
    assert stale.read_text(encoding="utf-8") == page
    assert reference.main(["--check", *folder]) == 0


def test_there_must_be_a_page_to_fill_in(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        reference.main(["--folder", str(tmp_path)])


def test_everything_that_is_generated_has_its_place() -> None:
    marked = re.findall(r"<!-- generated: (\w+) -->", PAGE.read_text(encoding="utf-8"))
    assert sorted(marked) == sorted(reference.PARTS)


def test_the_reference_names_everything() -> None:
    page = PAGE.read_text(encoding="utf-8")
    kinds = (*get_args(room.RoomEvent), *get_args(events.Event))
    named = [*CODES, *TAGS, *(kind.kind for kind in kinds)]
    named += [told.model_fields["tell"].default for told in get_args(AnyNotice)]
    assert [name for name in named if f"| `{name}` |" not in page] == []
    assert [usage(kind) for kind in KINDS if f"**`{usage(kind)}`**" not in page] == []


def test_the_session_is_what_plain_clients_may_send_and_hear() -> None:
    lines = reference.PARTS["session"]().splitlines()[1:-1]
    sent = [line[2:] for line in lines if line.startswith("C ")]
    heard = [line[2:] for line in lines if line.startswith("S ")]
    for line in sent:
        assert read_line(line, in_room=True)
    assert {line[0] for line in heard} == set("*:=?!-|")
    numbers = [int(line.split()[1][1:]) for line in heard if line[0] in "*:" and "#" in line[:3]]
    assert numbers == list(range(1, len(numbers) + 1))


SCHEMA: dict[str, Any] = json.loads(
    (reference.CHECKOUT_FOLDER / "schema.json").read_text(encoding="utf-8")
)


def references(node: object) -> set[str]:
    match node:
        case dict():
            found = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
            return found.union(*map(references, node.values()))
        case list():
            return set().union(*map(references, node))
        case _:
            return set()


def test_the_schema_is_closed() -> None:
    assert references(SCHEMA) <= {f"#/$defs/{name}" for name in SCHEMA["$defs"]}


@pytest.mark.parametrize("kind", KINDS, ids=COMMANDS)
def test_the_schema_of_a_command(kind: type[Command]) -> None:
    made = SCHEMA["$defs"][kind.__name__]
    assert made["properties"].keys() == {*fields(kind), "do", "id", "show"}
    needed = {name for name, field in kind.model_fields.items() if field.is_required()}
    assert set(made["required"]) == needed | {"do"}
    assert made["additionalProperties"] is False
