"""Reads where a store is: ``sqlite:PATH``, a path alone, or ``postgresql://...``."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import parse_qs, urlsplit

from crossroom_protocol.cli.flags import read_variable

STORE_VARIABLE: Final = "CROSSROOM_STORE"
"""The environment variable that names the store if no flag does."""

_EXAMPLES: Final = "sqlite:PATH or postgresql://USER@HOST/DATABASE"


@dataclass(frozen=True)
class Database:
    """A PostgreSQL database; its text has neither password nor parameters.

    Args:
        url: In libpq's format; the variables PGHOST, PGPASSFILE and so on fill in the rest.
    """

    url: str = field(repr=False)

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"

    @property
    def has_password(self) -> bool:
        """Does the URL hold a password?"""
        parts = urlsplit(self.url)
        return bool(parts.password) or "password" in parse_qs(parts.query)


StoreUrl: TypeAlias = Path | Database


def read_store_url(text: str) -> StoreUrl:
    """Read the URL of a store.

    Raises:
        ValueError: it is none; the message does not repeat it, for it may hold a password.
    """
    scheme, _, rest = text.partition(":")
    if scheme in ("postgres", "postgresql") and rest.startswith("//"):
        return Database(text)
    if scheme == "sqlite" and rest:
        return Path(rest).expanduser()
    if text and "://" not in text and scheme not in ("sqlite", "postgres", "postgresql"):
        return Path(text).expanduser()
    raise ValueError(f"this is no store; one is named {_EXAMPLES}")


def read_store_flag(text: str) -> StoreUrl:
    """Read the URL of a store from the command line.

    Raises:
        ValueError: it is none, or it holds a password.
    """
    place = read_store_url(text)
    if isinstance(place, Database) and place.has_password:
        raise ValueError(
            "everybody on this machine can read the password in a command line; put it into a "
            f"password file (PGPASSFILE), or the whole address into the variable {STORE_VARIABLE}"
        )
    return place


def store_url_in_environment() -> StoreUrl | None:
    """Read the URL from the environment, or a file that it names; None if neither is set.

    Raises:
        OSError: it is not the URL of a store.
    """
    text, origin = read_variable(STORE_VARIABLE)
    if not text:
        return None
    try:
        return read_store_url(text)
    except ValueError as error:
        raise OSError(f"{origin}: {error}") from None


@contextmanager
def requiring_driver() -> Iterator[None]:
    """Wrap the import of the PostgreSQL driver.

    Raises:
        OSError: it is not installed; says how to.
    """
    try:
        yield
    except ImportError:
        raise OSError(
            "PostgreSQL needs one more package: pip install 'crossroom[postgres]'"
        ) from None
