"""Saying things in the language of whoever is told.

A text is written once, in English, where it is said: ``say("{name} passes", name=name)``. While a
reader's lines are made, :func:`speaking` says which language they hear, and the text is in it at
once. Where nobody knows yet who will read it, as in a refusal, it stays a :class:`Phrase`, and
:func:`spoken` translates it when somebody does. English needs no catalogue.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, Token
from functools import cache
from gettext import GNUTranslations
from pathlib import Path
from typing import Final

from crossroom_engine.core.phrases import Phrase

ENGLISH: Final = "en"
LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
"""What may be spoken: the code of each language, and what it calls itself."""
CATALOGUES: Final = Path(__file__).parents[1] / "languages"
"""The folder of the translations, a file for each language."""

_language: ContextVar[str | None] = ContextVar("language", default=None)


class _Several(Phrase):
    """A phrase that depends on a number; ``template`` is for one, ``many`` for others."""

    __slots__ = ("many", "number")
    many: str
    number: int

    def __new__(cls, one: str, many: str, number: int, /, **about: object) -> "_Several":
        """See :func:`several`."""
        about = {"count": number, **about}
        made = str.__new__(cls, (one if number == 1 else many).format_map(about))
        made.template, made.many, made.number, made.about = one, many, number, about
        return made


def say(template: str, /, **about: object) -> str:
    """The text that *template* makes with what it is *about*, in the language spoken now.

    >>> say("{name} passes", name="alice")
    'alice passes'
    """
    language = _language.get()
    if language == ENGLISH:
        return template.format_map(about) if about else template
    if language is None:
        return Phrase(template, **about)
    return _translated(template, about, language)


def several(one: str, many: str, count: int, /, **about: object) -> str:
    """Like :func:`say`, for a number of things, which the templates call ``count``.

    >>> several("{count} tile", "{count} tiles", 2)
    '2 tiles'
    """
    language = _language.get()
    if language is None:
        return _Several(one, many, count, **about)
    if language != ENGLISH:
        template = catalogue(language).ngettext(one, many, count)
        return template.format_map(_spoken_about({"count": count, **about}, language))
    return (one if count == 1 else many).format_map({"count": count, **about})


def joined(gap: str, parts: Sequence[str]) -> str:
    """The *parts* one after the other with a *gap* between them, like ``gap.join(parts)``.

    What can be translated in them still can.
    """
    if _language.get() is not None:
        return gap.join(parts)
    names = [f"part{number}" for number in range(len(parts))]
    template = gap.join(f"{{{name}}}" for name in names)
    return Phrase(template, **dict(zip(names, parts, strict=True)))


def spoken(text: str, language: str) -> str:
    """A text that somebody made for nobody in particular, in this *language*."""
    if language == ENGLISH or not isinstance(text, Phrase):
        return text
    if isinstance(text, _Several):
        template = catalogue(language).ngettext(text.template, text.many, text.number)
        return template.format_map(_spoken_about(text.about, language))
    return _translated(text.template, text.about, language)


def speaks() -> str:
    """The language spoken now; English while nobody is told anything."""
    return _language.get() or ENGLISH


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within it, :func:`say` speaks this *language*; for code that waits for nothing."""
    token = speak(language)
    try:
        yield
    finally:
        hush(token)


def speak(language: str) -> Token[str | None]:
    """Speak this *language* from now on, until :func:`hush`; for where :func:`speaking` is slow."""
    return _language.set(language)


def hush(token: Token[str | None]) -> None:
    """Undo what :func:`speak` did."""
    _language.reset(token)


@cache
def catalogue(language: str) -> GNUTranslations:
    """The translations into a *language* of :data:`LANGUAGES` other than English."""
    with (CATALOGUES / f"{language}.mo").open("rb") as file:
        return GNUTranslations(file)


def chosen(wishes: str) -> str:
    """The language of :data:`LANGUAGES` that a header ``Accept-Language`` asks for first.

    A locale will do as well. English, if there is none of those asked for.

    >>> chosen("fr;q=0.9, de-AT, en;q=0.3")
    'de'
    >>> chosen("de_DE.UTF-8")
    'de'
    """
    ranked = []
    for wish in wishes[:256].split(","):
        tag, _, quality = wish.partition(";")
        language = tag.strip().replace("_", "-").split("-")[0].lower()
        if language in LANGUAGES:
            ranked.append((_worth(quality), language))
    best = max(ranked, key=lambda one: one[0], default=(0.0, ENGLISH))
    return best[1] if best[0] > 0 else ENGLISH


def _worth(quality: str) -> float:
    try:
        return float(quality.strip().removeprefix("q=")) if quality.strip() else 1.0
    except ValueError:
        return 0.0


def _translated(template: str, about: Mapping[str, object], language: str) -> str:
    text = catalogue(language).gettext(template) if template else template
    return text.format_map(_spoken_about(about, language)) if about else text


def _spoken_about(about: Mapping[str, object], language: str) -> dict[str, object]:
    return {name: _argument(value, language) for name, value in about.items()}


def _argument(value: object, language: str) -> object:
    value = str(value) if isinstance(value, Exception) else value
    return spoken(value, language) if isinstance(value, str) else value
