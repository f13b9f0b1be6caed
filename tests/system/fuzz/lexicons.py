"""The bytes of word lists: any at all, and good ones that were spoilt with care.

Whatever is no word list must be told by its type; whatever is read as one must answer every
question, and soon.
"""

import json
import struct
import zlib
from array import array
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from crossroom_engine import movegen
from crossroom_engine.core import data
from crossroom_engine.core.board import Board, Layout
from crossroom_engine.core.errors import BadRules, BadText
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import Letter, Tiles
from crossroom_engine.movegen.backends import generator
from crossroom_engine.movegen.python_backend import PythonBackend
from crossroom_engine.words import dawg
from crossroom_engine.words.lexicon import Lexicon, pack_words

FIXED: Final = struct.Struct("<8s5I")
CHECKED_FROM: Final = 12
EDGES: Final = [0, 1, 2, 7, 31, 32, 33, 62, 63, 255, 2**16, 2**31 - 1, 2**31, 2**32 - 1]

RULES: Final[Ruleset] = PRESETS["official"]
TWIN_RULES: Final = Ruleset(
    Layout("small", ("..*..", '.=.".', ".....", ".....")), data.tileset("english"), rack=4
)
"""The twin is slow, and takes what it is given: it gets little."""

_FOLDER: Final = TemporaryDirectory(prefix="crossroom-fuzz-")


def any_good(dice: Random) -> bytes:
    """The bytes of a word list of few words."""
    letters = dice.choice(
        [
            RULES.tiles.letters,
            ("A", "B"),
            tuple(f"X{number}" for number in range(dice.choice([31, 32, 33, 62]))),
            data.tileset("spanish").letters,
        ]
    )
    some = letters[: dice.choice([1, 2, 5, len(letters)])]
    longest = dice.choice([3, 8, 21])
    words: set[Tiles] = {
        tuple(dice.choices(some, k=dice.randint(1, longest)))
        for _ in range(dice.choice([1, 5, 40]))
    }
    return pack_words(words, letters, {"source": "dice"})


def checked(content: bytes) -> bytes:
    """With the checksum that it should have."""
    return content[:8] + struct.pack("<I", zlib.crc32(content[CHECKED_FROM:])) + content[12:]


