"""Bring the catalogues of translations in line with the code: ``python -m tools.translations``.

It collects what is said to people, merges that into every ``languages/CODE.po``, and compiles the
``.mo`` beside it. New texts come in untranslated; texts that are gone go out.
"""

import argparse
import ast
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias, get_args, get_origin

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_javascript
from babel.messages.jslexer import tokenize, unquote_string
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from crossroom_engine.bots import LEVELS
from crossroom_engine.core.rules import PRESETS, settings
from crossroom_protocol.base.refusals import CODES
from crossroom_protocol.base.translate import CATALOGUE_FOLDER, LANGUAGES
from crossroom_protocol.commands.registry import COMMANDS
from crossroom_protocol.text.help_text import doc_paragraphs
from crossroom_protocol.text.rules_text import SECTIONS
from tests.support.paths import ROOT
from tools import template_texts

_EPOCH: Final = datetime(2026, 11, 21, tzinfo=UTC)
"""What the header of a catalogue says of its date: when nothing changes, nothing changes."""

Text: TypeAlias = str | tuple[str, str]
"""A message, or what it is for one and for others."""

MARKS: Final = {
    "gettext": (0,),
    "ngettext": (0, 1),
    "Phrase": (0,),
    "Refusal": (1,),
    "IllegalMove": (1,),
    "BadRules": (0,),
    "ParseError": (1,),
    "_bad": (0,),
}
"""What marks a text: functions, and which of their arguments it is."""

SPEAKING: Final = {
    "engine/crossroom_engine": (
        "core/board.py core/coordinates.py core/placement.py core/rules.py core/tiles.py "
        "core/time_controls.py game/challenges.py "
        "game/referee.py game/undo.py words/catalog.py words/lexicon.py"
    ),
    "protocol/crossroom_protocol": (
        "base/page_wording.py base/wording.py commands/parser.py text/analysis_text.py "
        "text/event_text.py text/help_text.py text/moderation_text.py "
        "text/move_text.py text/offer_text.py text/premiums.py text/profile_text.py text/render.py "
        "text/rules_text.py text/rules_time_text.py text/scoresheet.py text/sheets.py "
        "text/short_move_text.py "
        "text/spoken_board.py text/status_text.py"
    ),
    "clients/crossroom_clients": (
        "cli/play.py cli/table_options.py connection/reconnecting.py connection/dial.py "
        "connection/game_status.py connection/session.py lineui/completion.py "
        "lineui/onboarding.py lineui/plain.py lineui/terminal.py tui/actions.py tui/app.py "
        "support/turn_alert.py "
        "tui/board.py tui/dialogs.py tui/finished_games.py tui/help.py tui/message_router.py "
        "tui/panels.py tui/people.py tui/people_dialogs.py tui/prompts.py tui/replay.py "
        "tui/replay_screen.py tui/typed_lines.py"
    ),
    "server/crossroom_server": (
        "app.py cluster/remote_clients.py cluster/routed_room.py identity/names.py "
        "lobby/accounts.py lobby/lobby.py lobby/personal_data.py "
        "lobby/unfinished_games.py session/personal_data.py "
        "net/guess_limiter.py room/analysis_jobs.py room/audience.py room/bot_players.py "
        "room/commands.py room/dispatch.py room/seat_links.py room/event_log.py room/inactivity.py "
        "room/job_runner.py room/membership.py room/parts.py room/room.py room/store_outage.py "
        "room/time_warnings.py session/commands.py session/display_settings.py "
        "session/lobby_commands.py session/name_claims.py session/serve.py "
        "session/server_state.py session/session.py session/word_filter.py table/moderation.py "
        "table/move_parsing.py table/offer_rules.py table/permissions.py table/queries.py "
        "table/rule_settings.py table/slow_talk.py table/state.py table/table.py "
        "table/talk.py table/trial_play.py "
        "web/game_page.py web/pages.py web/profile_pages.py"
    ),
}
"""The modules that speak to players. What is for the host alone stays in English."""


PAGE: Final = ROOT / "server/crossroom_server/web/static"
SCRIPTED: Final[dict[str, tuple[int, ...] | None]] = {"t": (1,), "plural": (1, 2)}
"""What marks a text of a script."""


class MarkedText(NamedTuple):
    """A text, and where it is said."""

    text: Text
    path: Path
    line: int


def modules() -> list[Path]:
    """The files of :data:`SPEAKING`."""
    return [ROOT / folder / name for folder, names in SPEAKING.items() for name in names.split()]


