"""Every text for players can be said in every language, and each reader hears their own."""

import ast
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Final

import pytest

from crossroom_clients.connection.resume_state import ResumeState
from crossroom_clients.support.language import system_language
from crossroom_clients.tui.help import KEYS, help_lines
from crossroom_clients.tui.message_router import SEAL
from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import (
    LANGUAGES,
    gettext,
    join_texts,
    negotiate_language,
    ngettext,
    translate,
    using_language,
)
from crossroom_protocol.base.wording import join_and, join_or
from crossroom_protocol.commands.registry import NAMES
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.notices import Note, ReaderSettings, Refused
from crossroom_server.lobby.lexica import LexicaOnDisk
from tests.support.paths import ROOT
from tests.support.room_driver import FakeClient, RoomDriver
from tools import template_texts, translations

OTHERS: Final = [language for language in LANGUAGES if language != "en"]
NOT_FOR_PLAYERS: Final = {
    "<Lexicon {self.name}: {len(self)} words, {self.digest[:12]}>",
    " swap={squares}",
    "{{count}} {thing}",
    "{{count}} {thing}s",
    "{seconds} s",
    "square {kind}{times}",
    "square {kind}{times} start",
    "the host",
    "this server is alone",
    "HTTP {response.status_code}",
    "crossroom join {address}",
    "crossroom join {address}{secret}",
    "wscat -c {address}",
    "python3 -m websockets {address}",
    "websocat {address}",
    "leave --host out to be reachable at all of its addresses",
    "port {port} is in use, perhaps by another crossroom; take {flag} {free}",
    "port {port} is reserved by the system; take {flag} {DEFAULT_PORT}",
    "this machine has no address {host}; {_REACHABLE}",
    "nc {_hostname(url)} {line_port}        # {then}",
    "/name {line}",
    "/name {self.name}",
    "/set reader on",
    "/join {line}",
    "/join {room}",
    "/join {room} {key}",
    "/exchange {tiles}",
    "/play {place} {word}",
    "/recall 200",
    "/export json",
    "/set hints on",
    "/set challenge void",
    "/bot remove {bot}",
    "/resign yes",
    SEAL.pattern,
    "[$accent b]{key}[/] [@click=app.{deed}]{gettext(name)}[/]",
    "bold underline",
    "{line} turn={game.turn}",
    "/bot add {level}",
    "crossroom: {text}",
    "the bot, from the weakest (the default) on: {', '.join(LEVEL_NAMES)}",
}
"""What looks like a sentence and is none, or none that is told."""


def unmarked() -> Iterator[str]:
    for path in translations.modules():
        for line, text in translations.unmarked(path):
            if text not in NOT_FOR_PLAYERS:
                yield f"{path.relative_to(ROOT)}:{line}: {text}"


FOR_THE_HOST: Final = ("banlist.py", "admin_console.py")


def test_no_module_speaks_to_players_unheard() -> None:
    for path in (ROOT / "server/crossroom_server").rglob("*.py"):
        if path in translations.modules() or path.name in FOR_THE_HOST:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case (
                    ast.Call(func=ast.Name(id="Note"))
                    | ast.Call(func=ast.Name(id="Refusal"), args=[_, ast.JoinedStr()])
                ):
                    raise AssertionError(f"{path}:{node.lineno}: name it in translations.SPEAKING")


def test_every_function_that_is_told_apart_by_name_is_called_somewhere() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in translations.modules())
    named = {*translations.MARKS, *translations.SILENT}
    assert [name for name in sorted(named) if not re.search(rf"\b{name}\(", source)] == []


def test_whatever_is_said_to_players_can_be_translated() -> None:
    assert list(unmarked()) == []


NOT_LISTED: Final = {
    *("banlist.py", "admin_console.py"),  # what the host is told
    "archive.py",  # pages of games, whose refusals nobody reads as text
}


