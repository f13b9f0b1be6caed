"""Masks words listed by the host in talk, and refuses them in names.

No list comes with the server. What offends differs with language and company, and a list that is
wrong for a table is worse than none; the host writes one down.
"""

import re
from pathlib import Path
from typing import Final, Self

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.base import Command
from crossroom_server.identity.confusables import skeleton

_WORD: Final = re.compile(r"\w+")


class WordFilter:
    """Covers words in what people say, however they are spelt with look-alikes.

    Args:
        words: As they stand in a file, one a line: a word, or with ``*`` at its end all words that
            begin so. ``#`` begins a comment.
    """

    def __init__(self, words: str = "") -> None:
        lines = (line.partition("#")[0].strip() for line in words.splitlines())
        listed = [line for line in lines if line]
        self._words = {skeleton(word) for word in listed if not word.endswith("*")}
        self._beginnings = tuple(
            found for word in listed if word.endswith("*") and (found := skeleton(word[:-1]))
        )

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the words in a file.

        Raises:
            OSError: it cannot be read, or is not UTF-8.
        """
        try:
            return cls(path.read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            raise OSError(f"{path} is not UTF-8 text; write one word a line") from None

    def censor(self, text: str) -> str:
        """Return *text* with a star for each letter of a listed word."""
        if not (self._words or self._beginnings):
            return text
        return _WORD.sub(lambda found: self._censor_word(found[0]), text)

    def filtered(self, command: Command, field: str) -> Command:
        """Return *command* with the text in its *field* censored."""
        text = getattr(command, field)
        covered = self.censor(text)
        return command if covered == text else command.model_copy(update={field: covered})

    def check_name(self, name: str) -> None:
        """Check that a name holds no listed word.

        Raises:
            Refusal: ``BAD_NAME``, it does.
        """
        if any(self._is_listed(part) for part in [name, *re.split(r"[-_0-9]+", name)]):
            raise Refusal("BAD_NAME", "that name is not allowed here; choose another")

    def _censor_word(self, word: str) -> str:
        return "*" * len(word) if self._is_listed(word) else word

    def _is_listed(self, word: str) -> bool:
        found = skeleton(word)
        return found in self._words or found.startswith(self._beginnings)
