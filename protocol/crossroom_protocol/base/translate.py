"""Translate texts into the language of the reader.

A text is written once, in English, where it is needed: ``gettext("{name} passes", name=name)``.
Within :func:`using_language`, which surrounds the making of a reader's lines, it comes out in that
language at once. Where the reader is not known yet, as in a refusal, it stays a :class:`Phrase`
until :func:`translate` is called. English needs no catalogue.

The page has a variant of each language, such as ``de-x-page``: :data:`PAGE_WORDING` in German.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar, Token
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Final

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.page_wording import PAGE_WORDING

ENGLISH: Final = "en"
LANGUAGES: Final = {"en": "English", "de": "Deutsch"}
"""The languages there are: code, and what each calls itself."""
_PAGE: Final = "-x-page"
"""The end of the code of a language's variant for the page."""
CATALOGUE_FOLDER: Final = Path(__file__).parents[1] / "languages"
"""The folder of the compiled translations, one file for each language."""

_language: ContextVar[str | None] = ContextVar("language", default=None)


class _PluralPhrase(Phrase):
    """A phrase that depends on a number; ``template`` is for one, ``many`` for others."""

    __slots__ = ("many", "number")
    many: str
    number: int

    def __new__(cls, one: str, many: str, number: int, /, **about: object) -> "_PluralPhrase":
        """See :func:`ngettext`."""
        about = {"count": number, **about}
        made = str.__new__(cls, (one if number == 1 else many).format_map(about))
        made.template, made.many, made.number, made.about = one, many, number, about
        return made


def gettext(template: str, /, **about: object) -> str:
    """Return *template* in the current language, filled in with what it is *about*.

    >>> gettext("{name} passes", name="alice")
    'alice passes'
    """
    language = _language.get()
    if language == ENGLISH:
        return template.format_map(about) if about else template
    if language is None:
        return Phrase(template, **about)
    return _translated(template, about, language)


def ngettext(one: str, many: str, count: int, /, **about: object) -> str:
    """Return :func:`gettext` of the singular or the plural; the templates may name ``count``.

    >>> ngettext("{count} tile", "{count} tiles", 2)
    '2 tiles'
    """
    language = _language.get()
    if language is None:
        return _PluralPhrase(one, many, count, **about)
    if language != ENGLISH:
        template = catalogue(base_language(language)).ngettext(one, many, count)
        return template.format_map(_translated_values({"count": count, **about}, language))
    return (one if count == 1 else many).format_map({"count": count, **about})


def join_texts(gap: str, parts: Sequence[str]) -> str:
    """Return ``gap.join(parts)`` as a text whose parts can still be translated."""
    if _language.get() is not None:
        return gap.join(parts)
    names = [f"part{number}" for number in range(len(parts))]
    template = gap.join(f"{{{name}}}" for name in names)
    return Phrase(template, **dict(zip(names, parts, strict=True)))


def translate(text: str, language: str) -> str:
    """Return *text* in a *language*; only phrases, made without one, can be translated."""
    if language == ENGLISH or not isinstance(text, Phrase):
        return text
    if isinstance(text, _PluralPhrase):
        template = catalogue(base_language(language)).ngettext(
            text.template, text.many, text.number
        )
        return template.format_map(_translated_values(text.about, language))
    return _translated(text.template, text.about, language)


def current_language() -> str:
    """Return the code of the current language; English where none is set."""
    return _language.get() or ENGLISH


def page_language(language: str) -> str:
    """Return the variant of a language for readers at the page, who type no commands.

    >>> page_language("de")
    'de-x-page'
    """
    return base_language(language) + _PAGE


def base_language(language: str) -> str:
    """Return the language of :data:`LANGUAGES` that a variant is of."""
    return language.removesuffix(_PAGE)


@contextmanager
def using_language(language: str) -> Iterator[None]:
    """Make :func:`gettext` use this *language* inside a block, which must not await."""
    token = set_language(language)
    try:
        yield
    finally:
        reset_language(token)


def set_language(language: str) -> Token[str | None]:
    """Use *language* until :func:`reset_language`; faster than :func:`using_language`."""
    return _language.set(language)


def reset_language(token: Token[str | None]) -> None:
    """Undo one :func:`set_language`."""
    _language.reset(token)


@cache
def catalogue(language: str) -> NullTranslations:
    """Load the translations into a *language* of :data:`LANGUAGES`; none for English."""
    if language == ENGLISH:
        return NullTranslations()
    with (CATALOGUE_FOLDER / f"{language}.mo").open("rb") as file:
        return GNUTranslations(file)


def negotiate_language(wishes: str) -> str:
    """Choose the language that an ``Accept-Language`` header, or a locale, asks for first.

    It is one of :data:`LANGUAGES`; English if none of those is asked for.

    >>> negotiate_language("fr;q=0.9, de-AT, en;q=0.3")
    'de'
    >>> negotiate_language("de_DE.UTF-8")
    'de'
    """
    ranked = []
    for wish in wishes[:256].split(","):
        tag, _, quality = wish.partition(";")
        language = tag.strip().replace("_", "-").split("-")[0].lower()
        if language in LANGUAGES:
            ranked.append((_quality(quality), language))
    best = max(ranked, key=lambda one: one[0], default=(0.0, ENGLISH))
    return best[1] if best[0] > 0 else ENGLISH


def _quality(quality: str) -> float:
    try:
        return float(quality.strip().removeprefix("q=")) if quality.strip() else 1.0
    except ValueError:
        return 0.0


def _translated(template: str, about: Mapping[str, object], language: str) -> str:
    if language.endswith(_PAGE):
        language, template = base_language(language), PAGE_WORDING.get(template, template)
    text = catalogue(language).gettext(template) if template else template
    return text.format_map(_translated_values(about, language)) if about else text


def _translated_values(about: Mapping[str, object], language: str) -> dict[str, object]:
    return {name: _argument(value, language) for name, value in about.items()}


def _argument(value: object, language: str) -> object:
    value = str(value) if isinstance(value, Exception) else value
    return translate(value, language) if isinstance(value, str) else value
