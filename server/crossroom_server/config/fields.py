"""How a setting is declared: once, as a field of a dataclass, from which all else is made.

``line_port: int | None = setting(None, "what it is", whole(0, 65535))`` makes the flag
``--line-port``, the variable ``CROSSROOM_LINE_PORT``, the key ``line_port`` of the file, their
checks, the help and a row of the reference.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Final

VARIABLE_PREFIX: Final = "CROSSROOM_"
"""What the variables of all settings begin with."""


@dataclass(frozen=True)
class ValueType:
    """What may be written for a setting.

    Args:
        metavar: A word for it in the help; empty: there are only yes and no.
        read: Makes the value of a text, of a list all its parts; :exc:`ValueError` says what is
            wrong with it.
        types: What a TOML file may hold beside strings; ``list``: several.
        read_flag: Reads it from a command line, where not everything may stand.
    """

    metavar: str
    read: Callable[[str], Any]
    types: tuple[type, ...] = ()
    read_flag: Callable[[str], Any] | None = None

    def from_toml(self, written: object) -> Any:
        """Make the value of what a TOML file holds.

        Raises:
            ValueError: it is none; says why.
        """
        match written:
            case list() if list in self.types:
                return tuple(one for part in written for one in self.read(str(part)))
            case bool() if bool in self.types:
                return written
            case str():
                return self.read(written)
            case _ if type(written) in self.types:
                return self.read(str(written))
        raise ValueError(f"{written!r} is of type {type(written).__name__}, which does not fit")


@dataclass(frozen=True)
class Setting:
    """One setting: ``port``, or ``limits.pace`` in the table ``limits``.

    ``default`` makes the value that it has without a word, and ``usually`` tells it in words;
    ``also`` is one more flag for it.
    """

    name: str
    value_type: ValueType
    doc: str
    default: Callable[[], Any]
    default_text: str
    alias: str | None

    @property
    def flag(self) -> str:
        """As on a command line: ``--limits-pace``."""
        return "--" + self.name.replace(".", "-").replace("_", "-")

    @property
    def variable(self) -> str:
        """As in the environment: ``CROSSROOM_LIMITS_PACE``."""
        return VARIABLE_PREFIX + self.name.replace(".", "_").upper()


def setting(default: Any, doc: str, kind: ValueType, *, usually: str = "", also: str = "") -> Any:
    """Declare one field, and what people may write for it.

    Args:
        default: The value; if it can be called, what it returns.
        doc: What it means, in which unit.
        kind: What may be written.
        usually: The default in words, if the value would say little.
        also: One more flag; of a setting that is yes or no, for what is not the default.
    """
    about = {"doc": doc, "kind": kind, "usually": usually, "also": also or None}
    if callable(default):
        return field(default_factory=default, metadata=about)
    return field(default=default, metadata=about)


def declared_settings(form: type[Any], table: str = "") -> Iterator[Setting]:
    """The settings of a dataclass, and of those that are fields of it, in their order."""
    for spec in fields(form):
        if "kind" in spec.metadata:
            default = _default(spec)
            usually = spec.metadata["usually"] or _in_words(default())
            about = {key: spec.metadata[key] for key in ("kind", "doc", "also")}
            yield Setting(table + spec.name, default=default, default_text=usually, **about)
        elif isinstance(spec.type, type) and is_dataclass(spec.type):
            yield from declared_settings(spec.type, f"{table}{spec.name}.")


def _in_words(default: object) -> str:
    match default:
        case None:
            return "none"
        case bool():
            return "yes" if default else "no"
    return str(default)


def to_toml(value: object) -> str:
    """A value as a TOML file has it."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case tuple():
            return f"[{', '.join(map(to_toml, value))}]"
        case _:
            return '"' + "".join(map(_escaped, str(value))) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{ord(char):08x}"


def _default(spec: Field[Any]) -> Callable[[], Any]:
    if spec.default_factory is not MISSING:
        return spec.default_factory
    return lambda: spec.default


def whole_number(low: int, high: int) -> ValueType:
    """An integer from *low* to *high*."""

    def read(text: str) -> int:
        if not (text.isdecimal() and text.isascii() and low <= int(text) <= high):
            raise ValueError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return ValueType("N", read, (int,))


def number(low: float, high: float) -> ValueType:
    """A number from *low* to *high*."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise ValueError(f"{text!r} is not a number from {low:g} to {high:g}")
        return value

    return ValueType("N", read, (int, float))


def choice(names: Sequence[str]) -> ValueType:
    """One of some words."""

    def read(text: str) -> str:
        if text not in names:
            raise ValueError(f"{text!r} is none of {', '.join(names)}")
        return text

    return ValueType("{" + ",".join(names) + "}", read)


def word(metavar: str) -> ValueType:
    """A name, any that is not empty."""

    def read(text: str) -> str:
        if not text.strip():
            raise ValueError("nothing is written there; leave it out for the default")
        return text.strip()

    return ValueType(metavar, read)


def path(metavar: str) -> ValueType:
    """A file or a folder; ``~`` is your home."""
    named = word(metavar)

    def read(text: str) -> Path:
        try:
            return Path(named.read(text)).expanduser()
        except RuntimeError:
            raise ValueError(f"{text!r} begins at a home that is not there") from None

    return ValueType(metavar, read)


def _yes_or_no(text: str) -> bool:
    match text.lower():
        case "yes" | "true" | "on" | "1":
            return True
        case "no" | "false" | "off" | "0":
            return False
    raise ValueError(f"{text!r} is neither yes nor no")


YES_NO: Final = ValueType("", _yes_or_no, (bool,))
"""Yes or no."""
