"""Backs up the file of a store while a server writes to it, and restores it.

A copy, and only a copy, also holds the addresses that the host has banned.
"""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from crossroom_server.identity.banlist import BANS_FILE, BanList
from crossroom_server.store.audit import OnProgress, audit
from crossroom_server.store.contract import Damaged, Unavailable
from crossroom_server.store.sqlite.file import (
    connect,
    file_lock,
    naming_errors,
    read_snapshot,
    to_unavailable,
)
from crossroom_server.store.sqlite.replacing import give, replacing, sync
from crossroom_server.store.sqlite.table_dump import SqliteDump

_PAGES: Final = 256
"""Pages copied between two looks for an interrupt."""


def back_up(source: Path, target: Path, on_progress: OnProgress) -> None:
    """Copy the store *source*, as it is at this moment, to *target*: all of it, or nothing.

    A server may go on writing. The copy is one file; it replaces an older copy of that name at once
    when it is complete and sound.

    Args:
        source: The file of a store.
        target: The file of the copy; not a store in use.
        on_progress: Called with bytes.

    Raises:
        Unavailable: or a subclass; *target* is as it was.
    """
    source, target = source.resolve(), target.resolve()
    with naming_errors(target):
        if not target.parent.is_dir():
            raise Unavailable("its folder does not exist")
        if _beside(target, "-lock").exists():
            raise Unavailable("a server keeps its games there; `crossroom restore` replaces them")
        if target.exists():
            with read_snapshot(target):  # what is no copy of a store is not ours to replace
                pass
        with replacing(target) as copy:
            _copy(source, copy, on_progress)
            _pack_bans(source.parent, copy)


def restore(source: Path, target: Path, on_progress: OnProgress) -> Path | None:
    """Put the copy *source* in the place of the store *target*: all of it, or nothing.

    Every entry is checked first. The bans in the copy replace those of the server; a copy without
    any table of bans leaves them as they are.

    Args:
        source: A copy of a store.
        target: The file of a store that no server has open, or of one to be.
        on_progress: Called with entries that were checked.

    Returns:
        The new path of the file that was at *target*; None if there was none.

    Raises:
        Unavailable: or a subclass; *target* is as it was.
    """
    source, target = source.resolve(), target.resolve()
    if source == target:
        raise Unavailable(f"{target}: this is where the games are; name a copy of them")
    with read_snapshot(source) as db:
        if damages := audit(SqliteDump(db), on_progress).damages:
            raise Damaged(f"{source}: {damages[0]}; `crossroom verify` names all that is wrong")
    with naming_errors(target), file_lock(target), replacing(target) as copy:
        _copy(source, copy, lambda *_: None)
        owner = target if target.exists() else target.parent
        _unpack_bans(copy, target.parent, owner)
        for path in (copy, _beside(target, "-lock")):
            give(path, owner)
        return _set_aside(target)


def _copy(source: Path, copy: Path, on_progress: OnProgress) -> None:
    with read_snapshot(source) as db, closing(connect(copy)) as into:
        (size,) = db.execute("PRAGMA page_size").fetchone()
        try:
            db.backup(
                into,
                pages=_PAGES,
                progress=lambda _, left, total: on_progress((total - left) * size, total * size),
            )
            into.execute("PRAGMA journal_mode = DELETE")  # one file, whoever carries it away
        except sqlite3.Error as error:
            with naming_errors(
                source if isinstance(to_unavailable(error), Damaged) else copy.parent
            ):
                raise
        if into.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise Damaged("the file is damaged; `crossroom verify` names all that is wrong")


def _pack_bans(folder: Path, copy: Path) -> None:
    """Copy the bans of the server into the copy."""
    bans = BanList(folder / BANS_FILE)
    with closing(connect(copy)) as db:
        db.execute("BEGIN")
        db.execute("CREATE TABLE IF NOT EXISTS bans (network TEXT PRIMARY KEY NOT NULL)")
        db.execute("DELETE FROM bans")
        db.executemany("INSERT INTO bans VALUES (?)", [(network,) for network in bans])
        db.execute("COMMIT")


def _unpack_bans(copy: Path, folder: Path, owner: Path) -> None:
    """Move the bans out of the copy to the folder of the store."""
    with closing(connect(copy)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'bans'").fetchone():
            return
        networks = [network for (network,) in db.execute("SELECT network FROM bans")]
        db.execute("DROP TABLE bans")
    path = folder / BANS_FILE
    if networks or path.exists():
        BanList(path).replace_all(networks)
        give(path, owner)


def _set_aside(target: Path) -> Path | None:
    """Give the file a second name, which it keeps when another takes its place."""
    if not target.exists():
        return None
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    aside = target.with_name(f"{target.stem}-{stamp}{target.suffix}")
    wal = _beside(target, "-wal")
    if wal.exists():  # after a crash: the newest entries are in it, and it goes by the name
        shutil.copy2(wal, _beside(aside, "-wal"))
        sync(_beside(aside, "-wal"))
    try:
        os.link(target, aside)
    except OSError:  # a disk without second names
        shutil.copy2(target, aside)
        sync(aside)
    for ending in ("-wal", "-shm"):  # they would be taken for those of the new file
        _beside(target, ending).unlink(missing_ok=True)
    return aside


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)
