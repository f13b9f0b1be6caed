"""Every legal play of a position in plain Python: the fallback for the kernel, and its test.

Rows and columns are searched alike, as lines. What the rack alone can spell is enumerated once for
all of them: the beginnings of words. At each anchor, an empty square beside a tile, the beginnings
that fit before it, or the tiles there, are extended through the word list. The letters worth trying
on a square are one ``&`` of three masks: those that continue a word, those in hand, and those that
the crossing tiles allow. Points are summed up on the way.

After A. W. Appel and G. J. Jacobson, Communications of the ACM 31 (1988), 572-578. The kernel finds
the same plays in another order of work, so that each can be the test of the other.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from heapq import nsmallest
from math import prod
from operator import mul
from typing import Final, NamedTuple, TypeAlias

from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import BLANK, Letter, Tiles, multiset, spell, take_tiles, unspell
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.movegen.line_masks import (
    NOWHERE,
    Line,
    board_lines,
    each_bit,
    letter_bits,
    next_state,
    walk,
)
from crossroom_engine.movegen.numbering import number_letters, number_tiles
from crossroom_engine.movegen.play import Play
from crossroom_engine.words.lexicon import Lexicon

MAX_RACK_TILES: Final = 9
"""Tiles of a rack, as many as the rules ever deal."""


class PythonBackend:
    """The :class:`~crossroom_engine.movegen.backends.Generator` in plain Python.

    Raises:
        BadRules: the rules are beyond the word engine.
    """

    def __init__(self, rules: Ruleset, lexicon: Lexicon) -> None:
        self._rules, self._lexicon = rules, lexicon
        self.rank = play_ranking(rules, lexicon)

    def plays(self, board: Board, rack: Tiles, least_blanks: int = 0, /) -> list[Play]:
        """List all plays."""
        found = self._search(board, rack, least_blanks)
        return sorted(found, key=lambda play: self.rank(play, 0))

    def count(self, board: Board, rack: Tiles, least_blanks: int = 0, /) -> tuple[int, int | None]:
        """Count the plays, and find the points of the best."""
        points = [play.points for play in self._search(board, rack, least_blanks)]
        return len(points), max(points, default=None)

    def any(self, board: Board, rack: Tiles, least_blanks: int = 0, /) -> bool:
        """Return whether there is a play."""
        return any(True for _ in self._search(board, rack, least_blanks))

    def best(
        self, board: Board, rack: Tiles, n: int, leaves: Leaves | None, least_blanks: int = 0, /
    ) -> list[Play]:
        """Find the *n* best plays, the best first."""
        if n < 1:
            raise ValueError("at least one play is wanted")

        def rank(play: Play) -> Rank:
            kept = leaves.value(take_tiles(play.tiles, rack)) if leaves else 0
            return self.rank(play, 1000 * play.points + kept)

        return nsmallest(n, self._search(board, rack, least_blanks), key=rank)

    def _search(self, board: Board, rack: Tiles, least_blanks: int) -> Iterator[Play]:
        self._check(board, rack)
        for play in _plays(self._rules, board, rack, self._lexicon):
            if play.tiles.count(BLANK) >= least_blanks:
                yield play

    def _check(self, board: Board, rack: Tiles) -> None:
        layout, tiles = self._rules.layout, self._rules.tiles
        if (board.width, board.height) != (layout.width, layout.height):
            raise ValueError("the board is not of the size of the layout")
        if len(rack) > MAX_RACK_TILES:
            raise ValueError(f"{len(rack)} tiles are more than a rack holds")
        for tile in (*rack, *(letter.letter for _, letter in board.items())):
            if tile not in tiles:
                raise ValueError(f"{tile} is no tile of {tiles.name}")


Rank: TypeAlias = tuple[int, bool, int, int, int, list[int]]


def play_ranking(rules: Ruleset, lexicon: Lexicon) -> Callable[[Play, int], Rank]:
    """Make the key that sorts plays by a value, the best first, and orders equal values."""
    laid = number_letters(number_tiles(rules, lexicon), rules)
    numbers = {str(letter): number for letter, number in laid.items()}

    def rank(play: Play, value: int) -> Rank:
        (row, column, across), pieces = play.spot, [spell([one]) for one in unspell(play.text)]
        line, first = (row, column) if across else (column, row)
        letters = [numbers[piece] for piece in pieces if piece != "."]
        return -value, not across, line, first, first + len(pieces), letters

    return rank


def _plays(rules: Ruleset, board: Board, rack: Tiles, lexicon: Lexicon) -> Iterator[Play]:
    hand = _hold(rules, rack, lexicon)
    beginnings = _Beginnings(lexicon, hand)
    for line in board_lines(rules, board, lexicon):
        for anchor in line.anchors:
            found: list[Play] = []
            single = bool(board) and (line.across or line.cross_points[anchor] < 0)
            extend = _extender(lexicon, line, 1 if single else 2, found)
            if anchor and line.bits[anchor - 1]:
                _go_on_from_tiles(lexicon, line, anchor, hand, extend)
            else:
                _go_on_from_hand(line, anchor, beginnings, extend)
            yield from found


class _Hand:
    """Tiles in hand. All hands that one rack can become form a net, and are made once.

    ``choices`` maps the bit of a letter to the ways of laying it: its text, its face value, and
    the hand that is left. ``bonus`` are the points for laying what is ``used`` of the rack.
    """

    __slots__ = ("bonus", "choices", "laid", "mask", "used")

    def __init__(self, used: Tiles, bonus: int, choices: "dict[int, list[_Choice]]") -> None:
        self.used, self.bonus, self.choices = used, bonus, choices
        self.laid = len(used)
        self.mask = sum(choices)


_Choice: TypeAlias = tuple[str, int, _Hand]


def _hold(rules: Ruleset, rack: Tiles, lexicon: Lexicon) -> _Hand:
    bits = letter_bits(lexicon)
    written = {tile: [(bit, str(Letter(tile)))] for tile, bit in bits.items()}
    written[BLANK] = [
        (bit, str(Letter(tile, blank=True))) for tile, bit in bits.items() if tile in rules.tiles
    ]

    @cache
    def hand(left: Tiles, used: Tiles) -> _Hand:
        choices: dict[int, list[_Choice]] = {}
        for place, tile in enumerate(left):
            if tile in left[:place]:
                continue
            rest = hand(left[:place] + left[place + 1 :], multiset((*used, tile)))
            for bit, text in written.get(tile, ()):
                choices.setdefault(bit, []).append((text, rules.tiles.points(tile), rest))
        return _Hand(used, rules.bingo if len(used) == rules.rack else 0, choices)

    return hand(rack, ())


class _Beginning(NamedTuple):
    """Letters from the hand that begin a word; ``mask`` are those in hand that continue it."""

    mask: int
    state: int
    hand: _Hand
    text: str
    points: tuple[int, ...]


class _Beginnings:
    """Beginnings of words that the hand can spell and continue, by length, found on demand."""

    def __init__(self, lexicon: Lexicon, hand: _Hand) -> None:
        self._lexicon = lexicon
        self._by_length = [[_Beginning(_next_letters(lexicon, 0) & hand.mask, 0, hand, "", ())]]

    def __getitem__(self, length: int) -> Sequence[_Beginning]:
        while len(self._by_length) <= length:
            shorter = self._by_length[-1]
            longer = [other for one in shorter for other in _longer(self._lexicon, one)]
            self._by_length.append(longer)
        return self._by_length[length]


def _longer(lexicon: Lexicon, one: _Beginning) -> Iterator[_Beginning]:
    for bit in each_bit(one.mask & lexicon.child_masks[one.state]):
        state = next_state(lexicon, one.state, bit)
        follow = _next_letters(lexicon, state)
        for text, points, rest in one.hand.choices[bit]:
            if mask := follow & rest.mask:
                yield _Beginning(mask, state, rest, one.text + text, (*one.points, points))


def _next_letters(lexicon: Lexicon, state: int) -> int:
    """Return the letters that continue or end a word."""
    return lexicon.child_masks[state] | lexicon.accept_masks[state]


_Extend: TypeAlias = Callable[[int, int, _Hand, int, int, int, Spot, str], None]


def _go_on_from_tiles(
    lexicon: Lexicon, line: Line, anchor: int, hand: _Hand, extend: _Extend
) -> None:
    """Extend words that begin with the tiles before the anchor."""
    first = anchor
    while first and line.bits[first - 1]:
        first -= 1
    state = walk(lexicon, 0, line.bits[first:anchor])
    if state != NOWHERE:
        points = sum(line.points[first:anchor])
        extend(anchor, state, hand, points, 1, 0, line.spot(first), "." * (anchor - first))


def _go_on_from_hand(line: Line, anchor: int, beginnings: _Beginnings, extend: _Extend) -> None:
    """Extend beginnings that fit on the squares before the anchor, all free of crossing tiles.

    The anchors further left have found the words that cover those.
    """
    allowed = line.cross_masks[anchor]
    for length in range(anchor + 1):
        first = anchor - length
        candidates = () if length and first in line.anchors else beginnings[length]
        if not candidates:
            break
        spot, premiums = line.spot(first), line.letter_premiums[first:anchor]
        word = prod(line.word_premiums[first:anchor])
        for mask, state, hand, text, points in candidates:
            if mask & allowed:
                main = sum(map(mul, points, premiums))
                extend(anchor, state, hand, main, word, 0, spot, text)


def _extender(lexicon: Lexicon, line: Line, least: int, found: list[Play]) -> _Extend:
    """Make the function that adds the plays of *least* tiles or more to *found*."""
    # Local names, because Python looks up nothing faster.
    child_masks, accept_masks = lexicon.child_masks, lexicon.accept_masks
    bases, children = lexicon.bases, lexicon.children
    bits, cross_masks, cross_points = line.bits, line.cross_masks, line.cross_points
    letter_premiums, word_premiums = line.letter_premiums, line.word_premiums

    def extend(
        at: int, state: int, hand: _Hand, main: int, word: int, cross: int, spot: Spot, text: str
    ) -> None:
        """Lay each letter that fits on the empty square *at*, and go on after it.

        *main* is the sum of the main word so far, to be multiplied by *word*; *cross* are the
        points of the crossing words so far.
        """
        follow, ends, crossing = child_masks[state], accept_masks[state], cross_points[at]
        letter_premium, word_premium = letter_premiums[at], word_premiums[at]
        word *= word_premium
        candidates = (follow | ends) & cross_masks[at] & hand.mask
        while candidates:
            bit = candidates & -candidates
            candidates ^= bit
            child, is_word, behind, passed, dots = NOWHERE, ends & bit, at + 1, 0, ""
            if follow & bit:
                child = children[bases[state] + (follow & (bit - 1)).bit_count()]
            if lying := bits[behind]:
                if child == NOWHERE or not (child_masks[child] | accept_masks[child]) & lying:
                    continue
                child, is_word, behind, passed = _ride(lexicon, line, child, behind)
                dots = "." * (behind - at - 1)
            onward = 0
            if child != NOWHERE:
                onward = (child_masks[child] | accept_masks[child]) & cross_masks[behind]
            for letter, points, rest in hand.choices[bit]:
                earned = points * letter_premium
                new_main, new_cross, new_text = main + earned + passed, cross, text + letter + dots
                if crossing >= 0:
                    new_cross += (crossing + earned) * word_premium
                if is_word and rest.laid >= least and (text or dots):  # no word has one letter
                    total = new_main * word + new_cross + rest.bonus
                    found.append(Play(spot, new_text, rest.used, total))
                if onward & rest.mask:
                    extend(behind, child, rest, new_main, word, new_cross, spot, new_text)

    return extend


def _ride(lexicon: Lexicon, line: Line, state: int, at: int) -> tuple[int, int, int, int]:
    """Continue over the tiles from square *at* on.

    Return the state after them, whether they end a word, the square after them, their points.
    """
    end = line.bits.index(0, at)
    *inner, final = line.bits[at:end]
    before = walk(lexicon, state, inner)
    if before == NOWHERE:
        return NOWHERE, 0, end, 0
    is_word = lexicon.accept_masks[before] & final
    return next_state(lexicon, before, final), is_word, end, sum(line.points[at:end])
