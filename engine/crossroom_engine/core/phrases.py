"""Sentences for people that can still be translated after they were filled in."""

from collections.abc import Mapping


class Phrase(str):
    """A sentence in English that remembers the template it was made from.

    It is a text like any other, except to :mod:`crossroom_protocol.base.translate`, which
    translates ``template`` and fills it in again.

    Args:
        template: The sentence, with a name in braces for each value. Without values it stands as
            it is, braces included.
        about: The values by name. Phrases among them, and the texts of errors, are translated,
            too. An error itself is not kept: its traceback would keep much else alive.

    Examples:
        >>> Phrase("{name} passes", name="alice")
        'alice passes'
    """

    __slots__ = ("about", "template")
    template: str
    about: Mapping[str, object]

    def __new__(cls, template: str, /, **about: object) -> "Phrase":
        """Make the sentence, see the class."""
        if isinstance(template, Phrase) and not about:
            return template
        about = {name: _said(thing) for name, thing in about.items()}
        made = super().__new__(cls, template.format_map(about) if about else template)
        made.template, made.about = str(template), about
        return made

    def __str__(self) -> str:
        """Return this very object: ``str(error)`` must not lose what an error was made with."""
        return self


def _said(thing: object) -> object:
    return str(thing) if isinstance(thing, Exception) else thing
