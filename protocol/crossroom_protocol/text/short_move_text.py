"""Tell a move in short lines, for who reads it in a terminal of 80 columns.

What follows from it for one reader alone, as the tiles drawn, is in the lines that come after it
(``=`` and ``?``). Whoever listens gets the sentence of
:mod:`crossroom_protocol.text.move_text` instead.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from crossroom_engine.core.events import (
    Adjourned,
    Drew,
    Ended,
    Event,
    LastWordAwaited,
    Played,
    Started,
)
from crossroom_engine.game.views import View
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_tiles, main_word, strip_brackets
from crossroom_protocol.events.room import Moved
from crossroom_protocol.text.move_text import SEAL_DIGITS, MoveText
from crossroom_protocol.text.rules_text import rules_summary
from crossroom_protocol.text.status_text import result_text, scores_text, to_move_text

COLUMNS: Final = 78
"""Characters of a line with its mark: two less than a terminal has that nobody has resized."""


def short_move_line(number: int, moved: Moved, game: View) -> str:
    """Return entry *number* of the log as one line, for who wraps lines by themselves."""
    return f"#{number} " + "; ".join(
        clause for clauses in _lines(moved, game) for clause in clauses if clause
    )


def short_move_lines(number: int, moved: Moved, game: View) -> Iterator[str]:
    """Yield the lines of entry *number* of the log; *game* is as it was right after the move.

    The first begins with ``#number``, the others are indented. Clauses are never broken.
    """
    front = f"#{number} "
    for clauses in _lines(moved, game):
        for line in _packed(clauses, COLUMNS - len("* ") - len(front)):
            yield front + line
            front = "  "


def _lines(moved: Moved, game: View) -> Iterator[list[str]]:
    return _ShortMoveText(moved, game, False, frozenset(map(type, moved.events))).lines()


def _packed(clauses: Iterable[str], width: int) -> Iterator[str]:
    """Yield lines of as many clauses as fit into *width* characters, and one at least."""
    line = ""
    for clause in filter(None, clauses):
        if line and len(line) + len("; ") + len(clause) > width:
            yield line
            line = clause
        else:
            line = f"{line}; {clause}" if line else clause
    if line:
        yield line


class _ShortMoveText(MoveText):
    """A move in clauses that are as short as those of a score sheet."""

    def lines(self) -> Iterator[list[str]]:
        """Yield the clauses of one line after the other."""
        ended = next(self.of_kind(Ended), None)
        yield self.clauses() + ([] if ended else self.standing())
        for started in self.of_kind(Started):
            if started.seal:
                yield [gettext("bag sealed: sha256 {seal}...", seal=started.seal[:SEAL_DIGITS])]
        if ended is not None:
            yield from self._end(ended)

    def clause(self, event: Event) -> str:
        match event:
            case Started(rules=rules, lexicon=lexicon):
                begun = gettext("game {game} begins: ", game=self.moved.game)
                return begun + rules_summary(rules, lexicon)
            case Drew():
                return ""  # the rack comes in a line of its own
            case Played():
                return self._short_play(event)
            case _:
                return super().clause(event)

    def _short_play(self, play: Played) -> str:
        """Tell a play: ``bob 3I IRO (IO, RO) +11 → 11``."""
        player = self.game.players[play.seat]
        crossing = ", ".join(strip_brackets(play.words[1:]))
        told = f"{player.name} {play.spot} {main_word(play)}"
        told += f" ({crossing})" if crossing else ""
        told += f" +{play.points} → {player.score}"
        if player.tiles == sum(len(draw.tiles) for draw in self.of_kind(Drew)):
            told += gettext(", bingo") if len(play.laid) > 1 else gettext(", the last tile")
        for swap in play.swapped:
            told += gettext(
                ", swapping {faces} for the blank on {square}",
                faces=format_tiles([swap.letter.letter]),
                square=swap.square,
            )
        return told

    def standing(self) -> list[str]:
        game = self.game
        if self.has(Started):
            return [gettext("{to_move}, bag {bag}", to_move=to_move_text(game), bag=game.bag)]
        told = [*self.changes()]
        if game.phase == "last_word" and not self.has(LastWordAwaited, Adjourned):
            told.append(to_move_text(game))
        elif game.phase == "playing" and not self.has(Adjourned):
            told.append(gettext("{name} to move", name=game.players[game.on_turn].name))
        if self.has(Played) and game.open_play is not None and not self.has(LastWordAwaited):
            told += [gettext("/challenge is open")] * (game.seat != game.open_play.seat)
        return told

    def _end(self, ended: Ended) -> Iterator[list[str]]:
        yield [gettext("game over: {why}", why=self.why(ended.why)), *self.awards(ended)]
        if ended.why not in ("cancelled", "aborted"):
            final = gettext("final scores {scores}", scores=scores_text(self.game))
            yield [final, result_text(self.game)]
        if self.game.seat is not None:
            yield [gettext("/ready for another game")]
        if ended.seed:
            yield [gettext("bag seed {seed}", seed=ended.seed)]
