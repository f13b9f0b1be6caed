"""The file of a word list: a minimal acyclic automaton (DAWG) as four columns of numbers.

A state is a place within a word; state 0 is before the first letter. For state *s* and letter *l*
(0-based, bit ``1 << l``): ``accept_masks[s]`` has the bit if *l* completes a word there, and
``child_masks[s]`` has it if letters may follow. The next state is then::

    children[bases[s] + (child_masks[s] & ((1 << l) - 1)).bit_count()]

Equal endings are one state. States are found by the incremental algorithm for sorted input of
Daciuk, Mihov, Watson and Watson (2000).

The file, little-endian: the eight bytes :data:`MAGIC`; the CRC-32 of all that follows; the numbers
of words, states and children, and the bytes of the head (4 bytes each, as is the CRC); the head,
JSON in UTF-8, padded with spaces to a multiple of 8; then the columns in the order of
:class:`DawgColumns`. Masks have 4 bytes for up to 32 letters, else 8; the other numbers 4. As many
zeros as there are letters follow the last child, so no mask can point past the end.
"""

import json
import struct
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, pairwise
from mmap import mmap
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from crossroom_engine.core.errors import BadText
from crossroom_engine.core.tiles import BLANK, Tile

MAGIC: Final = b"CROSSLX1"
MAX_LETTERS: Final = 62
"""Letters of the largest alphabet."""

_Code: TypeAlias = Literal["I", "Q"]

_FIXED: Final = struct.Struct("<8s5I")
_CHECKED_FROM: Final = 12
"""Offset of the first byte that the CRC covers."""


class DawgColumns(NamedTuple):
    """The automaton, a view of each column of numbers; see the module."""

    child_masks: memoryview
    accept_masks: memoryview
    bases: memoryview
    children: memoryview


class UnpackedDawg(NamedTuple):
    """A file as read: the number of words, the head, and views of the columns, nothing copied."""

    words: int
    head: Mapping[str, Any]
    columns: DawgColumns


def pack(words: Sequence[bytes], letters: Sequence[Tile], head: Mapping[str, Any]) -> bytes:
    """Write a file. Equal arguments give equal bytes.

    Args:
        words: The 0-based letters of each word, a byte each; sorted, none empty, none twice.
        letters: The alphabet, 1 to 62 tiles, in the order of the bits.
        head: Other data to keep as JSON; the letters are added to it.
    """
    columns = _columns(_states(words), padding=len(letters))
    codes = _codes(len(letters))
    body = b"".join(array(code, n).tobytes() for code, n in zip(codes, columns, strict=True))
    text = json.dumps({**head, "letters": letters}, ensure_ascii=False, sort_keys=True).encode()
    text += b" " * (-(len(text) + _FIXED.size) % 8)
    counts = (len(words), len(columns[0]), len(columns[-1]), len(text))
    checked = struct.pack("<4I", *counts) + text + body
    return MAGIC + struct.pack("<I", zlib.crc32(checked)) + checked


def unpack(data: bytes | mmap) -> UnpackedDawg:
    """Read a file without copying it; no letter of the alphabet leads out of the columns then.

    Raises:
        BadText: these are not, or no longer, the bytes of a word list.
    """
    view = memoryview(data)
    if len(view) < _FIXED.size or bytes(view[:8]) != MAGIC:
        raise BadText("it is no word list; build one with `crossroom lexicon build`")
    _, crc, words, states, children, head_size = _FIXED.unpack_from(view)
    if zlib.crc32(view[_CHECKED_FROM:]) != crc:
        raise BadText("it is damaged; build or copy it again")
    start = _FIXED.size + head_size
    head = _head(view[_FIXED.size : start])
    codes = _codes(len(head["letters"]))
    counts = (states, states, states, children)
    sizes = [struct.calcsize(code) * n for code, n in zip(codes, counts, strict=True)]
    edges = list(accumulate(sizes, initial=start))
    if edges[-1] == len(view):
        cut = zip(codes, pairwise(edges), strict=True)
        columns = DawgColumns(*(view[begin:end].cast(code) for code, (begin, end) in cut))
        if _is_bounded(columns, len(head["letters"])):
            return UnpackedDawg(words, head, columns)
    raise BadText("its numbers contradict each other; build it again")


def _is_bounded(columns: DawgColumns, letters: int) -> bool:
    """Return whether all masks, bases and children stay within the alphabet and the columns."""
    child_masks, accept_masks, bases, children = columns
    return (
        len(bases) > 0
        and _is_in_alphabet(child_masks, letters)
        and _is_in_alphabet(accept_masks, letters)
        and max(bases) <= len(children) - letters
        and max(children) < len(bases)
    )


def _is_in_alphabet(masks: memoryview, letters: int) -> bool:
    """Return whether no mask has a bit beyond the alphabet.

    Byte by byte that takes a tenth of the time of finding the largest mask.
    """
    octets = masks.tobytes()
    return not any(
        octets[place :: masks.itemsize].translate(
            None, bytes(range(1 << max(0, letters - 8 * place)))
        )
        for place in range(letters // 8, masks.itemsize)
    )


def _codes(letters: int) -> tuple[_Code, _Code, _Code, _Code]:
    """Return the :mod:`struct` code of the numbers of each column."""
    if sys.byteorder != "little":
        raise BadText("word lists cannot be used on a machine with big-endian numbers")
    mask: _Code = "I" if letters <= 32 else "Q"
    return mask, mask, "I", "I"


def _head(text: memoryview) -> dict[str, Any]:
    try:
        head = json.loads(bytes(text))
    except (ValueError, RecursionError):
        head = None
    letters = head.get("letters") if isinstance(head, dict) else None
    if not (
        isinstance(letters, list)
        and 1 <= len(letters) <= MAX_LETTERS
        and all(isinstance(letter, str) and letter not in ("", BLANK) for letter in letters)
    ):
        raise BadText("its head cannot be read; build it again")
    return {**head, "letters": letters}


def _states(words: Iterable[bytes]) -> list[tuple[int, ...]]:
    """Return the minimal automaton's states, each (child mask, accept mask, child, …), root last.

    Children are indexes of the list, and come before their parents.
    """
    known: dict[tuple[int, ...], int] = {}
    path = [[0, 0]]
    last = b""

    def close(depth: int) -> None:
        while len(path) - 1 > depth:
            place = known.setdefault(tuple(path.pop()), len(known))
            path[-1][0] |= 1 << last[len(path) - 1]
            path[-1].append(place)

    for word in words:
        shared = 0
        for one, other in zip(word, last, strict=False):
            if one != other:
                break
            shared += 1
        close(shared)
        path.extend([0, 0] for _ in word[len(path) - 1 : -1])
        path[-1][1] |= 1 << word[-1]
        last = word
    close(0)
    return [*known, tuple(path[0])]


def _columns(states: Sequence[tuple[int, ...]], padding: int) -> tuple[list[int], ...]:
    """Number the states from the root on, so that every child comes after its parents."""
    columns: tuple[list[int], ...] = ([], [], [], [])
    child_masks, accept_masks, bases, children = columns
    for child_mask, accept_mask, *kids in reversed(states):
        child_masks.append(child_mask)
        accept_masks.append(accept_mask)
        bases.append(len(children))
        children.extend(len(states) - 1 - kid for kid in kids)
    children.extend([0] * padding)
    return columns
