"""The reference: ``PROTOCOL.md`` and ``schema.json``, brought in line with the code.

``python -m crossroom_protocol.docs.reference`` rewrites both; with ``--check`` it only looks, and
exits with 1 if something is stale. The prose of ``PROTOCOL.md`` is written by hand; what stands
between ``<!-- generated: NAME -->`` and ``<!-- end -->`` is not.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, get_args

from pydantic import TypeAdapter

from crossroom_engine.core import events
from crossroom_protocol.base.refusals import CODES
from crossroom_protocol.commands.base import Command, Requirement, usage
from crossroom_protocol.commands.parser import MAX_LABEL_LENGTH
from crossroom_protocol.commands.registry import COMMAND, COMMANDS
from crossroom_protocol.docs.example import example_session
from crossroom_protocol.encoding.tags import TAGS, entry_keys
from crossroom_protocol.events import room
from crossroom_protocol.notices import NOTICE, PROTOCOL_VERSION, AnyNotice
from crossroom_protocol.text.help_text import TOPICS, doc_paragraphs

CHECKOUT_FOLDER: Final = Path(__file__).parents[2]
"""The folder of the reference in a checkout."""

_NEEDS: Final[dict[Requirement, str]] = {
    "anywhere": "",
    "room": "a room",
    "named": "a name",
    "seated": "a seat",
}


def fill_parts(text: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """The page *text* with each of the *parts*, by name, where its markers are.

    Raises:
        KeyError: the page asks for something else.
    """
    return re.sub(
        r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)",
        lambda part: f"{part[1]}{parts[part[2]]()}\n{part[3]}",
        text,
        flags=re.DOTALL,
    )


def json_schema() -> str:
    """JSON schema of what is sent (``command``) and heard (``notice``) in JSON mode."""
    _, made = TypeAdapter.json_schemas(
        [("command", "validation", COMMAND), ("notice", "serialization", NOTICE)]
    )
    defs: dict[str, Any] = made["$defs"]
    label = {"type": "string", "minLength": 1, "maxLength": MAX_LABEL_LENGTH}
    plain = {
        "type": "array",
        "items": {"type": "string"},
        "description": "the lines of plain mode that say the same, marks included",
    }
    for kind in COMMANDS.values():
        show = {"type": "boolean", "description": "show the answer to the whole room"}
        defs[kind.__name__]["properties"] |= {"id": label, "show": show}
        defs[kind.__name__].setdefault("required", []).append("do")
    for told in get_args(AnyNotice):
        defs[told.__name__]["properties"] |= {"id": label, "plain": plain}
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"crossroom, version {PROTOCOL_VERSION} of the protocol, JSON mode",
        "anyOf": [{"$ref": "#/$defs/command"}, {"$ref": "#/$defs/notice"}],
        "$defs": {
            "command": _union(COMMANDS.values(), "do"),
            "notice": _union(get_args(AnyNotice), "tell"),
            **defs,
        },
    }
    return json.dumps(document, indent=1) + "\n"


def _union(kinds: Iterable[type[Any]], key: str) -> dict[str, Any]:
    mapping = {kind.model_fields[key].default: f"#/$defs/{kind.__name__}" for kind in kinds}
    return {
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": key, "mapping": mapping},
    }


def _commands() -> str:
    blocks = []
    for topic, heading in TOPICS.items():
        kinds = (kind for kind in COMMANDS.values() if kind.topic == topic)
        blocks.append(f"### {heading}\n\n" + "\n\n".join(map(_command, kinds)))
    return "\n\n".join(blocks)


def _command(kind: type[Command]) -> str:
    needs = _NEEDS[kind.requires]
    notes = [f"Example: `{kind.example}`"]
    if kind.aliases:
        notes.append("Also: " + " ".join(f"`/{alias}`" for alias in kind.aliases))
    if needs:
        notes.append(f"Needs {needs}")
    if kind.no_abbreviation:
        notes.append("Never cut short")
    return f"**`{usage(kind)}`** {' '.join(doc_paragraphs(kind))} {'. '.join(notes)}."


def _notices() -> str:
    rows = (
        (f"`{told.model_fields['tell'].default}`", f"`{told.mark}`", _prose(told))
        for told in get_args(AnyNotice)
    )
    return markdown_table(("`tell`", "mark", "what it is"), rows)


def _events(kinds: Iterable[type[Any]]) -> str:
    return markdown_table(
        ("kind", "what it is"), ((f"`{kind.kind}`", _prose(kind)) for kind in kinds)
    )


def _described(key: str, value: str, rows: Mapping[str, str]) -> str:
    return markdown_table((key, value), ((f"`{name}`", prose) for name, prose in rows.items()))


def _tag_events() -> str:
    kinds = (*get_args(room.RoomEvent), *get_args(events.Event))
    rows = ((f"`{kind.kind}`", entry_keys(kind)) for kind in kinds)
    return markdown_table(
        ("kind", "keys"),
        ((kind, ", ".join(f"`{key}`" for key in keys)) for kind, keys in rows if keys),
    )


def _session() -> str:
    return "```text\n" + "\n".join(example_session()) + "\n```"


PARTS: Final[dict[str, Callable[[], str]]] = {
    "session": _session,
    "commands": _commands,
    "codes": lambda: _described("code", "meaning", CODES),
    "notices": _notices,
    "events": lambda: _events(get_args(room.RoomEvent)),
    "game_events": lambda: _events(get_args(events.Event)),
    "tags": lambda: _described("key", "value", TAGS),
    "tag_events": _tag_events,
}
"""The generated parts, by name."""


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def _prose(kind: type[Any]) -> str:
    """The docstring of a model as one line of Markdown."""
    text = " ".join((kind.__doc__ or "").split()).replace("``", "`")
    return re.sub(r":\w+:`(?:\w+\.)*(\w+)`", r"`\1`", text)


def main(argv: Sequence[str] | None = None) -> int:
    """Rewrite the reference, or with ``--check`` say what is stale; 0, or 1 if something is."""
    parser = argparse.ArgumentParser(prog="python -m crossroom_protocol.docs.reference")
    parser.add_argument("--check", action="store_true", help="change nothing, list what is stale")
    parser.add_argument("--folder", type=Path, default=CHECKOUT_FOLDER, help="default: %(default)s")
    args = parser.parse_args(argv)
    written = args.folder / "PROTOCOL.md"
    if not written.is_file():
        parser.error(f"there is no {written} to fill in")
    wanted = {
        written: fill_parts(written.read_text(encoding="utf-8"), PARTS),
        args.folder / "schema.json": json_schema(),
    }
    return update_files(wanted, "crossroom_protocol.docs.reference", check=args.check)


def update_files(wanted: Mapping[Path, str], module: str, *, check: bool) -> int:
    """Write the files that are not as *wanted* or, to *check*, name them; 0, or 1 if one is stale.

    Args:
        wanted: What each file ought to hold.
        module: Who writes them, for people.
        check: Change nothing.
    """
    stale = [
        path
        for path, text in wanted.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        if check:
            print(f"{path} is stale; python -m {module} rewrites it")
        else:
            path.write_text(wanted[path], encoding="utf-8")
            print(f"{path} rewritten")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
