"""The texts that the HTML templates of the server say, and those that nobody could translate."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from jinja2 import nodes
from jinja2.ext import extract_from_ast

from crossroom_server.web.templating import TEMPLATES, environment

_FUNCTIONS: Final = ("gettext", "ngettext")
_TAG: Final = re.compile(r"<[^<>]*>")
_ENTITY: Final = re.compile(r"&\w+;")
_SPOKEN: Final = re.compile(r'\b(?:alt|aria-label|placeholder|title)="([^"]*)"')
"""Attributes that are read to people."""


def templates() -> list[Path]:
    """Return the files of all templates."""
    return sorted(TEMPLATES.iterdir())


def texts() -> Iterator[str | tuple[str, str]]:
    """Yield what the templates say: a message, or its singular and plural."""
    for path in templates():
        tree = environment().parse(path.read_text(encoding="utf-8"))
        for _, name, message in extract_from_ast(tree, _FUNCTIONS):
            if isinstance(message, tuple):
                one, *others = [text for text in message if text]
                yield (one, others[0]) if name == "ngettext" else one
            elif message:
                yield message


def unmarked(source: str) -> Iterator[str]:
    """Yield the words in a template, in its text or in an attribute that is read to people, and the
    sentences in its expressions that are no arguments of gettext.
    """
    markup = _markup(source)
    for text in (*_TAG.sub("\n", markup).split("\n"), *_SPOKEN.findall(markup)):
        if any(map(str.isalpha, _ENTITY.sub("", text))):
            yield text.strip()
    tree = environment().parse(source)
    marked = {
        id(argument)
        for call in tree.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name) and call.node.name in _FUNCTIONS
        for argument in call.args
    }
    for constant in tree.find_all(nodes.Const):
        text = constant.value
        if id(constant) not in marked and isinstance(text, str) and " " in text.strip():
            yield text


def _markup(source: str) -> str:
    """Return a template without its comments and statements, and with 0 for each expression."""
    markup = ""
    for _, kind, value in environment().lex(source):
        if kind == "data":
            markup += value
        elif kind == "variable_begin":
            markup += "0"
        elif kind == "block_begin" and markup.rfind("<") <= markup.rfind(">"):
            markup += "\n"
    return markup
