"""Complete what is being typed: names of commands, and arguments with fixed choices."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal, get_args, get_origin

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from crossroom_engine.core.rules import PRESETS, describe_values, settings
from crossroom_engine.core.time_controls import TIME_CONTROLS
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import LANGUAGES, gettext
from crossroom_protocol.commands.base import Command, fields, usage
from crossroom_protocol.commands.parser import find_command
from crossroom_protocol.commands.registry import COMMANDS, NAMES
from crossroom_protocol.notices import DISPLAY_SETTINGS, BoardSetting
from crossroom_protocol.text.help_text import doc_paragraphs

PERSON_COMMANDS: Final = ("tell", "kick", "ban", "mute", "unmute", "role")
"""Commands whose first argument is the name of somebody in the room."""


class CommandCompleter(Completer):
    """Completes commands, ``/`` first; whatever else is typed is talk, and nobody's business.

    Args:
        people: Tells who is in the room, by name.
    """

    def __init__(self, people: Callable[[], Iterable[str]] = tuple) -> None:
        self._people = people

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
        """Completions of the word before the cursor."""
        before = document.text_before_cursor
        if not before.startswith("/") or before.startswith("//"):
            return
        *words, begun = before.split(" ")
        if not words:
            for name, kind in COMMANDS.items():
                if name.startswith(begun[1:].lower()):
                    text, meta = f"/{name}", gettext(doc_paragraphs(kind)[0])
                    yield Completion(text, -len(begun), display_meta=meta)
        else:
            for choice in self._choices(words[0][1:], words[1:]):
                if choice.lower().startswith(begun.lower()):
                    yield Completion(choice, -len(begun))

    def _choices(self, name: str, given: list[str]) -> Iterable[str]:
        kind = _kind(name)
        if kind is not None and kind.model_fields["do"].default in PERSON_COMMANDS and not given:
            return self._people()
        return _choices(name, given)


def command_hint(text: str) -> str:
    """Return usage and purpose of the command that is being typed; empty if it is none."""
    if not text.startswith("/") or text.startswith("//"):
        return ""
    kind = _kind(text[1:].partition(" ")[0])
    if kind is not None:
        return f"{usage(kind)}  {gettext(doc_paragraphs(kind)[0])}"
    begun = [f"/{do}" for do in COMMANDS if do.startswith(text[1:].lower())]
    return "  ".join(begun)


def _kind(name: str) -> type[Command] | None:
    try:
        return COMMANDS[find_command(name)] if name else None
    except Refusal:
        return None


def _choices(name: str, given: list[str]) -> Iterable[str]:
    """Return the choices for the place after the words *given*, where they are fixed."""
    kind = _kind(name)
    if kind is None:
        return ()
    match kind.model_fields["do"].default, given:
        case "help", []:
            return sorted(NAMES)
        case "set", []:
            return ("preset", "time", *(spec.name for spec in settings()), *DISPLAY_SETTINGS)
        case "set", [setting]:
            return _values_of(setting.lower())
        case "bot", ["add"]:
            from crossroom_engine.bots import LEVELS  # who adds no bot does without

            return LEVELS
    places = [field.annotation for field in fields(kind).values()][len(given) : len(given) + 1]
    return [
        choice for place in places if get_origin(place) is Literal for choice in get_args(place)
    ]


def _values_of(setting: str) -> Iterable[str]:
    if setting == "preset":
        return PRESETS
    if setting == "time":
        return TIME_CONTROLS
    if setting == "language":
        return LANGUAGES
    if setting == "board":
        return get_args(BoardSetting)
    if setting == "width":
        return ("off",)
    if setting in DISPLAY_SETTINGS:
        return ("on", "off")
    spec = next((spec for spec in settings() if spec.name == setting), None)
    if spec is None:
        return ()
    if spec.type in (int, int | None):
        return () if spec.type is int else ("off",)
    return describe_values(spec).split(" or ") if spec.type is not str else ()
