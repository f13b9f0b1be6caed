"""What a page needs in one answer: a script or a style sheet, with what it imports in it.

The files stay modules, as a browser would load them one by one. Each request is a connection of
its own here, and over a long line each step from one module to the next costs a round trip, so the
server puts them together when it starts. Nothing is renamed or squeezed: where a browser tells of
an error, there stands what was written, below the name of its file.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

_IMPORT: Final = re.compile(
    r'^import (?P<what>\{[^}]*\}|\* as \w+) from "\./(?P<file>[^"]+)";$', re.MULTILINE
)
_EXPORT: Final = re.compile(
    r"^export (?=(?:async )?(?:function|class|const) (?P<name>\w+))", re.MULTILINE
)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_STYLES: Final = re.compile(r'^@import "\./(?P<file>[^"]+)";\n', re.MULTILINE)


def joined(sources: Mapping[str, str]) -> dict[str, str]:
    """The files that no other file imports, each with all that it imports before it.

    Args:
        sources: Scripts (``.js``) and style sheets (``.css``) by their names.

    Raises:
        ValueError: an import or export is written in a way that is not known here, or files import
            each other in a circle.
        KeyError: a file is imported that is not there.
    """
    wanted = {name: _imports(text) for name, text in sources.items()}
    inner = {file for files in wanted.values() for file in files}
    return {name: _joined(name, sources, wanted) for name in sources if name not in inner}


def _joined(name: str, sources: Mapping[str, str], wanted: Mapping[str, list[str]]) -> str:
    files = dict.fromkeys(_ordered(name, wanted))
    if name.endswith(".css"):
        return "\n".join(_sheet(file, sources[file]) for file in files)
    return "\n".join(['"use strict";', *(_module(file, sources[file]) for file in files)])


def _ordered(
    name: str, wanted: Mapping[str, list[str]], above: tuple[str, ...] = ()
) -> Iterator[str]:
    """A file after all that it imports, as a browser would take them; some are named again."""
    if name in above:
        raise ValueError(f"{name} is imported by what it imports: {', '.join(above)}")
    for file in wanted[name]:
        yield from _ordered(file, wanted, (*above, name))
    yield name


def _imports(text: str) -> list[str]:
    """In the order they are written in: the same files must always make the same script."""
    found = (*_IMPORT.finditer(text), *_STYLES.finditer(text))
    return list(dict.fromkeys(match["file"] for match in found))


def _module(name: str, text: str) -> str:
    """A module as a function, so that its names stay its own, which returns what it exports."""
    exported = ", ".join(match["name"] for match in _EXPORT.finditer(text))
    body = _EXPORT.sub("", _IMPORT.sub(_taken, text))
    if unknown := _LEFT.search(body):
        raise ValueError(f"{name}: {unknown[0]!r} cannot be joined")
    head, end = f"const {_object(name)} = (() => {{", f"return {{ {exported} }};\n}})();"
    return f"// {name}\n{head}\n{body}\n{end}\n"


def _taken(match: re.Match[str]) -> str:
    what = match["what"].removeprefix("* as ").replace(" as ", ": ")
    return f"const {what} = {_object(match['file'])};"


def _object(name: str) -> str:
    return name.replace(".", "_").replace("-", "_")


def _sheet(name: str, text: str) -> str:
    return f"/* {name} */\n{_STYLES.sub('', text)}"
