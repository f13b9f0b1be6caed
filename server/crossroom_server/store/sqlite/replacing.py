"""Writes a file whole or not at all, and keeps a store as it was before its format changes."""

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkstemp

from crossroom_server.config.settings import COPIES
from crossroom_server.store.contract import Unavailable

log = logging.getLogger(__name__)


def keep_former(db: sqlite3.Connection, path: Path, version: int) -> Path:
    """Copy a store whose format is about to change into the folder of copies beside it.

    Who wants to go back to the release that wrote it restores this copy.

    Args:
        db: A connection to the store; nobody else writes to it.
        path: Its file.
        version: Its format.

    Returns:
        The copy.

    Raises:
        Unavailable: there is no space for it, or its folder cannot be written to.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    kept = path.parent / COPIES / f"{path.stem}-format{version}-{stamp}{path.suffix}"
    try:
        kept.parent.mkdir(mode=0o700, exist_ok=True)
        give(kept.parent, path)
        with replacing(kept) as copy, closing(sqlite3.connect(copy)) as into:
            db.backup(into)
            into.execute("PRAGMA journal_mode = DELETE")  # one file, whoever carries it away
    except (OSError, sqlite3.OperationalError) as error:
        raise Unavailable(
            "its format is an older one, and before it is brought to the newest a copy is made, "
            f"which failed: {error}; make space for it in {kept.parent}"
        ) from error
    give(kept, path)
    log.info("the format of %s changes; as it was, it is kept as %s", path, kept)
    return kept


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Make a new file that replaces *target* at the end, or leaves no trace."""
    handle, name = mkstemp(prefix=f".{target.name}-", dir=target.parent)
    os.close(handle)
    copy = Path(name)
    try:
        yield copy
        sync(copy)
        copy.replace(target)
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            Path(name + ending).unlink(missing_ok=True)
    sync(target.parent)


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk."""
    if path.is_dir() and os.name == "nt":
        return  # folders cannot be opened there
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def give(path: Path, owner: Path) -> None:
    """Give *path* the owner of *owner*: root may restore what another user serves."""
    if os.name == "posix" and os.geteuid() == 0:
        found = owner.stat()
        os.chown(path, found.st_uid, found.st_gid)
