"""Dice of a sealed game: a secret seed decides every draw, so each can be repeated.

RULES 9.2 defines them to the bit, so a game can be checked without this module. They have no state
between two draws: the seed and the number of the draw are all that counts.
"""

import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from struct import unpack
from typing import Final, Protocol, TypeVar

T = TypeVar("T")

_RANGE: Final = 1 << 32


class Chance(Protocol):
    """A source of draws: the :class:`Dice` of a sealed game, or any :class:`random.Random`."""

    def sample(self, population: Sequence[T], k: int, /) -> list[T]:
        """Draw *k* different places of *population*, in the order drawn."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Draw one."""


class Dice:
    """Uniform numbers that follow from a seed and a name, the same on every machine.

    Args:
        seed: The seed of the game, 64 hexadecimal digits.
        name: The name of the draw, in ASCII, such as ``"draw 0"``; each has its own numbers.

    Raises:
        ValueError: the seed is not hexadecimal.
    """

    def __init__(self, seed: str, name: str) -> None:
        self._key, self._name = bytes.fromhex(seed), name
        self._numbers = self._stream()

    def below(self, limit: int) -> int:
        """Return a number from 0 to *limit* - 1, all equally likely; *limit* is 1 to 2**32.

        Examples:
            >>> dice = Dice("00" * 32, "draw 0")
            >>> [dice.below(100) for _ in range(7)]
            [11, 19, 55, 7, 63, 72, 50]
        """
        fair = _RANGE - _RANGE % limit  # above it, low remainders would have one chance more
        return next(number for number in self._numbers if number < fair) % limit

    def sample(self, population: Sequence[T], k: int, /) -> list[T]:
        """Draw *k* of *population* one after the other; those behind each move up.

        Raises:
            ValueError: there are not so many.
        """
        left = list(population)
        if not 0 <= k <= len(left):
            raise ValueError(f"{k} of {len(left)}")
        return [left.pop(self.below(len(left))) for _ in range(k)]

    def choice(self, seq: Sequence[T], /) -> T:
        """Draw one of *seq*, which is not empty."""
        return seq[self.below(len(seq))]

    def _stream(self) -> Iterator[int]:
        for block in count():
            message = f"crossroom 1 {self._name} {block}".encode("ascii")
            yield from unpack(">8I", hmac.digest(self._key, message, "sha256"))
