"""Read and write CGP: a position of a crossword game in one line of text.

The fields are the rows of the board, the racks, the scores, and how many turns in a row have
brought no points; racks and scores start with the player to move. Operations may follow::

    15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 AEINRT?/ 0/14 0 lex english;

A number is so many empty squares, a small letter a blank, ``[CH]`` one tile. A rack may be empty or
part of the true one. The format comes from César Del Solar's *macondo*; *MAGPIE* speaks it as well.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Self

from crossroom_engine.analysis.position import Position
from crossroom_engine.core import data
from crossroom_engine.core.board import Board
from crossroom_engine.core.coordinates import MAX_BOARD_SIDE
from crossroom_engine.core.errors import BadRules, BadText, IllegalMove
from crossroom_engine.core.rules import PRESETS, Ruleset, format_setting
from crossroom_engine.core.tiles import Tiles, TileSet, multiset, spell
from crossroom_engine.words.lexicon import Lexicon

MAX_PLAYERS: Final = 4

_SETTINGS: Final = {
    "ld": "tiles",
    "bdn": "layout",
    "bb": "bingo",
    "cr": "challenge",
    "etl": "exchange_bag",
    "mcnz": "scoreless_limit",
}
"""The setting of the rules that each operation changes."""

_CHALLENGES: Final = {"free": "single", "five": "5pt", "ten": "10pt"}
"""Other programs' names of ways to challenge."""


class Operation(NamedTuple):
    """An operation after the four fields: ``lex english;`` is ``("lex", "english")``."""

    name: str
    text: str


@dataclass(frozen=True)
class CgpPosition:
    """The content of a CGP, under the rules that it is read with.

    Attributes:
        rules: The rules of the game.
        board: The tiles on the board.
        racks: In order of play, that of the player to move first. Those of others are empty, or
            part of the true ones, where they are not known.
        scores: In points, one for each rack.
        scoreless: Turns in a row, up to now, that brought no points.
        operations: All operations, known or not.

    Raises:
        BadText: no game can come to this: too many of a tile, a board of another size ...; says
            what to do.
    """

    rules: Ruleset
    board: Board
    racks: tuple[Tiles, ...]
    scores: tuple[int, ...]
    scoreless: int = 0
    operations: tuple[Operation, ...] = ()

    def __post_init__(self) -> None:
        board, layout = self.board, self.rules.layout
        if (board.width, board.height) != (layout.width, layout.height):
            raise BadText(
                f"there are {board.height} rows of {board.width} squares; the board "
                f"{layout.name!r} has {layout.height} of {layout.width}; other boards are named "
                "as in `bdn NAME;`"
            )
        if not 1 <= len(self.racks) <= MAX_PLAYERS:
            raise BadText(f"there are {len(self.racks)} racks; 1 to {MAX_PLAYERS}, please")
        if len(self.racks) != len(self.scores):
            raise BadText(
                f"there are {len(self.racks)} racks and {len(self.scores)} scores; one score for "
                "each rack, please, with / between them"
            )
        if self.racks == ((),):
            raise BadText("there is no rack; give that of the player to move")
        for rack in self.racks:
            if len(rack) > self.rules.rack:
                raise BadText(f"the rack {_shown(spell(rack))} has over {self.rules.rack} tiles")
        _check_tiles(self.rules.tiles, self._seen)

    @property
    def _seen(self) -> Counter[str]:
        lying = (letter.tile for _, letter in self.board.items())
        return Counter([*lying, *(tile for rack in self.racks for tile in rack)])

    @property
    def lexicon(self) -> str | None:
        """The name of the word list, by the operation ``lex``."""
        return next((text for name, text in self.operations if name == "lex" and text), None)

    def to_position(self, lexicon: Lexicon) -> Position:
        """Return what the player to move knows.

        Racks of others that are not given whole are full, the next player's first, as far as there
        are tiles. Of blanks that may be taken back only the rule about all of them is known.
        """
        known = [tile for rack in self.racks[1:] for tile in rack]
        unseen = Counter(self.rules.tiles.distribution) - self._seen + Counter(known)
        left, others = unseen.total() - len(known), []
        for rack in self.racks[1:]:
            drawn = min(self.rules.rack - len(rack), left)
            others.append(len(rack) + drawn)
            left -= drawn
        return Position(
            rules=self.rules,
            lexicon=lexicon,
            board=self.board,
            rack=self.racks[0],
            unseen=multiset(unseen.elements()),
            bag=left,
            others=tuple(others),
            scores=self.scores,
            scoreless=self.scoreless,
            reclaimable=self.board.blanks if self.rules.reclaim == "any" else (),
        )

    @classmethod
    def from_position(cls, position: Position) -> Self:
        """Write down a position, with operations for unusual rules, without others' rack sizes.

        Raises:
            BadText: no game can come to this.
        """
        rules, usual = position.rules, PRESETS["tournament"]
        players = 1 + len(position.others)
        said = [Operation("lex", position.lexicon.name)]
        said += [
            Operation(name, text)
            for name in _SETTINGS
            if (text := _value(rules, name, players)) != _value(usual, name, players)
        ]
        return cls(
            rules=rules,
            board=position.board,
            racks=(position.rack, *[()] * len(position.others)),
            scores=position.scores,
            scoreless=position.scoreless,
            operations=tuple(one for one in said if re.fullmatch(r"[^\s;]+", one.text)),
        )


