"""Checks what nodes share: the database, which a server alone may use as well, and the bus."""

import asyncio
from collections.abc import Iterator
from typing import Final

from crossroom_server.cli.checks.finding import Finding
from crossroom_server.config.settings import Settings
from crossroom_server.config.store_url import Database
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.open import open_dump

NAME: Final = "doctor"
"""How the bus calls us, for the people who run it."""
_MEND_DATABASE: Final = (
    "see that PostgreSQL runs there, takes connections from this machine (pg_hba.conf), and has "
    "this user and database; docs/host/storage.md"
)
_MEND_BUS: Final = "see that NATS runs there, and that its user and password are those in the URL"


def check_database(settings: Settings) -> Iterator[Finding]:
    """Check that the database can be reached, and has games of a format that is known."""
    place = settings.store
    if not isinstance(place, Database):
        return
    try:
        with open_dump(place):
            pass
    except Unavailable as error:
        if "nothing was ever stored" in str(error):
            yield Finding("database", "note", f"{place} is empty; the next start prepares it")
            return
        yield Finding("database", "problem", str(error), _MEND_DATABASE)
    except OSError as error:  # the driver
        yield Finding("database", "problem", str(error), "pip install 'crossroom[postgres]'")
    else:
        yield Finding("database", "ok", f"{place} lets us in")


def check_bus(settings: Settings) -> Iterator[Finding]:
    """Check that the bus lets us in."""
    if settings.bus is None:
        return
    if not isinstance(settings.store, Database):
        yield Finding(
            "bus",
            "problem",
            "nodes share a database, and none is named",
            "--store postgresql://USER@HOST/DATABASE",
        )
        return
    try:
        asyncio.run(_connect(settings.bus))
    except ImportError:
        return  # named among the packages
    except OSError as error:
        yield Finding("bus", "problem", str(error), _MEND_BUS)
    else:
        yield Finding("bus", "ok", "NATS lets us in")


async def _connect(url: str) -> None:
    from crossroom_server.cluster.nats_bus import NatsBus

    await (await NatsBus.connect(url, NAME)).close()