def flipped(dice: Random, content: bytes, start: int) -> bytes:
    """Some bits are others."""
    changed = bytearray(content)
    for _ in range(dice.choice([1, 1, 2, 5, 50])):
        changed[dice.randrange(start, len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def misnumbered(dice: Random, content: bytes) -> bytes:
    """One of the numbers in front is another."""
    place = dice.choice([12, 16, 20, 24])
    (number,) = struct.unpack_from("<I", content, place)
    number = dice.choice([*EDGES, (number + dice.choice([-8, -4, -1, 1, 4, 8])) % 2**32])
    return content[:place] + struct.pack("<I", number) + content[place + 4 :]


def misled(dice: Random, content: bytes) -> bytes:
    """Numbers of the automaton are others, so that it leads astray or round in circles."""
    _, _, _, states, children, head_size = FIXED.unpack_from(content)
    letters = len(json.loads(content[FIXED.size : FIXED.size + head_size])["letters"])
    numbers = array("I")
    start = FIXED.size + head_size
    numbers.frombytes(content[start:])
    masks = 2 * states * (1 if letters <= 32 else 2)
    for _ in range(dice.choice([1, 2, 10])):
        if dice.random() < 0.4 and masks:
            numbers[dice.randrange(masks)] ^= 1 << dice.randrange(min(letters, 32))
        elif dice.random() < 0.3:
            numbers[masks + dice.randrange(states)] = dice.choice(
                [*EDGES, dice.randrange(children)]
            )
        else:
            numbers[-1 - dice.randrange(children)] = dice.choice([*EDGES, dice.randrange(states)])
    return content[:start] + numbers.tobytes()


def any_json(dice: Random, depth: int = 0) -> Any:
    """What a head might hold, and should not."""
    scraps: list[Any] = [None, True, 0, -1, 1e300, "", "A", "?", "\ud800", "ch", "[", "x" * 500]
    if depth < 3 and dice.random() < 0.4:
        some = [any_json(dice, depth + 1) for _ in range(dice.randrange(4))]
        return dice.choice([some, {str(place): one for place, one in enumerate(some)}])
    return dice.choice(scraps)


def reheaded(dice: Random, content: bytes) -> bytes:
    """The head is another."""
    head_size = FIXED.unpack_from(content)[5]
    head = json.loads(content[FIXED.size : FIXED.size + head_size])
    match dice.randrange(5):
        case 0:
            head[dice.choice(["letters", "digest", "info", "more"])] = any_json(dice)
        case 1:
            head["letters"][dice.randrange(len(head["letters"]))] = any_json(dice)
        case 2:
            head["digest"] = dice.choice(["0" * 64, head["digest"].upper(), head["digest"][1:]])
        case 3:
            del head[dice.choice(list(head))]
        case _:
            head = any_json(dice)
    text = dice.choice(
        [
            json.dumps(head).encode(),
            json.dumps(head).encode("utf-16"),
            flipped(dice, json.dumps(head).encode(), 0),
            b"[" * 100_000 if dice.random() < 0.01 else b"[" * 9,
            b"9" * 5000,
            bytes(dice.randrange(9)),
        ]
    )
    text += b" " * (-(len(text) + FIXED.size) % dice.choice([8, 8, 8, 4, 1]))
    front = content[:24] + struct.pack("<I", len(text))
    return front + text + content[FIXED.size + head_size :]


def rubbish(dice: Random) -> bytes:
    """Bytes that are no word list, or hardly."""
    content = any_good(dice)
    match dice.randrange(9):
        case 0:
            return dice.randbytes(dice.choice([0, 1, 8, 27, 28, 29, 500]))
        case 1:
            return dawg.MAGIC + checked(bytes(8) + dice.randbytes(dice.randrange(100)))[8:]
        case 2:
            return content[: dice.randrange(len(content))]
        case 3:
            return checked(content[: dice.randrange(CHECKED_FROM, len(content))])
        case 4:
            return flipped(dice, content, 0)
        case 5:
            return checked(misnumbered(dice, content))
        case 6:
            return checked(reheaded(dice, content))
        case 7:
            return checked(flipped(dice, content, dice.choice([CHECKED_FROM, len(content) // 2])))
        case _:
            return checked(misled(dice, content))


def case(dice: Random) -> None:
    """Read some bytes as a word list, and use it if that works."""
    content = rubbish(dice)
    with suppress(BadText):
        if dice.random() < 0.02:
            path = Path(_FOLDER.name, "rubbish.lexicon")
            path.write_bytes(content)
            with Lexicon.open(path) as lexicon:
                use(dice, lexicon)
        else:
            use(dice, Lexicon("rubbish", content))


def use(dice: Random, lexicon: Lexicon) -> None:
    """Ask everything that a word list is asked; only its own kind of error may come of it."""
    letters = list(lexicon.letters)
    for _ in range(3):
        word = "".join(dice.choices([*letters, "A", "[", "]", "?"], k=dice.randrange(24)))
        assert lexicon.phonies([word]) in ((), (word,))
        assert isinstance(word in lexicon, bool)
        lexicon.accepts(dice.choices([*letters, "A"], k=dice.randrange(24)))
    with suppress(BadText):
        list(islice(lexicon, 100))
    with suppress(BadText):
        lexicon.verify()
    with suppress(BadText, BadRules):
        find_plays(dice, lexicon)


def find_plays(dice: Random, lexicon: Lexicon) -> None:
    """By the kernel, and by its twin."""
    rack = tuple(sorted(dice.choices("AABE?", k=dice.randrange(5))))
    board = Board.empty(RULES.layout)
    if dice.random() < 0.7:
        board = board.with_letters({RULES.layout.start: Letter("A")})
    tally = movegen.count(RULES, board, rack, lexicon)
    assert len(generator(RULES, lexicon).plays(board, rack)) == tally.plays
    assert movegen.is_any_play_left(RULES, board, rack, lexicon) == bool(tally.plays)
    movegen.best(RULES, board, rack, lexicon, 3)
    small = Board.empty(TWIN_RULES.layout)
    PythonBackend(TWIN_RULES, lexicon).plays(small, rack)
