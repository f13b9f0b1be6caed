"""The page tells nobody to type a command."""

import re
from string import Formatter
from typing import Final

import pytest

from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import PRESETS, settings
from crossroom_protocol.base.page_wording import PAGE_WORDING
from crossroom_protocol.base.translate import (
    LANGUAGES,
    gettext,
    ngettext,
    page_language,
    translate,
    using_language,
)
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.events.room import RulesChanged
from crossroom_protocol.notices import Note, ReaderSettings, Refused
from crossroom_protocol.text.event_text import event_line
from tests.support.room_views import room_view
from tools import translations

COMMAND: Final = re.compile(r"(?<![\w/.{}])/[a-z]+")
FOR_TERMINALS: Final = {
    # At the door, where no page stays.
    "you are at the door: /join ROOM enters a room, creating it if needed",
    "/rooms lists those that are open",
    "you have left {name}; /resume CODE comes back to your seat, /rooms lists the open rooms",
    "you are {name}; now /join ROOM",
    "no room is open; /join ROOM opens one",
    "enter a room first: /join ROOM; /rooms lists them",
    "still there? The connection closes in a minute; /join ROOM enters a room",
    # Answers to what is only ever typed, or for terminals beside what the page shows.
    "in a terminal that is connected: /join {room} {token}",
    (
        "your codes, your registration and what you have said are deleted, and in finished games "
        "you are a former player; nothing brings that back: /me delete yes"
    ),
    (
        "your code and what you have said here are deleted, and in finished games of this room you "
        "are a former player; nothing brings that back: /me delete yes"
    ),
    # Within `{how}`, which the page leaves out.
    "/join ROOM with an invitation",
    "/join ROOM PASSWORD, or with an invitation",
    # What the page shows as lines for terminals.
    "then: /join {name}",
    "once, and within a day, with nc, wscat or websockets: /join {room} {token}",
    # Answers to what the page does not send, or refusals of it.
    "/set NAME VALUE changes one; slow and those after it at any time, the others between games",
    "there is no setting {name!r}; /set lists them",
    "{setting} is on or off: /set {setting} on",
    "/bot add LEVEL seats one",
    "/analyze takes a turn or a player: {names}, not {name!r}",
    "the game had no turn {number}; /history shows them",
    "analysis is for the newest game alone: /export analysis",
    "no game {game} has ended in this room; /games lists those that have",
    "say whose games: /stored NAME",
    "say whose: /stats NAME",
    "/resume CODE, with the code you were given there, comes back to one",
}


def told_by_the_server() -> set[str]:
    """Every template of lines and refusals; help and the parser are for who types."""
    paths = [path for path in translations.modules() if "crossroom_clients" not in path.parts]
    found = {
        form
        for path in paths
        if path.name not in ("help_text.py", "parser.py", "page_wording.py")
        for text in translations.marked(path)
        for form in translations.forms(text.text)
    }
    return found | {spec.metadata["doc"] for spec in settings()}


def fields(template: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(template)} - {None}


def test_whatever_names_a_command_has_words_for_the_page() -> None:
    commands = {text for text in told_by_the_server() if COMMAND.search(text)}
    assert commands - FOR_TERMINALS == {text for text in PAGE_WORDING if COMMAND.search(text)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_for_the_page_name_no_command(language: str) -> None:
    for text, said in PAGE_WORDING.items():
        assert fields(said) <= fields(text)
        assert not COMMAND.search(translate(said, language))


def test_every_text_of_the_page_is_still_told() -> None:
    assert PAGE_WORDING.keys() <= told_by_the_server()


def test_the_page_hears_notes_and_refusals_in_its_own_words() -> None:
    style = ReaderSettings(mode="json", language=page_language("en"))
    told = Phrase("now only /accept or /challenge the last play")
    no = Refused(code="WRONG_PHASE", command="play", text=told)
    for notice in (no, Note(about="x", lines=(told,))):
        (frame,) = encode(notice, style)
        assert "now only accept or challenge the last play" in frame
        assert "/accept" not in frame


def test_the_page_hears_everything_else_as_others_do() -> None:
    with using_language(page_language("de")):
        assert gettext("{name} passes", name="ann") == "ann passt"
        assert ngettext("{count} tile", "{count} tiles", 2) == "2 Steine"


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "ann sets target_winner to first"),
        (page_language("en"), "ann sets target winner to first"),
        (page_language("de"), "ann stellt Sieger beim Ziel auf wer zuerst da ist"),
    ],
)
def test_settings_have_the_names_that_forms_give_them(language: str, line: str) -> None:
    event = RulesChanged("ann", "target_winner", "first", PRESETS["race"])
    with using_language(language):
        assert event_line(event, room_view(None)) == line