def read_cgp(text: str, rules: Ruleset | None = None) -> CgpPosition:
    """Read a position.

    Args:
        text: One line.
        rules: The rules where no operation says otherwise. By default those of tournaments, with
            the tiles that the name of the word list calls for.

    Raises:
        BadText: this is no position, or none that a game can come to; says what to do.
    """
    fields = text.split(maxsplit=4)
    if len(text.strip().splitlines()) != 1 or len(fields) < 4:
        raise BadText(
            "a position is one line of at least four fields: the rows of the board, the racks, "
            "the scores and the number of scoreless turns, as in "
            f"`15/15/15/15/15/15/15/6CAB6/15/15/15/15/15/15/15 AEINRT?/ 0/14 0`; "
            f"{_shown(text)} is not"
        )
    operations = tuple(_operations(*fields[4:]))
    racks, scores = fields[1].split("/"), fields[2].split("/")
    if len(racks) > MAX_PLAYERS:
        raise BadText(f"there are {len(racks)} racks; 1 to {MAX_PLAYERS}, please")
    rules = _rules(rules, operations, len(racks))
    return CgpPosition(
        rules=rules,
        board=_board(fields[0], rules),
        racks=tuple(_rack(rack, rules.tiles) for rack in racks),
        scores=tuple(_number(score, "a score", r"-?[0-9]{1,6}") for score in scores),
        scoreless=_number(fields[3], "a number of scoreless turns", "[0-9]{1,3}"),
        operations=operations,
    )


def write_cgp(position: CgpPosition) -> str:
    """Write the line that :func:`read_cgp` reads."""
    rows = [re.sub(r"\.+", lambda dots: str(len(dots[0])), row) for row in position.board.rows]
    fields = (rows, map(spell, position.racks), map(str, position.scores))
    operations = (f"{' '.join(filter(None, one))};" for one in position.operations)
    return " ".join([*map("/".join, fields), str(position.scoreless), *operations])


def _operations(text: str = "") -> Iterator[Operation]:
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, operands = part.partition(" ")
        if not re.fullmatch("-?[A-Za-z]+", name):
            raise BadText(
                f"{_shown(part)} is no operation; those are written `lex NAME;`, and stand behind "
                "the number of scoreless turns"
            )
        yield Operation(name.removeprefix("-").lower(), " ".join(operands.split()))


