"""Checks what is on the disk: who may read it, how much fits, what state the games are in."""

import json
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from crossroom_engine.core.units import DAY_S
from crossroom_server.cli.checks.finding import Finding
from crossroom_server.config.settings import COPIES, Settings
from crossroom_server.monitoring.process_stats import Storage, format_size
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.sqlite.file import MIGRATIONS, file_version, read_snapshot

LOW_BYTES: Final = 1_000_000_000
FULL_BYTES: Final = 50_000_000
"""Free space below which it should be watched, and below which a server is about to stop."""
OLD_COPY_S: Final = 8 * DAY_S
"""Age from which a copy is called old."""
_MOUNTS: Final = Path("/proc/self/mounts")
_PASSING: Final = ("tmpfs", "ramfs")
_FAR: Final = ("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "afs", "ceph")


def check_folder(settings: Settings) -> Iterator[Finding]:
    """Check who may read the data folder, and who owns it."""
    folder = settings.data
    if not settings.keep:
        yield Finding("data", "note", "nothing is kept (--forget); games end with the server")
        return
    if not folder.exists():
        yield Finding("data", "note", f"{folder} is not there yet; `crossroom serve` makes it")
        return
    if os.name == "posix":
        yield from _readers(folder)
        if (file := settings.games_file) is not None and file.exists():
            yield from _owner(file)
        if settings.key is not None and settings.key.exists() and _mode(settings.key) & 0o077:
            yield Finding(
                "key",
                "problem",
                f"others on this machine may read {settings.key}",
                f"chmod 600 {settings.key}",
            )


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _readers(folder: Path) -> Iterator[Finding]:
    if _mode(folder) & 0o077:
        yield Finding(
            "data",
            "problem",
            f"others on this machine may look into {folder}, where racks and codes are",
            f"chmod 700 {folder}",
        )
    elif not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield Finding(
            "data",
            "problem",
            f"you ({_user(os.geteuid())}) may not use {folder}, which is "
            f"{_user(folder.stat().st_uid)}'s",
            f"run this as {_user(folder.stat().st_uid)}, as the server should be run, too",
        )
    else:
        yield Finding("data", "ok", f"only {_user(folder.stat().st_uid)} may look into {folder}")


def _owner(file: Path) -> Iterator[Finding]:
    """A command that root ran may have left files that the server cannot write."""
    try:
        folder, own = file.parent.stat().st_uid, file.stat().st_uid
    except OSError:
        return
    if own != folder:
        yield Finding(
            "data",
            "problem",
            f"{file} is {_user(own)}'s, but its folder is {_user(folder)}'s: the server cannot "
            "write to it",
            f"chown {_user(folder)} {file}*",
        )


def _user(number: int) -> str:
    try:
        import pwd

        return pwd.getpwuid(number).pw_name
    except (ImportError, KeyError):
        return f"user {number}"


def check_disk(settings: Settings) -> Iterator[Finding]:
    """Check how much is free where the games are, and what kind of disk it is."""
    file = settings.games_file
    if file is None:
        return
    folder = _existing(file.parent)
    kind = _filesystem(folder)
    if kind in _PASSING:
        yield Finding(
            "disk",
            "problem",
            f"{folder} is in memory ({kind}): a restart of the machine loses all games",
            "choose another folder: --data",
        )
    elif kind == "overlay":
        yield Finding(
            "disk",
            "problem",
            f"{folder} is in the container itself, and goes with it at the next update",
            f"mount a volume there: docker run --volume games:{folder}",
        )
    elif kind in _FAR:
        yield Finding(
            "disk",
            "warning",
            f"{folder} is on a network disk ({kind}), where SQLite cannot rely on locks",
            "keep the games on a local disk: --data, or --store sqlite:PATH",
        )
    free = Storage(settings.data, folder / file.name).free_bytes()
    if free is None:
        return
    if free < LOW_BYTES:
        yield Finding(
            "disk",
            "problem" if free < FULL_BYTES else "warning",
            f"{format_size(free)} free in {folder}; when none is left, games wait",
            "make space; docs/host/storage.md says what takes it",
        )
    else:
        yield Finding("disk", "ok", f"{format_size(free)} free in {folder}")


def _existing(folder: Path) -> Path:
    """Return the nearest folder that is there."""
    folder = folder.absolute()
    while not folder.exists():
        folder = folder.parent
    return folder


def _filesystem(folder: Path) -> str:
    """Return the kind of file system of a folder; empty if the system does not tell."""
    found, longest = "", 0
    folder = folder.resolve()
    try:
        lines = _MOUNTS.read_text(errors="replace").splitlines()
    except OSError:
        return ""
    for line in lines:
        _, place, kind, *_ = line.split(" ")
        mounted = Path(place.replace("\\040", " "))
        # of two at the same place, the later one covers the other
        if folder.is_relative_to(mounted) and len(mounted.parts) >= longest:
            found, longest = kind, len(mounted.parts)
    return found


def check_store(settings: Settings) -> Iterator[Finding]:
    """Check the format of the stored games, and that there is a copy."""
    file = settings.games_file
    if file is None or not file.exists():
        return
    try:
        with read_snapshot(file) as db:
            version = file_version(db)
    except Unavailable as error:
        yield Finding(
            "games", "problem", str(error), "docs/host/upgrading.md, docs/host/storage.md"
        )
        return
    size = format_size(Storage(settings.data, file).store_bytes())
    if version < len(MIGRATIONS):
        yield Finding(
            "games",
            "note",
            f"{file}, {size}, in format {version}; the next start brings it to "
            f"{len(MIGRATIONS)}, after a copy",
        )
    else:
        yield Finding("games", "ok", f"{file}, {size}, in the newest format")
    yield _copies(Storage(settings.data, file))


def _copies(storage: Storage) -> Finding:
    mend = "let a timer make them: crossroom backup --every 1d --keep 14"
    newest, folder = storage.newest_copy(), storage.folder / COPIES
    if newest is None:
        return Finding(
            "copies", "note", f"there is none in {folder}; perhaps you keep them elsewhere", mend
        )
    made = datetime.fromtimestamp(newest, UTC)
    if datetime.now(UTC).timestamp() - newest > OLD_COPY_S:
        return Finding("copies", "warning", f"the newest is of {made:%Y-%m-%d}", mend)
    return Finding("copies", "ok", f"the newest is of {made:%Y-%m-%d %H:%M} UTC, in {folder}")


def newest_entry(settings: Settings) -> int | None:
    """Return when the newest entry was stored, in ms since 1970; None if there is none to read."""
    file = settings.games_file
    if file is None or not file.exists():
        return None
    try:
        with read_snapshot(file) as db:
            row = db.execute("SELECT entry FROM entries ORDER BY id DESC LIMIT 1").fetchone()
    except Unavailable:
        return None
    try:
        return None if row is None else int(json.loads(row[0])["at"])
    except (ValueError, KeyError, TypeError):  # damage is for `crossroom verify`
        return None
