"""Word lists: which words there are, and the automaton that finds plays."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final, Self

from crossroom_engine.core.coordinates import MAX_BOARD_SIDE
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.tiles import BLANK, Tile, TileKind, Tiles, TileSet, spell, unspell
from crossroom_engine.words import dawg

MAX_WORD_LENGTH: Final = MAX_BOARD_SIDE
"""Most letters (tiles) of a word."""


def split_word(word: str, tiles: TileSet) -> Tiles | None:
    """Take a word apart into tiles; None if it cannot be spelt.

    With a bracket in it the word is in tile notation, ``"[CH]ICO"``, and read to the letter;
    without one, the longest tiles come first, so ``"CHICO"`` is the same word.
    """
    if "[" not in word:
        return tiles.split(word)
    spelt = unspell(word)
    return spelt if all(tile in tiles and tile != BLANK for tile in spelt) else None


class Lexicon:
    """A list of words: ``"QUIZ" in lexicon``, ``len(lexicon)``, ``for word in lexicon``.

    Words are read in capitals and in tile notation (:func:`split_word`); iteration yields tile
    notation in the order of the alphabet. Safe to share between threads.

    Attributes:
        name: The name of its file without the ending.
        path: Its file; None if it is only in memory.
        digest: SHA-256 in hex of the words in tile notation, sorted by code point, each ended by a
            line feed. Lists of the same digest hold the same words, in whatever file.
        info: Facts from the builder: description, source, licence …
        letters: The alphabet, in the order of the bits in the masks.
        child_masks, accept_masks, bases, children: The automaton, see
            :mod:`crossroom_engine.words.dawg`. Views of the file, valid until :meth:`close`.
    """

    def __init__(self, name: str, data: bytes | mmap) -> None:
        """Read a list that :func:`crossroom_engine.words.build.build_lexicon` made.

        Raises:
            BadText: these are not, or no longer, the bytes of a word list.
        """
        self.name = name
        self.path: Path | None = None
        self._data = data
        try:
            self._words, head, columns = dawg.unpack(data)
            self.letters: tuple[Tile, ...] = tuple(head["letters"])
            self._tiles = TileSet(name, tuple(TileKind(tile, 0, 0) for tile in self.letters))
            self.digest, self.info = _digest(head), _info(head)
        except BadText as error:
            raise BadText(f"cannot read the word list {name!r}: {error}") from None
        self.child_masks, self.accept_masks, self.bases, self.children = columns

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Map a file into memory; it takes no memory of its own, whatever its size.

        Raises:
            BadText: the file is no word list, or damaged.
            OSError: it cannot be opened.
        """
        path = Path(path)
        with path.open("rb") as file:
            empty = not file.read(1)
            data = b"" if empty else mmap(file.fileno(), 0, access=ACCESS_READ)
        lexicon = cls(path.stem, data)
        lexicon.path = path
        return lexicon

    @classmethod
    def from_words(cls, name: str, words: Iterable[str], tiles: TileSet) -> Self:
        """Make a list in memory of words in capitals, in any order, some perhaps twice.

        Raises:
            BadText: a word cannot be spelt in these tiles, or has not 1 to 21 letters.
        """
        spelt = []
        for word in words:
            squares = split_word(word, tiles)
            if squares is None or not 1 <= len(squares) <= MAX_WORD_LENGTH:
                raise BadText(
                    f"{word!r} is no word of 1 to {MAX_WORD_LENGTH} letters of {tiles.name!r}"
                )
            spelt.append(squares)
        return cls(name, pack_words(spelt, tiles.letters, {}))

    @cached_property
    def _bits(self) -> dict[Tile, int]:
        return {tile: 1 << place for place, tile in enumerate(self.letters)}

    @cached_property
    def _is_single(self) -> bool:
        return all(len(tile) == 1 for tile in self.letters)

    def __len__(self) -> int:
        return self._words

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str):
            return False
        if self._is_single and "[" not in word:
            return self.accepts(word)  # its characters are its tiles
        spelt = split_word(word, self._tiles)
        return spelt is not None and self.accepts(spelt)

    def accepts(self, tiles: Sequence[Tile]) -> bool:
        """Return whether these tiles, in this order, are a word.

        Unlike ``in`` this never joins tiles: where CH is a tile, C and H side by side are not one.
        """
        if not tiles:
            return False
        state = 0
        for tile in tiles[:-1]:
            bit = self._bits.get(tile, 0)
            mask = self.child_masks[state]
            if not mask & bit:
                return False
            state = self.children[self.bases[state] + (mask & (bit - 1)).bit_count()]
        return bool(self.accept_masks[state] & self._bits.get(tiles[-1], 0))

    def phonies(self, words: Iterable[str]) -> tuple[str, ...]:
        """Return those of *words*, in tile notation, that are not in the list; joins no tiles."""
        return tuple(word for word in words if not self.accepts(unspell(word)))

    def __iter__(self) -> Iterator[str]:
        written = [spell([tile]) for tile in self.letters]
        ahead: list[tuple[str, int, bool, int | None]] = [("", 0, False, 0)]
        while ahead:
            beginning, length, is_word, state = ahead.pop()
            if is_word:
                yield beginning
            if state is not None:
                steps = self._steps(state)
                if length >= MAX_WORD_LENGTH or (length and not steps):
                    raise BadText(f"the word list {self.name!r} leads nowhere; build it again")
                for letter, completes, after in reversed(steps):
                    ahead.append((beginning + written[letter], length + 1, completes, after))

    def _steps(self, state: int) -> list[tuple[int, bool, int | None]]:
        """Return each letter that may follow: index, whether it ends a word, next state if any."""
        children, accept = self.child_masks[state], self.accept_masks[state]
        place = self.bases[state]
        steps: list[tuple[int, bool, int | None]] = []
        rest = children | accept
        while rest:
            bit = rest & -rest
            rest ^= bit
            to = None
            if children & bit:
                to = self.children[place]
                place += 1
            steps.append((bit.bit_length() - 1, bool(accept & bit), to))
        return steps

    def verify(self) -> None:
        """Read every word, and compare with what the file says of itself; takes about a second.

        Raises:
            BadText: the words are not those of the digest.
        """
        words = list(islice(self, len(self) + 1))
        if (len(words), _digest_of(words)) != (len(self), self.digest):
            raise BadText(f"the word list {self.name!r} has not the words it says; build it again")

    def close(self) -> None:
        """Close the file, once nobody holds one of the columns any more."""
        with suppress(BufferError):
            for column in (self.child_masks, self.accept_masks, self.bases, self.children):
                column.release()
            if isinstance(self._data, mmap):
                self._data.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Lexicon {self.name}: {len(self)} words, {self.digest[:12]}>"