def test_no_module_of_the_server_that_refuses_is_forgotten() -> None:
    listed = {path.name for path in translations.modules()} | NOT_LISTED
    server = ROOT / "server/crossroom_server"
    refusing = {
        path.name
        for path in server.rglob("*.py")
        if re.search(r'Refusal\(\s*"[A-Z_]+",\s*f?"', path.read_text())
    }
    assert refusing <= listed


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('def f(name):\n    raise Refusal("NOBODY", f"{name} is not here")\n', 1),
        ('def f(name):\n    raise Refusal("NOBODY", "{name} is not here", name=name)\n', 0),
        ('def f():\n    return Note(about="x", lines=("nobody is here",))\n', 1),
        ('def f():\n    """Nobody is here."""\n    return gettext("nobody is here")\n', 0),
        ('def f(at):\n    return f"{at} nobody is here"\n', 1),
        ('def f(at):\n    return f"{at}: {at}"\n', 0),
    ],
)
def test_what_cannot_be_translated_is_found(source: str, found: int, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(source)
    assert len(list(translations.unmarked(path))) == found


NO_WORDS: Final = {
    "0 · crossroom",
    "crossroom",
    'class="room"',
    'stroke-dasharray="0"',
    ",viewport-fit=cover",
    "/me export",
    "/me delete",
}
"""What is left of a template without its tags, and is never translated."""


def test_whatever_a_template_says_can_be_translated() -> None:
    for path in template_texts.templates():
        left = set(template_texts.unmarked(path.read_text(encoding="utf-8")))
        assert left <= NO_WORDS, path


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>Nobody is here</p>", ["Nobody is here"]),
        ("<p>{{ name }} is here</p>", ["0 is here"]),
        ("{% if name %}here{% endif %}", ["here"]),
        ('<a aria-label="All tables">&lsaquo;</a>', ["All tables"]),
        ('{{ name ~ " is here" }}', [" is here"]),
        ('<p class="lead">{{ gettext("{name} is here", name=name) }}</p>', []),
        ('{# Nobody is here #}<p id="{{ name }}">&nbsp;</p>', []),
    ],
)
def test_what_a_template_cannot_translate_is_found(source: str, found: list[str]) -> None:
    assert list(template_texts.unmarked(source)) == found


NO_TEXTS: Final = {
    "#moves tbody tr",
    ".players tbody th",
    ".rack button",
    "Backspace",
    "Delete",
    "Deutsch",
    "English",
    "Enter",
    "Escape",
    "Tab",
    "chat pair",
    "code of 0",
    "start panel",
}
"""What looks like a text in a script: keys, classes, selectors."""


def test_whatever_the_page_says_can_be_translated() -> None:
    found = [
        f"{path.name}:{line}: {text}"
        for path in translations.scripts()
        for line, text in translations.unmarked_in_script(path)
        if text not in NO_TEXTS
    ]
    assert found == []


def test_a_page_offers_every_language() -> None:
    offered = (translations.PAGE / "core/preferences.js").read_text(encoding="utf-8")
    for code, name in LANGUAGES.items():
        assert f'{code}: "{name}"' in offered


@pytest.mark.parametrize("language", OTHERS)
def test_the_texts_of_the_page_are_what_was_translated(language: str) -> None:
    made = translations.for_page(translations.read(language))
    assert (translations.PAGE / "i18n" / f"{language}.js").read_text(encoding="utf-8") == made


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_is_in_line_with_the_code(language: str) -> None:
    known = {message.id for message in translations.read(language) if message.id}
    said = translations.texts()
    hint = "python -m tools.translations brings the catalogues in line"
    assert not said - known, hint
    assert not known - said, hint


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_left_to_translate_is_a_warning(language: str) -> None:
    if left := translations.untranslated(language):
        warnings.warn(f"untranslated: {len(left)} texts of {language}: {left[:3]}", stacklevel=1)


@pytest.mark.parametrize("language", OTHERS)
def test_translations_fill_in_what_the_texts_fill_in(language: str) -> None:
    for message in translations.read(language):
        originals = translations.forms(message.id)
        for original, string in zip(originals, translations.forms(message.string), strict=False):
            if original and "{" in original and not original.endswith('{"do": "help"}'):
                assert _fields(string) == _fields(original), original


@pytest.mark.parametrize("language", OTHERS)
def test_translations_keep_commands_and_the_spaces_around(language: str) -> None:
    command = re.compile(r"(?<![\w.}])/([a-z]+)")

    def named(text: str) -> set[str]:
        return set(command.findall(text)) & NAMES.keys()

    for message in translations.read(language):
        if isinstance(message.id, str) and message.id and isinstance(message.string, str):
            original, string = message.id, message.string
            assert named(original) == named(string), original
            assert original[:1].isspace() == string[:1].isspace() or string[0] in ",:", original
            assert original[-1:].isspace() == string[-1:].isspace(), original


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_read_at_run_time_is_what_was_translated(language: str) -> None:
    made = translations.compiled(translations.read(language))
    assert translations.path(language, "mo").read_bytes() == made


def _fields(template: str) -> set[tuple[str | None, str | None, str | None]]:
    return {
        (name, spec, conversion)
        for _, name, spec, conversion in Formatter().parse(template)
        if name is not None
    }


def test_a_text_is_said_in_the_language_of_the_moment() -> None:
    with using_language("de"):
        assert gettext("{name} passes", name="alice") == "alice passt"
        assert join_and(["a", "b", "c"]) == "a, b und c"
        with using_language("en"):
            assert gettext("{name} passes", name="alice") == "alice passes"
        assert join_or(["a", "b"]) == "a oder b"
    assert gettext("{name} passes", name="alice") == "alice passes"


@pytest.mark.parametrize(("count", "german"), [(0, "0 Steine"), (1, "1 Stein"), (2, "2 Steine")])
def test_numbers_have_their_forms(count: int, german: str) -> None:
    text = ngettext("{count} tile", "{count} tiles", count)
    assert translate(text, "de") == german
    with using_language("de"):
        assert ngettext("{count} tile", "{count} tiles", count) == german


