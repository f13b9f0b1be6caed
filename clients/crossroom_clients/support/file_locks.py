"""Locks on files, which end with the process that holds them, however it ends."""

import sys
from contextlib import suppress
from typing import IO

if sys.platform == "win32":

    def lock(file: IO[str]) -> bool:
        """Lock an open file until it is closed; False if another has done so."""
        import msvcrt

        with suppress(OSError):
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            return True
        return False

else:

    def lock(file: IO[str]) -> bool:
        """Lock an open file until it is closed; False if another has done so."""
        import fcntl

        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        return False
