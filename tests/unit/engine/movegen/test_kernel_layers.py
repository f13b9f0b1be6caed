"""The layers of the kernel, as ``kernel.h`` lists them."""

import re
from pathlib import Path
from typing import Final

import crossroom_engine

KERNEL: Final = Path(crossroom_engine.__file__).parent / "kernel"
SOURCES: Final = {path.name: path.read_text() for path in KERNEL.glob("*.[ch]")}

_, _, _LISTED = SOURCES["kernel.h"].partition("Layers, lowest first:")
LAYERS: Final = re.findall(r"\w+\.[ch]", _LISTED.partition("#ifndef")[0])
"""The files, lowest first."""


def code(name: str) -> str:
    """A file without its comments."""
    return re.sub(r"/\*.*?\*/", "", SOURCES[name], flags=re.DOTALL)


def functions(name: str) -> set[str]:
    """The functions that a file defines for others."""
    return set(re.findall(r"^(?!static)\w[^;={}]*?(\w+)\([^;{}]*\)\s*\{", code(name), re.MULTILINE))


def test_every_file_has_its_place_in_the_layers() -> None:
    assert sorted(LAYERS) == sorted(SOURCES)
    assert functions("best.c") == {"search_best", "evaluate_leaves"}


def test_files_include_and_call_only_files_below_them() -> None:
    upward = []
    for place, name in enumerate(LAYERS):
        included = set(re.findall(r'^#include "(.+)"$', SOURCES[name], re.MULTILINE))
        called = set(re.findall(r"\b\w+(?=\()", code(name)))
        upward += [(name, header) for header in included - set(LAYERS[:place])]
        for other in LAYERS[place + 1 :]:
            if other.endswith(".c") and name.endswith(".c"):
                upward += [(name, function) for function in called & functions(other)]
    assert upward == []
