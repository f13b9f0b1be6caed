"""What a power cut may leave of files: all that was synced, and any part of what was not.

After kill -9 alone the system still has every write; a store that never syncs would pass. So the
server runs with ``cut.c`` preloaded, which keeps a journal of its writes and syncs.
"""

import os
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

COMPILER: Final = shutil.which("cc")
CAN_CUT: Final = sys.platform == "linux" and sys.maxsize > 1 << 32 and COMPILER is not None

SECTOR: Final = 512
"""Bytes that a disk writes whole."""

_RECORD: Final = struct.Struct("=2I4Q")
_WRITE, _TRUNCATE, _SYNC = 1, 2, 3


class Change(NamedTuple):
    """A write to a file, or a new size for it, and what was there before."""

    kind: int
    offset: int
    length: int
    size: int
    old: bytes


@dataclass(frozen=True)
class PowerCut:
    """The journal of one server after the other.

    Args:
        folder: For the library and the journal.
    """

    folder: Path

    @property
    def journal(self) -> Path:
        """What the library writes."""
        return self.folder / "journal"

    def environment(self) -> dict[str, str]:
        """Compile the library; returns what a server's environment needs to load it."""
        library = self.folder / "cut.so"
        source = Path(__file__).with_name("cut.c")
        command = [str(COMPILER), "-O1", "-Wall", "-Werror", "-shared", "-fPIC"]
        subprocess.run([*command, str(source), "-o", str(library)], check=True)
        return {"LD_PRELOAD": str(library), "CROSSROOM_CUT": str(self.journal)}

    def forget(self) -> None:
        """Begin a new journal: everything is on the disk."""
        self.journal.unlink(missing_ok=True)

    def cut(self, dice: Random) -> int:
        """Undo, of what was never synced, what *dice* say; returns how many writes that hit."""
        return sum(_cut(path, changes, dice) for path, changes in self._unsynced().items())

    def _unsynced(self) -> dict[Path, list[Change]]:
        pending: dict[Path, list[Change]] = {}
        text = self.journal.read_bytes() if self.journal.exists() else b""
        at = 0
        while at + _RECORD.size <= len(text):
            kind, named, offset, length, size, old = _RECORD.unpack_from(text, at)
            at += _RECORD.size
            if at + named + old > len(text):
                break  # killed while it wrote this; nothing was done yet
            path = Path(os.fsdecode(text[at : at + named]))
            at += named
            if kind == _SYNC:
                pending.pop(path, None)
            else:
                change = Change(kind, offset, length, size, text[at : at + old])
                pending.setdefault(path, []).append(change)
            at += old
        return pending


def _cut(path: Path, changes: list[Change], dice: Random) -> int:
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        new = [_undo(file.fileno(), change) for change in reversed(changes)][::-1]
        kept = _choose(len(changes), dice)
        for change, text, fate in zip(changes, new, kept, strict=True):
            _redo(file.fileno(), change, text, fate, dice)
    return sum(fate != "kept" for fate in kept)


def _choose(count: int, dice: Random) -> list[str]:
    """What becomes of so many writes: the last ones are lost, or any of them."""
    if dice.random() < 0.5:
        first = dice.randint(0, count)
        return [*["kept"] * first, *["torn"] * (first < count), *["lost"] * (count - first - 1)]
    return dice.choices(["kept", "torn", "lost"], k=count)


def _undo(fd: int, change: Change) -> bytes:
    """Let the file be what it was before; returns what the change had written."""
    new = os.pread(fd, change.length, change.offset) if change.kind == _WRITE else b""
    os.pwrite(fd, change.old, change.offset)
    os.ftruncate(fd, change.size)
    return new


def _redo(fd: int, change: Change, new: bytes, fate: str, dice: Random) -> None:
    if fate == "lost":
        return
    if change.kind == _TRUNCATE:
        os.ftruncate(fd, change.offset)
        return
    # a torn write: some sectors of it, where the disk's sectors are
    cuts = range(-(change.offset % SECTOR), len(new), SECTOR)
    for start in cuts:
        if fate == "kept" or dice.random() < 0.5:
            part = new[max(0, start) : start + SECTOR]
            os.pwrite(fd, part, change.offset + max(0, start))
