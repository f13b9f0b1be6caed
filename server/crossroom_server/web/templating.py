"""Renders the HTML templates in the language of the current request; every value is escaped."""

from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from crossroom_protocol.base import translate

TEMPLATES: Final = Path(__file__).parent / "templates"


def render(template: str, **values: object) -> Markup:
    """Render a template of :data:`TEMPLATES`; an unknown name in it is an error."""
    return Markup(environment().get_template(template).render(values))


@cache
def environment() -> Environment:
    """Return the environment, in which every template has been compiled."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    made.globals |= {"gettext": _gettext, "language": _language}
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    for name in made.list_templates():
        made.get_template(name)
    return made


def _language() -> str:
    return translate.base_language(translate.current_language())


def _gettext(template: str, /, **values: object) -> Markup:
    """Translate a text of a template; values in it are escaped unless they are markup."""
    text = escape(translate.gettext(template))
    return text.format(**values) if values else text
