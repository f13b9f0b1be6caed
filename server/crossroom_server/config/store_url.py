"""Where a store is, as people write it: ``sqlite:PATH``, a path alone, or ``postgresql://...``."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import parse_qs, urlsplit

from crossroom_protocol.cli.flags import read_variable

STORE_VARIABLE: Final = "CROSSROOM_STORE"
"""The environment variable that names the store where no flag does."""

_EXAMPLES: Final = "sqlite:PATH or postgresql://USER@HOST/DATABASE"


@dataclass(frozen=True)
class Database:
    """A database of PostgreSQL; as text it has neither password nor parameters.

    Args:
        url: As libpq reads it. What it leaves out, the variables PGHOST, PGPASSFILE and so on say.
    """

    url: str = field(repr=False)

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"

    @property
    def has_password(self) -> bool:
        """Does the URL tell a password?"""
        parts = urlsplit(self.url)
        return bool(parts.password) or "password" in parse_qs(parts.query)


StoreUrl: TypeAlias = Path | Database


def read_store_url(text: str) -> StoreUrl:
    """Read the name of a store.

    Raises:
        ValueError: it is none; the text says so without repeating it, for it may hold a password.
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
    """Read the name of a store from a command line.

    Raises:
        ValueError: it is none, or it tells a password.
    """
    place = read_store_url(text)
    if isinstance(place, Database) and place.has_password:
        raise ValueError(
            "everybody on this machine can read the password in a command line; put it into a "
            f"password file (PGPASSFILE), or the whole address into the variable {STORE_VARIABLE}"
        )
    return place


def store_url_in_environment() -> StoreUrl | None:
    """The store that the environment names, or a file that it names; None: neither does.

    Raises:
        OSError: it names something else.
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
    """Within it, what speaks to PostgreSQL is imported.

    Raises:
        OSError: the driver is not installed.
    """
    try:
        yield
    except ImportError:
        raise OSError(
            "PostgreSQL needs one more package: pip install 'crossroom[postgres]'"
        ) from None
