"""Declares each setting once, as a field of a dataclass.

``line_port: int | None = setting(None, "what it is", whole_number(0, 65535))`` makes the flag
``--line-port``, the variable ``CROSSROOM_LINE_PORT``, the key ``line_port`` of the file, their
checks, the help and a row of the reference.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Final

VARIABLE_PREFIX: Final = "CROSSROOM_"


@dataclass(frozen=True)
class ValueType:
    """The type of a setting's values, and how to read them.

    Args:
        metavar: The placeholder in the help; empty for yes or no.
        read: Reads a value from text; of a list, all its parts. :exc:`ValueError` says why not.
        types: TOML types that are allowed besides strings; ``list`` allows several values.
        read_flag: Reads it from the command line, if not everything is allowed there.
    """

    metavar: str
    read: Callable[[str], Any]
    types: tuple[type, ...] = ()
    read_flag: Callable[[str], Any] | None = None

    def from_toml(self, written: object) -> Any:
        """Read a value from a TOML file.

        Raises:
            ValueError: it does not fit; says why.
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

    ``default`` makes the default value, ``default_text`` describes it; ``alias`` is another flag.
    """

    name: str
    value_type: ValueType
    doc: str
    default: Callable[[], Any]
    default_text: str
    alias: str | None

    @property
    def flag(self) -> str:
        """Return the flag: ``--limits-pace``."""
        return "--" + self.name.replace(".", "-").replace("_", "-")

    @property
    def variable(self) -> str:
        """Return the environment variable: ``CROSSROOM_LIMITS_PACE``."""
        return VARIABLE_PREFIX + self.name.replace(".", "_").upper()


def setting(
    default: Any, doc: str, value_type: ValueType, *, default_text: str = "", alias: str = ""
) -> Any:
    """Declare a dataclass field as a setting.

    Args:
        default: The default value, or a function that returns it.
        doc: The help text: purpose and unit.
        value_type: The type of the values.
        default_text: The default in words, if the value says little.
        alias: Another flag; of a yes-or-no setting, for the opposite of the default.
    """
    about = {
        "doc": doc,
        "value_type": value_type,
        "default_text": default_text,
        "alias": alias or None,
    }
    if callable(default):
        return field(default_factory=default, metadata=about)
    return field(default=default, metadata=about)


def declared_settings(form: type[Any], table: str = "") -> Iterator[Setting]:
    """Yield the settings of a dataclass and of the dataclasses within it, in order."""
    for spec in fields(form):
        if "value_type" in spec.metadata:
            default = _default(spec)
            text = spec.metadata["default_text"] or _in_words(default())
            about = {**spec.metadata, "default_text": text}
            yield Setting(table + spec.name, default=default, **about)
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
    """Write a value as TOML."""
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
    """Return the type of integers from *low* to *high*."""

    def read(text: str) -> int:
        if not (text.isdecimal() and text.isascii() and low <= int(text) <= high):
            raise ValueError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return ValueType("N", read, (int,))


def number(low: float, high: float) -> ValueType:
    """Return the type of numbers from *low* to *high*."""

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
    """Return the type of one word among *names*."""

    def read(text: str) -> str:
        if text not in names:
            raise ValueError(f"{text!r} is none of {', '.join(names)}")
        return text

    return ValueType("{" + ",".join(names) + "}", read)


def word(metavar: str) -> ValueType:
    """Return the type of any text that is not empty."""

    def read(text: str) -> str:
        if not text.strip():
            raise ValueError("nothing is written there; leave it out for the default")
        return text.strip()

    return ValueType(metavar, read)


def path(metavar: str) -> ValueType:
    """Return the type of paths to files or folders; ``~`` is the home folder."""
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
