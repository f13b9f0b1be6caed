"""Bundles each script and style sheet of the page with everything that it imports.

The files stay modules, as a browser would load them one by one. Each request is a connection of its
own here, and each step from one module to the next costs a round trip, so the server bundles them
when it starts. Nothing is renamed or minified: where a browser reports an error, it shows what was
written, below the path of its file.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Final

_IMPORT: Final = re.compile(
    r'^import (?P<names>\{[^}]*\}) from "(?P<path>\.[^"]+)";$', re.MULTILINE
)
_EXPORT: Final = re.compile(
    r"^export (?=(?:async )?(?:function|class|const) (?P<name>\w+))", re.MULTILINE
)
_UNKNOWN: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_STYLE_IMPORT: Final = re.compile(r'^@import "(?P<path>\.[^"]+)";\n', re.MULTILINE)


def bundle(sources: Mapping[str, str]) -> dict[str, str]:
    """Return the files that no other file imports, each after everything that it imports.

    Args:
        sources: Scripts (``.js``) and style sheets (``.css``) by their paths.

    Raises:
        ValueError: an import or export is written in a way that is not supported, a name is
            imported that is not exported, or files import each other in a circle.
        KeyError: a file is imported that is not there.
    """
    imports = {path: _imports(path, text) for path, text in sources.items()}
    _check_names(sources)
    imported = {path for paths in imports.values() for path in paths}
    return {path: _bundle(path, sources, imports) for path in sources if path not in imported}


def _check_names(sources: Mapping[str, str]) -> None:
    exported = {path: set(_exports(text)) for path, text in sources.items()}
    for path, text in sources.items():
        for match in _IMPORT.finditer(text):
            wanted = {name.split(" as ")[0].strip() for name in match["names"][1:-1].split(",")}
            if missing := wanted - exported[_resolve(path, match["path"])] - {""}:
                raise ValueError(f"{path} imports what is not exported: {', '.join(missing)}")


def _exports(text: str) -> list[str]:
    return [match["name"] for match in _EXPORT.finditer(text)]


def _bundle(path: str, sources: Mapping[str, str], imports: Mapping[str, list[str]]) -> str:
    paths = dict.fromkeys(_in_order(path, imports))
    if path.endswith(".css"):
        return "\n".join(_style_sheet(part, sources[part]) for part in paths)
    return "\n".join(['"use strict";', *(_module(part, sources[part]) for part in paths)])


def _in_order(
    path: str, imports: Mapping[str, list[str]], importers: tuple[str, ...] = ()
) -> Iterator[str]:
    """Yield a file after everything that it imports, as a browser would; some more than once."""
    if path in importers:
        raise ValueError(f"{path} is imported by what it imports: {', '.join(importers)}")
    for imported in imports[path]:
        yield from _in_order(imported, imports, (*importers, path))
    yield path


def _imports(path: str, text: str) -> list[str]:
    """Return the imported paths as they are ordered: the same files make the same bundle."""
    found = (*_IMPORT.finditer(text), *_STYLE_IMPORT.finditer(text))
    return list(dict.fromkeys(_resolve(path, match["path"]) for match in found))


def _resolve(path: str, relative: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))


def _module(path: str, text: str) -> str:
    """Wrap a module in a function, which keeps its names apart and returns what it exports."""

    def destructure(match: re.Match[str]) -> str:
        names = match["names"].replace(" as ", ": ")
        return f"const {names} = {_variable(_resolve(path, match['path']))};"

    exported = ", ".join(_exports(text))
    body = _EXPORT.sub("", _IMPORT.sub(destructure, text))
    if unknown := _UNKNOWN.search(body):
        raise ValueError(f"{path}: {unknown[0]!r} cannot be bundled")
    head, end = f"const {_variable(path)} = (() => {{", f"return {{ {exported} }};\n}})();"
    return f"// {path}\n{head}\n{body}\n{end}\n"


def _variable(path: str) -> str:
    return re.sub(r"\W", "_", path)


def _style_sheet(path: str, text: str) -> str:
    return f"/* {path} */\n{_STYLE_IMPORT.sub('', text)}"