def texts() -> set[Text]:
    """Everything that is said to players."""
    said = {found.text for path in modules() for found in marked(path)}
    return said | set(declared()) | set(template_texts.texts()) | page_texts()


def scripts() -> list[Path]:
    """The scripts of the page; translations are none."""
    return [path for path in sorted(PAGE.rglob("*.js")) if path.stem not in LANGUAGES]


def page_texts() -> set[Text]:
    """Everything that the scripts of the page say."""
    names = [spec.name for spec in settings()] + list(PRESETS)
    said: set[Text] = {name.replace("_", " ").capitalize() for name in names}
    values = (get_args(spec.type) for spec in settings() if get_origin(spec.type) is Literal)
    said |= {value.replace("_", " ") for value in chain.from_iterable(values)}
    for path in scripts():
        with path.open("rb") as file:
            for _, name, given, _ in extract_javascript(file, SCRIPTED, (), {}):
                one, *others = forms(given)
                said.add((one, others[0]) if name == "plural" else one)
    return said


def unmarked_in_script(path: Path) -> Iterator[tuple[int, str]]:
    """Sentences of a script that nobody could translate, each with its line."""
    known = {form for text in page_texts() for form in forms(text)}
    for token in tokenize(path.read_text(encoding="utf-8"), jsx=False):
        if token.type not in ("string", "template_string") or unquote_string(token.value) in known:
            continue
        text = re.sub(r"\$\{[^}]*\}", "0", token.value[1:-1])
        if re.search(r"[A-Za-z]{2,} [a-z]{2,}|^[A-Z][a-z]+$", text):
            yield token.lineno, text


def declared() -> Iterator[str]:
    """What is told of declarations: commands, settings, refusals, bots."""
    for kind in COMMANDS.values():
        yield from doc_paragraphs(kind)
    yield from (spec.metadata["doc"] for spec in settings())
    yield from CODES.values()
    yield from (name.capitalize() for name in (*SECTIONS, "preset", "slow"))
    yield from (level.description for level in LEVELS.values())


def marked(path: Path) -> Iterator[MarkedText]:
    """The texts of one module that are marked as such."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            yield from (MarkedText(text, path, node.lineno) for text in _of_call(node))


def _of_call(call: ast.Call) -> Iterator[Text]:
    name = _name(call)
    if name == "format_count" and len(call.args) == 2 and (thing := _constant(call.args[1])):
        yield f"{{count}} {thing}", f"{{count}} {thing}s"
    places = MARKS.get(name, ())
    found = [_constant(call.args[place]) for place in places if place < len(call.args)]
    if found and all(found):
        first, *others = [text for text in found if text]
        if any(map(str.isalpha, literal(first))):  # else there is nothing to translate
            yield (first, others[0]) if others else first


def literal(template: str) -> Iterator[str]:
    """The parts of a template that stand as they are."""
    depth = 0
    for character in template:
        depth += (character == "{") - (character == "}")
        if not depth and character != "}":
            yield character


def unmarked(path: Path) -> Iterator[tuple[int, str]]:
    """Sentences in a module that nobody could translate, each with its line."""
    tree = ast.parse(path.read_text())
    exempt = set(_exempt(tree))
    for node in ast.walk(tree):
        if node in exempt or not isinstance(node, ast.expr):
            continue
        if isinstance(node, ast.JoinedStr):
            if _is_sentence("".join(_constant(part) or "0" for part in node.values)):
                yield node.lineno, ast.unparse(node).removeprefix("f")[1:-1]
        elif (text := _constant(node)) and _is_sentence("".join(literal(text))):
            yield node.lineno, text


def _is_sentence(text: str) -> bool:
    """Are there words with spaces between them, markup apart?"""
    words = re.sub(r"<[^<>]*>", "", text).strip()
    return " " in words and any(map(str.isalpha, words))


def _exempt(tree: ast.Module) -> Iterator[ast.AST]:
    """Strings that are marked, and those that nobody who plays will read."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                yield text
            case ast.Assert(msg=ast.Constant() | ast.JoinedStr() as text):
                yield text
            case ast.keyword(arg="help" | "metavar", value=ast.Constant() as text):
                yield text
            case ast.AnnAssign(target=ast.Name(id="ABOUT" | "DEFAULT_CSS"), value=ast.Constant()):
                yield from ast.walk(node)
            case ast.AnnAssign(target=ast.Name(id="PAGE_WORDING"), value=ast.Dict(keys=keys)):
                yield from (key for key in keys if key is not None)  # marked where they are said
            case ast.keyword(arg="classes", value=ast.Constant() as text):
                yield text
            case ast.arg(annotation=ast.Constant() as text):
                yield text
            case ast.Call() if _name(node) in SILENT:
                yield from ast.walk(node)
            case ast.keyword(arg="name", value=ast.JoinedStr() as text):
                yield text  # of a task
            case ast.Call() if _name(node) in MARKS:
                given = [node.args[at] for at in MARKS[_name(node)] if at < len(node.args)]
                yield from (text for text in given if _constant(text) is not None)
            case ast.Call() if _name(node) == "format_count":
                yield from ast.walk(node.args[1])
            case ast.Call(func=ast.Attribute(value=ast.Name(id="log"))):
                yield from ast.walk(node)
            case ast.JoinedStr():
                yield from (part for part in ast.walk(node) if part is not node)