def _rules(rules: Ruleset | None, operations: tuple[Operation, ...], players: int) -> Ruleset:
    said = dict(operations)
    if rules is None:
        rules = PRESETS["tournament"]
        prefix = re.match("[a-z]*", said.get("lex", "").lower())
        if tiles := data.LEXICON_TILE_SETS.get(prefix[0] if prefix else ""):
            rules = replace(rules, tiles=data.tileset(tiles))
    try:
        if players > rules.players:
            rules = replace(rules, players=players)
        for name, setting in _SETTINGS.items():
            if name in said and said[name] != _value(rules, name, players):
                rules = _override(rules, setting, name, said[name])
    except BadRules as error:
        raise BadText(f"cannot play by the rules of this position: {error}") from None
    return rules


def _value(rules: Ruleset, name: str, players: int) -> str:
    """Return what an operation would say about the rules."""
    if name == "mcnz":
        return str(rules.scoreless_turns(players))
    text = format_setting(getattr(rules, _SETTINGS[name]))
    return _CHALLENGES.get(text, text) if name == "cr" else text


def _override(rules: Ruleset, setting: str, name: str, text: str) -> Ruleset:
    """Change the setting that the operation *name* is about."""
    text = text.lower()
    if name == "bdn":
        text = data.LAYOUT_ALIASES.get(text, text)
    elif name == "ld":
        text = data.TILE_SET_ALIASES.get(text, text)
    elif name == "cr":
        text = next((ours for ours, theirs in _CHALLENGES.items() if theirs == text), text)
    try:
        return rules.override(setting, text)
    except BadRules as error:
        raise BadRules(f"{name}: {error}") from None


def _board(text: str, rules: Ruleset) -> Board:
    rows = text.split("/")
    if len(rows) > MAX_BOARD_SIDE:
        raise BadText(f"there are {len(rows)} rows; no board has over {MAX_BOARD_SIDE}")
    drawn = [_row(number, row) for number, row in enumerate(rows, start=1)]
    boards = []
    for number, row in enumerate(drawn, start=1):
        try:
            boards.append(Board.from_rows([row], rules.tiles))
        except BadText as error:
            raise BadText(f"row {number}: {error} in the tile set {rules.tiles.name!r}") from None
        if boards[-1].width != rules.layout.width:
            raise BadText(
                f"row {number} has {boards[-1].width} squares; the board {rules.layout.name!r} has "
                f"{rules.layout.width}; other boards are named as in `bdn NAME;`"
            )
    squares = [letter for board in boards for letter in board.squares]
    return Board(rules.layout.width, tuple(squares))


def _row(number: int, text: str) -> str:
    """Return a row in the notation of plays: a dot for each empty square."""
    if wrong := re.search(r"[.()\s]", text):
        raise BadText(f"row {number}: {wrong[0]!r} is no tile, and no number of empty squares")

    def dots(match: re.Match[str]) -> str:
        run = match[0]
        if run.startswith("["):
            return run
        if len(run) > 2 or not 1 <= int(run) <= MAX_BOARD_SIDE:
            raise BadText(
                f"row {number}: {_shown(run)} empty squares are not 1 to {MAX_BOARD_SIDE}"
            )
        return "." * int(run)

    return re.sub(r"\[[^]]*\]|[0-9]+", dots, text)


def _rack(text: str, tiles: TileSet) -> Tiles:
    try:
        return tiles.parse_tiles(text)
    except IllegalMove as error:
        raise BadText(
            f"the rack {_shown(text)}: {error} in the tile set {tiles.name!r}; others are named as "
            "in `ld french;`"
        ) from None


def _number(text: str, what: str, form: str) -> int:
    if not re.fullmatch(form, text):
        raise BadText(f"{_shown(text)} is not {what}; write digits")
    return int(text)


def _check_tiles(tiles: TileSet, seen: Counter[str]) -> None:
    for tile, count in seen.items():
        if tile not in tiles:
            raise BadText(f"there is no tile {_shown(tile)} in the tile set {tiles.name!r}")
        if count > (most := tiles.distribution.count(tile)):
            raise BadText(
                f"{count} tiles {tile} are on the board and the racks; the tile set {tiles.name!r} "
                f"has {most}"
            )


def _shown(text: str) -> str:
    """Quote a text of any length in few characters."""
    return repr(text if len(text) <= 40 else f"{text[:39]}…")
