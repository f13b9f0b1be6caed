"""Every text is given what it fills in, so that no refusal fails while it is worded."""

import ast
from collections.abc import Iterator
from string import Formatter

from tests.support.paths import ROOT
from tools import translations

FILLED_LATER = {"Phrase"}
"""Texts whose fields are given where they are used."""
GIVEN_BY_ITSELF = {"ngettext": {"count"}}


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name and name.isidentifier()}


def unfilled() -> Iterator[str]:
    for path in translations.modules():
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match call:
                case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if (
                    name in translations.MARKS.keys() - FILLED_LATER
                    and all(keyword.arg for keyword in keywords)
                ):
                    given = {keyword.arg for keyword in keywords}
                    given |= GIVEN_BY_ITSELF.get(name, set())
                    for argument in args:
                        match argument:
                            case ast.Constant(value=str() as text) if not fields(text) <= given:
                                where = f"{path.relative_to(ROOT)}:{call.lineno}"
                                yield f"{where}: {fields(text) - given}"


def test_every_text_is_given_what_it_fills_in() -> None:
    assert list(unfilled()) == []
