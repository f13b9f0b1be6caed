"""`crossroom lexicon`: build word lists, and look into them."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from crossroom_clients.cli import word_files
from crossroom_clients.support.errors import describe_error
from crossroom_engine.core import data
from crossroom_engine.core.errors import BadText
from crossroom_engine.words import catalog, languages, scowl
from crossroom_engine.words.build import (
    EXCLUSION_REASONS,
    BuildReport,
    BuiltLexicon,
    build_lexicon,
    decode_word_file,
)
from crossroom_engine.words.languages import PLAIN, Language
from crossroom_engine.words.lexicon import MAX_WORD_LENGTH, Lexicon
from crossroom_protocol.cli import flags
from crossroom_protocol.cli.data_folder import add_data_flag, data_folder

EXIT_FAILED: Final = 2
"""Exit status of a command that could not do its work; 1 is an answer: "no"."""

_TOLD: Final = ("description", "source", "licence")
"""The fields of a list's description that flags set."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommands and their flags."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(
        name: str, run: Callable[[argparse.Namespace], int], summary: str
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=summary, description=f"{summary.capitalize()}.")
        made.set_defaults(run_lexicon=run)
        flags.add_json_flag(made)
        return made

    _declare_build(command("build", _build, "make a word list out of a word file of yours"))
    _declare_language(command("language", _language, "make the word list of a language"))
    add_data_flag(command("list", _list, "show the word lists there are"))
    info = command("info", _info, "tell about a word list, and check that it is whole")
    info.add_argument("name", metavar="NAME")
    add_data_flag(info)
    add_check(command("check", check, "look words up; the exit status is 1 if one is no word"))
    remake = command("scowl", _scowl, "make the word lists that come with crossroom once more")
    remake.add_argument(
        "--from",
        dest="source",
        type=Path,
        default=Path("/usr/share/dict/scowl"),
        metavar="DIR",
        help="the lists of SCOWL (default: %(default)s, of Debian's package scowl)",
    )
    remake.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to fill")


def run(args: argparse.Namespace) -> int:
    """Do what the command line says.

    Returns:
        0, or 1 if the answer is no, or 2 if it could not be done; then the reason has been written
        to standard error in one line.
    """
    try:
        status: int = args.run_lexicon(args)
    except BrokenPipeError:
        raise
    except (BadText, OSError) as error:
        print(f"crossroom lexicon: {describe_error(error)}", file=sys.stderr)
        return EXIT_FAILED
    return status


