"""Positions for tests of the word engine.

Those of all kinds have layouts of any shape, alphabets up to 62 letters, tiles of several
characters, racks up to nine, of blanks too.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random

from crossroom_engine import movegen
from crossroom_engine.core import data
from crossroom_engine.core.board import PREMIUMS, Board, Layout
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import BLANK, Letter, TileKind, Tiles, TileSet, multiset
from crossroom_engine.movegen.leaves import Leaves
from crossroom_engine.movegen.python_backend import PythonBackend
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon

OFFICIAL = PRESETS["official"]
ENGLISH = catalog.open_lexicon("english")
EMPTY = Board.empty(OFFICIAL.layout)


def any_tiles(random: Random) -> TileSet:
    """A tile set of ours, or one of many letters, or one of few, so that words are many."""
    if random.random() < 0.3:
        return data.tileset(random.choice(data.list_names("tiles", ".csv")))
    count = random.choice([2, 3, 4, 31, 32, 33, 62])
    names = [chr(ord("A") + number) for number in range(26)] + [f"X{n}" for n in range(36)]
    points = [random.choice([0, 1, 5, 1000]) for _ in range(count)]
    kinds = [TileKind(name, 20, point) for name, point in zip(names[:count], points, strict=True)]
    return TileSet("any", (*kinds, TileKind(BLANK, 9, 0)))


def any_layout(random: Random) -> Layout:
    width, height = (random.choice([2, 3, 5, 8, 15, 21]) for _ in range(2))
    squares = random.choices(sorted(set(PREMIUMS) - {"*"}), k=width * height)
    squares[random.randrange(width * height)] = "*"
    rows = ("".join(squares[at : at + width]) for at in range(0, width * height, width))
    return Layout("any", tuple(rows))


def any_word(random: Random, letters: Tiles) -> Tiles:
    return tuple(random.choices(letters, k=random.choice([1, 2, 2, 3, 3, 4, 5, 7, 9, 21])))


def any_board(random: Random, layout: Layout, letters: Tiles, words: list[Tiles]) -> Board:
    """Words that lie about, across and down; or nothing."""
    board = Board.empty(layout)
    for _ in range(random.choice([0, 1, 3, 6, 15])):
        word = random.choice(words) if random.random() < 0.9 else any_word(random, letters)
        row, column = random.randrange(layout.height), random.randrange(layout.width)
        down, up = random.choice([(0, 1), (1, 0)])
        squares = [(row + down * step, column + up * step) for step in range(len(word))]
        board = Board(
            board.width,
            tuple(
                Letter(word[squares.index(square)], random.random() < 0.2)
                if (square := divmod(place, layout.width)) in squares
                else lying
                for place, lying in enumerate(board.squares)
            ),
        )
    return board


def any_rack(random: Random, letters: Tiles) -> Tiles:
    count = random.choice([0, 1, 3, 7, 7, 7, 9])
    blanks = random.choice([0, 0, 0, 0, 1, 1, 1, 2])
    return multiset((*random.choices(letters, k=count), *[BLANK] * blanks)[-9:])


def any_position(random: Random) -> tuple[Ruleset, Board, Tiles, Lexicon]:
    tiles, layout = any_tiles(random), any_layout(random)
    some = random.sample(tiles.letters, min(len(tiles.letters), random.choice([2, 4, 8])))
    words = [any_word(random, tuple(some)) for _ in range(random.choice([1, 30, 300]))]
    lexicon = Lexicon.from_words("any", map(spelt, words), tiles)
    rules = replace(
        OFFICIAL, layout=layout, tiles=tiles, rack=random.randint(2, 9), bingo=50, players=2
    )
    return (
        rules,
        any_board(random, layout, tuple(some), words),
        any_rack(random, tuple(some)),
        lexicon,
    )


def spelt(word: Tiles) -> str:
    return "".join(f"[{tile}]" for tile in word)


def any_leaves(random: Random, tiles: TileSet) -> Leaves:
    kinds = [kind.tile for kind in tiles.kinds]
    singles = {tile: random.randint(-9000, 9000) for tile in kinds}
    pairs = {
        (random.choice(kinds), random.choice(kinds)): random.randint(-3000, 3000) for _ in kinds
    }
    return Leaves("any", singles, pairs, random.choice([0, 90_000]))


def real_positions(count: int) -> Iterator[tuple[Ruleset, Board, Tiles, Lexicon]]:
    """Positions of a game, each with the rack of the one to move."""
    for seed in range(count):
        random = Random(seed)
        board, bag = EMPTY, list(OFFICIAL.tiles.distribution)
        random.shuffle(bag)
        for _ in range(seed % 18):
            rack, bag = multiset(bag[:7]), bag[7:]
            for play in islice(PythonBackend(OFFICIAL, ENGLISH).best(board, rack, 1, None), 1):
                board = lay(board, play)
        yield OFFICIAL, board, multiset(bag[:7]), ENGLISH


def lay(board: Board, play: movegen.Play) -> Board:
    letters = [
        Letter(character.upper(), character.islower())
        for character in play.text
        if character != "."
    ]
    squares = [play.spot.square_at(step) for step in range(len(play.text))]
    free = [square for square in squares if board[square] is None]
    return board.with_letters(dict(zip(free, letters, strict=True)))
