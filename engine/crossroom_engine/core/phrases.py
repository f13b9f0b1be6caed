"""Sentences for people that can still be said in another language."""

from collections.abc import Mapping


class Phrase(str):
    """A sentence in English that remembers the template it was made from.

    Whoever knows the reader translates ``template`` and fills it in again
    (:mod:`crossroom_protocol.base.translate`); to everybody else it is a text like any other.

    Args:
        template: The sentence, with a name in braces for each thing that is filled in. Where
            nothing is, it stands as it is, braces included.
        about: What is filled in, by name; phrases among it, and what errors say, are translated
            as well. An error itself is not kept: it holds all that was going on around it.

    >>> Phrase("{name} passes", name="alice")
    'alice passes'
    """

    __slots__ = ("about", "template")
    template: str
    about: Mapping[str, object]

    def __new__(cls, template: str, /, **about: object) -> "Phrase":
        """See the class."""
        if isinstance(template, Phrase) and not about:
            return template
        about = {name: _said(thing) for name, thing in about.items()}
        made = super().__new__(cls, template.format_map(about) if about else template)
        made.template, made.about = str(template), about
        return made

    def __str__(self) -> str:
        """Itself: ``str(error)`` must not lose what an error was made with."""
        return self


def _said(thing: object) -> object:
    return str(thing) if isinstance(thing, Exception) else thing
