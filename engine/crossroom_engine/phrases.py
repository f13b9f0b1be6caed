"""Sentences for people that can still be said in another language."""

from collections.abc import Mapping


class Phrase(str):
    """A sentence in English that remembers the template it was made from.

    Whoever knows the reader translates ``template`` and fills it in again
    (:mod:`crossroom_protocol.speech`); to everybody else it is a text like any other.

    Args:
        template: The sentence, with a name in braces for each thing that is filled in. Where
            nothing is, it stands as it is, braces included.
        about: What is filled in, by name; phrases and errors among it are translated as well.

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
        made = super().__new__(cls, template.format_map(about) if about else template)
        made.template, made.about = str(template), about
        return made

    def __str__(self) -> str:
        """Itself: ``str(error)`` must not lose what an error was made with."""
        return self