SILENT: Final = [
    "BadText",
    "CorruptLog",
    "IndexError",
    "OSError",
    "ValueError",
    "WorkTimeout",
    "abort",
    "field",
    "fullmatch",
    "setting",
    "time_setting",
]
"""Functions whose texts no player reads."""


def _name(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _constant(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str() as text):
            return text
    return None


def path(language: str, kind: str = "po") -> Path:
    """The file of the translations into a *language*."""
    return CATALOGUE_FOLDER / f"{language}.{kind}"


def read(language: str) -> Catalog:
    """The translations into a *language*, as they are kept; none, if there is no file yet."""
    if not path(language).exists():
        return Catalog(locale=language)
    with path(language).open("rb") as file:
        return read_po(file, locale=language)


def renewed(catalogue: Catalog, said: Iterable[Text]) -> Catalog:
    """The catalogue with exactly the texts that are said, sorted, and the translations it had."""
    made = Catalog(
        locale=catalogue.locale,
        project="crossroom",
        fuzzy=False,
        creation_date=_EPOCH,
        revision_date=_EPOCH,
        header_comment=(
            "# Translations of crossroom; python -m tools.translations keeps them in line"
        ),
    )
    for text in sorted(said, key=lambda text: text if isinstance(text, str) else text[0]):
        known = catalogue.get(text)
        made.add(text, known.string if known is not None and known.id == text else "")
    return made


def for_page(catalogue: Catalog) -> str:
    """The translations that the scripts need, as a script that is loaded before them."""
    table: dict[str, str | tuple[str, ...]] = {}
    for text in sorted(page_texts(), key=str):
        message = catalogue.get(text)
        assert message is not None, text
        translated = forms(message.string)
        table[forms(text)[0]] = translated if len(translated) > 1 else translated[0]
    written = json.dumps(table, ensure_ascii=False, indent=2, sort_keys=True)
    return (
        "// Made by python -m tools.translations from the translations.\n\n"
        f"globalThis.translations = {written};\n"
    )


def compiled(catalogue: Catalog) -> bytes:
    """What is read at run time."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def written(catalogue: Catalog) -> bytes:
    """What translators edit."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, omit_header=False)
    return file.getvalue()


def untranslated(language: str) -> list[str]:
    """Return the texts that a language has no translation for, or only a guess."""
    return [
        forms(message.id)[0]
        for message in read(language)
        if message.id and (not all(forms(message.string)) or message.fuzzy)
    ]


def main() -> int:
    """Bring all catalogues in line; with ``--check`` only tell what is not translated."""
    parser = argparse.ArgumentParser(prog="python -m tools.translations", description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a text is missing")
    languages = [language for language in LANGUAGES if language != "en"]
    if parser.parse_args().check:
        missing = [(language, text) for language in languages for text in untranslated(language)]
        for language, text in missing:
            print(f"{path(language).name}: not translated: {text!r}")
        return bool(missing)
    for language in languages:
        catalogue = renewed(read(language), texts())
        path(language).write_bytes(written(catalogue))
        path(language, "mo").write_bytes(compiled(catalogue))
        (PAGE / "i18n" / f"{language}.js").write_text(for_page(catalogue), encoding="utf-8")
        missing_count = len(untranslated(language))
        print(f"{path(language).name}: {len(catalogue)} texts, {missing_count} to translate")
    return 0


def forms(message: str | Iterable[str] | None) -> tuple[str, ...]:
    """A text or a translation as what it is for one, and for others if that is something else."""
    return (message or "",) if isinstance(message, str | None) else tuple(message)


if __name__ == "__main__":
    sys.exit(main())