def test_what_is_said_to_nobody_yet_can_be_said_in_any_language() -> None:
    text = gettext("{word} is in the word list", word=join_and(["a", "b"]), name="english")
    assert text == "a and b is in the word list"
    assert translate(text, "de") == "a und b steht in der Wortliste"
    assert translate(join_texts("; ", [text, "{x}", gettext("nobody")]), "de") == (
        "a und b steht in der Wortliste; {x}; niemand"
    )
    assert translate("nobody", "de") == "nobody", "somebody may have said it"


def test_refusals_keep_what_they_say() -> None:
    inner = IllegalMove("BAD_PLAY", "there is no tile {symbol}", symbol="Ä")
    refusal = Refusal("BAD_PLAY", "nothing was done: {error}", error=inner)
    assert str(refusal) == "nothing was done: there is no tile Ä"
    assert translate(refusal.prose, "de") == "nichts ist geschehen: den Stein Ä gibt es nicht"
    assert isinstance(str(ValueError(inner.prose)), Phrase)


def test_braces_in_what_people_write_stay() -> None:
    refusal = Refusal("NOBODY", "nobody here is called {name}; /who shows them", name="{0}")
    assert translate(refusal.prose, "de") == "hier heißt niemand {0}; /who zeigt, wer da ist"
    assert Refusal("INTERNAL", "{this} is no template").prose == "{this} is no template"


def test_each_reader_hears_their_own_language() -> None:
    note = Note(about="people", lines=(gettext("{name} has left", name="bob"), "has left"))
    assert encode(note, ReaderSettings()) == ["- bob has left", "- has left"]
    assert encode(note, ReaderSettings(language="de")) == ["- bob ist gegangen", "- has left"]
    no = Refused(code="NOBODY", command="kick", text=Refusal("BAD_ARGS", "that is you").prose)
    assert encode(no, ReaderSettings(language="de", mode="json")) == [
        (
            '{"tell":"refused","code":"NOBODY","command":"kick","text":"das bist du",'
            '"plain":["! NOBODY kick: das bist du"]}'
        )
    ]
    assert encode(no, ReaderSettings(language="de", mode="tags"), "7") == [
        "@label=7;code=NOBODY;command=kick ! NOBODY kick: das bist du"
    ]


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        ("de", "de"),
        ("de-CH, de;q=0.9, en;q=0.5", "de"),
        ("en-US,en;q=0.9,de;q=0.8", "en"),
        ("fr, de;q=0.3", "de"),
        ("de;q=0, fr", "en"),
        ("de;q=often", "en"),
        ("de_AT.UTF-8", "de"),
        ("C", "en"),
        ("", "en"),
        ("*", "en"),
    ],
)
def test_the_language_asked_for_first_is_spoken(wishes: str, language: str) -> None:
    assert negotiate_language(wishes) == language


def test_a_client_reads_its_name_in_every_language() -> None:
    for language in LANGUAGES:
        mark = ResumeState()
        mark.update({"about": "name"}, translate(gettext("you are {name}", name="zoë-2"), language))
        assert mark.name == "zoë-2"


def test_a_client_remembers_the_language_that_was_asked_for() -> None:
    mark = ResumeState(room="kitchen")
    for line in ("/set language DE", "/set language xx", "/set reader on"):
        mark.note_sent(line)
    assert mark.language == "de"


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, "de"),
        ({}, "en"),
    ],
)
def test_a_client_speaks_like_the_system(environ: dict[str, str], language: str) -> None:
    assert system_language(environ) == language


async def test_an_answer_to_all_is_in_the_language_of_each(tmp_path: Path) -> None:
    driver = RoomDriver(
        [FakeClient("ann"), FakeClient("bob", ReaderSettings(language="de")), FakeClient("cat")],
        LexicaOnDisk(tmp_path),
        1,
    )
    await driver.join_all()
    driver.take_transcript()
    await driver.type("ann", "!seats")
    assert driver.take_transcript() == [
        "  ann,cat - ann shows /seats",
        "  ann,cat - seat 1: ann, not ready",
        "  ann,cat - seat 2: bob, not ready",
        "  ann,cat - seat 3: cat, not ready",
        "  bob - ann zeigt /seats",
        "  bob - Platz 1: ann, nicht bereit",
        "  bob - Platz 2: bob, nicht bereit",
        "  bob - Platz 3: cat, nicht bereit",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_table_in_a_terminal_says_fits_into_it(language: str) -> None:
    with using_language(language):
        keys = " ".join(f"{key} {gettext(name)}" for key, name, _ in KEYS)
        assert len(keys) <= 80
        assert max(map(len, help_lines())) <= 74


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_choice_at_a_table_begins_with_another_key(language: str) -> None:
    with using_language(language):
        choices = ("no, go back", "challenge it", "accept it: the game ends", "pass")
        first = [gettext(choice)[0].lower() for choice in choices]
    assert len(set(first)) == len(choices)
