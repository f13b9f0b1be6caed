"""Save the record of a game as a file, over no other."""

from itertools import count
from pathlib import Path


def save_record(folder: Path, name: str, text: str) -> Path:
    """Write *text* to a file of that *name*, or one like it, and return its path.

    A file that holds this text already is as good as a new one.

    Raises:
        OSError: no file can be written there.
    """
    wanted = folder / name
    for number in count(2):
        try:
            with wanted.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except FileExistsError:
            if wanted.is_file() and wanted.read_bytes() == text.encode():
                return wanted
            wanted = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
        else:
            return wanted
    raise AssertionError("the numbers do not end")