def add_check(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of :func:`check`."""
    parser.add_argument("words", nargs="+", metavar="WORD", help="in small letters or capitals")
    parser.add_argument(
        "--lexicon", default="english", metavar="NAME", help="word list (default: %(default)s)"
    )
    add_data_flag(parser)


def check(args: argparse.Namespace) -> int:
    """Look words up: 0 if all are words, else 1."""
    with catalog.open_lexicon(args.lexicon, [_folder(args)]) as lexicon:
        answers = {word: word.upper() in lexicon for word in args.words}
        if args.json:
            print(json.dumps({"lexicon": lexicon.name, "digest": lexicon.digest, "words": answers}))
        else:
            for word, is_word in answers.items():
                print(f"{word.upper()} is {'' if is_word else 'not '}in {lexicon.name}")
    return 0 if all(answers.values()) else 1


def _declare_build(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "The file has one word a line; a tab and a definition may follow, and # begins a comment. "
        "Left out, and counted, are: "
        + "; ".join(f"{reason} ({text})" for reason, text in EXCLUSION_REASONS.items())
        + ". In a file all in capitals, capitals mean nothing."
    )
    parser.add_argument("words", type=Path, metavar="WORDS.txt", help="the word file")
    parser.add_argument("--name", required=True, help="what to call the list")
    parser.add_argument(
        "--tiles",
        default="english",
        metavar="NAME",
        help="whose letters: a tile set (default: %(default)s)",
    )
    parser.add_argument(
        "--fold-accents",
        action="store_true",
        help="take off accents that the tiles have not: café as CAFE",
    )
    parser.add_argument(
        "--encoding", default="utf-8", help="of the file (default: %(default)s; say latin-1)"
    )
    _declare_list(parser)


def _declare_list(parser: argparse.ArgumentParser) -> None:
    """The flags of all that makes a list."""
    parser.add_argument(
        "--longest",
        type=int,
        default=15,
        metavar="N",
        help=f"most letters of a word, up to {MAX_WORD_LENGTH} (default: %(default)s)",
    )
    for field in _TOLD:
        parser.add_argument(f"--{field}", metavar="TEXT", help="to be kept in the list")
    parser.add_argument("--force", action="store_true", help="replace a list of that name")
    add_data_flag(parser)


def _declare_language(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "The words are those of a package of Debian with a free licence; --from takes others. They "
        "are spelt by the rules of the language: accents that its tiles have not come off, if it "
        "plays without. What is left out is counted by reason, and licence and source are kept in "
        "the list. With no NAME, the languages are shown. The licence of the words is that of "
        "the list, if you pass it on."
    )
    parser.add_argument("language", nargs="?", metavar="NAME", help="which; that of a tile set")
    parser.add_argument("--name", help="what to call the list (default: like the language)")
    parser.add_argument(
        "--from", dest="words", type=Path, metavar="WORDS.txt", help="a word file of yours"
    )
    parser.add_argument("--encoding", help="of that file (default: utf-8; say latin-1)")
    _declare_list(parser)


def _build(args: argparse.Namespace) -> int:
    return _make(args, args.words.name, args.words.read_bytes(), args.tiles, PLAIN)


def _language(args: argparse.Namespace) -> int:
    if args.language is None:
        return _list_languages(args.json)
    language = languages.language_for(args.language)
    args.name, args.fold_accents = args.name or language.name, False
    if args.words is not None:
        args.encoding = args.encoding or "utf-8"
        return _make(args, args.words.name, args.words.read_bytes(), language.name, language)
    if (source := language.words) is None:
        raise BadText(f"no free list of {language.name} words is known; name yours with --from")
    args.encoding, args.licence = source.encoding, args.licence or source.licence
    args.source = args.source or f"Debian package {source.package}: {source.source}"
    return _make(args, source.package, word_files.read_word_file(source), language.name, language)


def _list_languages(as_json: bool) -> int:
    rows = [
        {
            "name": language.name,
            "tiles": len(data.tileset(language.name).distribution),
            "package": language.words.package if language.words else None,
            "licence": language.words.licence if language.words else None,
            "remark": language.remark,
        }
        for language in languages.languages().values()
    ]
    if as_json:
        print(json.dumps(rows))
    else:
        for row in rows:
            package = row["package"] or "no free list"
            licence = row["licence"] or ""
            print(f"{row['name']:<11} {row['tiles']:>4} tiles  {package:<13} {licence}".rstrip())
    return 0


def _make(
    args: argparse.Namespace, origin: str, words: bytes, tiles: str, language: Language
) -> int:
    path = _new_path(args)
    built = build_lexicon(
        decode_word_file(words, args.encoding),
        data.tileset(tiles),
        info={
            **{field: text for field in _TOLD if (text := getattr(args, field))},
            "built-from": f"{origin}, SHA-256 {sha256(words).hexdigest()}",
            "tiles": tiles,
        },
        longest=args.longest,
        fold=args.fold_accents,
        language=language,
        progress=_progress,
    )
    lexicon = _write(path, built)
    if args.json:
        print(json.dumps(_as_json(lexicon, path, built.report)))
    else:
        _print_report(built.report)
        print(f"{args.name} has {len(lexicon)} words: {path}")
    return 0


def _new_path(args: argparse.Namespace) -> Path:
    name = catalog.check_lexicon_name(args.name)
    if name in catalog.lexicon_paths():
        raise BadText(f"{name!r} is a list that comes with crossroom; choose another name")
    path = _folder(args) / f"{name}{catalog.LEXICON_SUFFIX}"
    if path.exists() and not args.force:
        raise BadText(
            f"there is a list {name!r} already; choose another name, or add --force if no game "
            "that was begun with it shall go on"
        )
    return path


def _write(path: Path, built: BuiltLexicon) -> Lexicon:
    """Put the whole file into place in one step: an interrupted build leaves what was there."""
    lexicon = Lexicon(path.stem, built.data)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".building-", dir=path.parent) as folder:
        unfinished = Path(folder) / path.name
        with unfinished.open("wb") as file:
            file.write(built.data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    return lexicon


def _print_report(report: BuildReport) -> None:
    print(f"{report.entries} entries, {report.words} words")
    if report.in_capitals:
        print("all in capitals: capitals do not mark names here")
    if report.definitions:
        print(f"definitions not kept: {report.definitions}")
    for reason, count in report.left_out.items():
        examples = ", ".join(report.examples[reason])
        print(
            f"left out {count}, {EXCLUSION_REASONS[reason]}: {examples}{' …' if count > 5 else ''}"
        )


def _list(args: argparse.Namespace) -> int:
    folder = _folder(args)
    known = catalog.lexicon_paths([folder])
    rows = [_row(path, known) for path in catalog.lexicon_files([folder])]
    if args.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            words = f"{row['words']:>9,} words" if "words" in row else f"{'unreadable':>15}"
            print(f"{row['name']:<16} {words}  {row['note']}")
    return 1 if any("words" not in row for row in rows) else 0


def _row(path: Path, known: dict[str, Path]) -> dict[str, Any]:
    is_hidden = known[path.stem] != path
    row = {"name": path.stem, "path": str(path), "shipped": path.parent == catalog.LEXICA_FOLDER}
    try:
        with Lexicon.open(path) as lexicon:
            note = lexicon.info.get("description", "")
            row |= {"words": len(lexicon), "digest": lexicon.digest}
    except (BadText, OSError) as error:
        note = str(error)
    if is_hidden:
        note = f"not used: the list of crossroom has this name; rename {path}"
    return {**row, "hidden": is_hidden, "note": note}


def _info(args: argparse.Namespace) -> int:
    path = catalog.lexicon_path(args.name, [_folder(args)])
    with Lexicon.open(path) as lexicon:
        lexicon.verify()
        if args.json:
            print(json.dumps(_as_json(lexicon, path)))
            return 0
        print(f"{lexicon.name}: {len(lexicon)} words, whole and undamaged")
        for field, text in {
            "digest": lexicon.digest,
            "letters": " ".join(lexicon.letters),
            "file": str(path),
            **lexicon.info,
        }.items():
            print(f"{field}: {text}")
    return 0


def _as_json(lexicon: Lexicon, path: Path, report: BuildReport | None = None) -> dict[str, Any]:
    return {
        "name": lexicon.name,
        "words": len(lexicon),
        "digest": lexicon.digest,
        "letters": lexicon.letters,
        "info": dict(lexicon.info),
        "path": str(path),
        **({"report": vars(report)} if report else {}),
    }


def _scowl(args: argparse.Namespace) -> int:
    patch = scowl.Patch.from_text(scowl.PATCH.read_text(encoding="utf-8"))
    rows = []
    for name, built in scowl.build_english_lists(args.source, patch, _progress).items():
        path = args.out / f"{name}{catalog.LEXICON_SUFFIX}"
        rows.append(_as_json(_write(path, built), path, built.report))
    if args.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            print(f"{row['name']} has {row['words']} words: {row['path']}")
    return 0


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        text = f"{done:,} of {total:,} entries" if done < total else ""
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def _folder(args: argparse.Namespace) -> Path:
    return data_folder(args) / "lexica"