def pack_words(words: Iterable[Tiles], letters: Sequence[Tile], info: Mapping[str, str]) -> bytes:
    """Make the bytes of a list from words in any order, some perhaps twice.

    Args:
        words: 1 to 21 of the *letters* each.
        letters: The alphabet, 1 to 62 tiles.
        info: Facts for people about the list.
    """
    place = {tile: number for number, tile in enumerate(letters)}
    spelt = {bytes([place[tile] for tile in word]): spell(word) for word in words}
    head = {"digest": _digest_of(spelt.values()), "info": dict(info)}
    return dawg.pack(sorted(spelt), letters, head)


def _digest_of(words: Iterable[str]) -> str:
    from hashlib import sha256  # who plays with a list that is there does without

    return sha256("".join(f"{word}\n" for word in sorted(words)).encode()).hexdigest()


def _digest(head: Mapping[str, object]) -> str:
    digest = head.get("digest")
    if not (isinstance(digest, str) and re.fullmatch("[0-9a-f]{64}", digest)):
        raise BadText("it has no digest; build it again")
    return digest


def _info(head: Mapping[str, object]) -> dict[str, str]:
    info = head.get("info")
    if not (isinstance(info, dict) and all(isinstance(text, str) for text in info.values())):
        raise BadText("its description cannot be read; build it again")
    return info
