"""Read GCG, in all the dialects that programs write.

Unknown pragmas are kept and ignored, white space is free, a word may spell the tiles it runs
through or write ``.`` for them. What a record *says* is read here; whether it is *true* is up to
:mod:`crossroom_engine.records.check`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from crossroom_engine.core import data
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import BadRules, BadText, IllegalMove
from crossroom_engine.core.events import Seat
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import Tiles, TileSet
from crossroom_engine.records import gcg
from crossroom_engine.records.gcg import (
    GcgAction,
    GcgEntry,
    GcgExchange,
    GcgPass,
    GcgPlay,
    GcgPlayer,
    Record,
)

MAX_RECORD_BYTES: Final = 1 << 20
"""Bytes of a file; the longest of real games are some 20 KB."""
MAX_EVENTS: Final = 2_000
"""Moves, withdrawals and adjustments of a record; a game with 200 tiles has fewer than 500."""


def decode_gcg(data: bytes) -> str:
    """Decode a file by its ``#character-encoding``, else as UTF-8, else as ISO 8859-1.

    The last is the default of the format; any bytes are text in it.

    Raises:
        BadText: the file is larger than :data:`MAX_RECORD_BYTES`.
    """
    if len(data) > MAX_RECORD_BYTES:
        raise BadText("this is no record of a game: it is larger than 1 MiB")
    declared = re.search(rb"#character-encoding[ \t]+([!-~]+)", data[:4096], re.IGNORECASE)
    for encoding in (declared[1].decode("ascii") if declared else "utf-8", "utf-8-sig"):
        try:
            return data.decode(encoding).removeprefix("\ufeff")
        except (LookupError, ValueError):
            continue
    return data.decode("latin-1")


def read_gcg(text: str) -> Record:
    """Read a record.

    Raises:
        BadText: the text is no GCG, has more than :data:`MAX_EVENTS` moves, or a line has no known
            form; then the message begins with ``line`` and its number.
    """
    pragmas, events, strays = _sort_lines(text)
    if not pragmas and not events:
        raise BadText("this is no GCG record: it has neither pragmas nor events")
    if len(events) > MAX_EVENTS:
        raise BadText(f"a record holds at most {MAX_EVENTS:,} moves; this one has {len(events):,}")
    players = _players(pragmas, events)
    rules, stated = _rules(pragmas, events, len(players))
    return Record(
        players=players,
        rules=rules,
        rules_stated=stated,
        entries=tuple(_entries(rules.tiles, pragmas, events)),
        pragmas=tuple(pragmas),
        racks=tuple(_racks(rules.tiles, pragmas, len(players))),
        stray_lines=tuple(strays),
        end_reason=next(filter(None, (_mark(p, r"game over \((\w+)\)") for p in pragmas)), None),
    )


class _Line(NamedTuple):
    number: int
    name: str
    rest: str


def _sort_lines(text: str) -> tuple[list[gcg.Pragma], list[_Line], list[int]]:
    """Return pragmas, events, and the numbers of other lines that do not continue a note."""
    pragmas: list[gcg.Pragma] = []
    events: list[_Line] = []
    strays: list[int] = []
    in_text = False
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if line.startswith("#"):
            keyword, _, rest = line[1:].replace("\t", " ").partition(" ")
            pragmas.append(gcg.Pragma(number, keyword.lower(), rest.strip()))
            in_text = keyword.lower() in {"note", "title", "description"}
        elif event := re.match(r"\s*>([^:]*):(.*)", line):
            events.append(_Line(number, event[1].strip(), event[2].strip()))
            in_text = False
        elif line.strip() and in_text:
            pragmas[-1] = pragmas[-1]._replace(text=f"{pragmas[-1].text}\n{line.rstrip()}")
        elif line.strip():
            strays.append(number)
    return pragmas, events, strays


def _players(pragmas: Iterable[gcg.Pragma], events: Iterable[_Line]) -> tuple[GcgPlayer, ...]:
    numbered: dict[int, GcgPlayer] = {}
    for line, keyword, text in pragmas:
        if match := re.fullmatch(r"player([0-9])", keyword):
            nick, _, name = text.partition(" ")
            number = int(match[1])
            if number in numbered or not nick or not 1 <= number <= 4:
                raise _bad(line, "#player1 to #player4 name each player once")
            numbered[number] = GcgPlayer(nick, name.strip() or nick)
    players = tuple(numbered[number] for number in sorted(numbered))
    if not players:
        players = tuple(GcgPlayer(name, name) for name in dict.fromkeys(e.name for e in events))
    if not 2 <= len(players) <= 4:
        raise BadText(f"a game has 2 to 4 players; this record names {len(players)}")
    return players


def _rules(pragmas: list[gcg.Pragma], events: list[_Line], players: int) -> tuple[Ruleset, bool]:
    for line, keyword, text in pragmas:
        if keyword == "description" and gcg.RULES_TAG in text:
            return _stated_rules(line, text.partition(gcg.RULES_TAG)[2]), True
    rules = PRESETS["tournament"]
    if players > 2:
        rules = replace(rules, players=4, exchange_bag=0)
    said = {}
    for line, keyword, text in pragmas:
        hidden, _, value = text.partition(":")
        if keyword == "note" and value and (events and line < events[0].number):
            keyword, text = _SPELLINGS.get(hidden.strip().lower(), "note"), value.strip()
        if keyword == "game-type" and text.lower() not in {"classic", "wordsmog"}:
            raise _bad(line, f"games of the type {text!r} are not known here")
        said[keyword] = text.split()[0].lower() if text else ""
    try:
        board = said.get("board-layout", "standard")
        layout = data.layout(data.LAYOUT_ALIASES.get(board, board))
        return replace(rules, layout=layout, tiles=_tileset(said, events)), False
    except (BadText, BadRules) as error:
        raise BadText(f"this record cannot be checked: {error}") from None


_SPELLINGS: Final = {
    "variant": "game-type",
    "boardlayout": "board-layout",
    "letterdistribution": "tile-distribution",
}
"""Pragmas that older records hide in a note before the first event."""


def _stated_rules(line: int, text: str) -> Ruleset:
    preset, _, pairs = text.strip().partition(" ")
    rules = replace(PRESETS["official"], preset=preset)
    try:
        for name, _, value in (pair.partition("=") for pair in pairs.split()):
            rules = rules.override(name, value)
    except BadRules as error:
        raise _bad(line, f"rules that are not known here: {error}") from None
    return rules


def _tileset(said: dict[str, str], events: list[_Line]) -> TileSet:
    known = data.list_names("tiles", ".csv")
    if named := said.get("tile-distribution"):
        return data.tileset(data.TILE_SET_ALIASES.get(named, named))
    if (named := said.get("tile-set", "")) in known:
        return data.tileset(named)
    lexicon = re.match("[a-z]*", said.get("lexicon", ""))
    name = data.LEXICON_TILE_SETS.get(lexicon[0] if lexicon else "", "english")
    letters = {c for event in events for c in event.rest.upper() if c.isalpha()}
    for guess in (name, *data.LEXICON_TILE_SETS.values(), *known):
        if letters <= set("".join(data.tileset(guess).letters)):
            return data.tileset(guess)
    return data.tileset(name)


def _racks(
    tiles: TileSet, pragmas: Iterable[gcg.Pragma], players: int
) -> Iterator[tuple[int, Seat, Tiles]]:
    for line, keyword, text in pragmas:
        match = re.fullmatch(r"rack([0-9])", keyword)
        if match and 1 <= int(match[1]) <= players:
            yield line, int(match[1]) - 1, _tiles(tiles, line, text)


def _entries(tiles: TileSet, pragmas: list[gcg.Pragma], events: list[_Line]) -> list[GcgEntry]:
    """List the events, each with the notes after it; notes of ours become what they tell."""
    entries: list[GcgEntry] = []
    lines: list[_Line | gcg.Pragma] = [*events, *(p for p in pragmas if p.keyword == "note")]
    for line in sorted(lines, key=lambda item: item[0]):
        if isinstance(line, _Line):
            entries.append(_entry(tiles, line))
        elif name := _mark(line, r"(\S+) leaves"):
            entries.append(GcgEntry(line.line, name, (), gcg.Retirement(), 0, 0))
        elif entries and not _mark(line, r"(game) over"):
            entries[-1] = _noted(entries[-1], line)
    return entries


def _noted(entry: GcgEntry, note: gcg.Pragma) -> GcgEntry:
    if isinstance(entry.action, GcgPass) and _mark(note, "(turn lost)"):
        return replace(entry, action=GcgPass(lost=True))
    square = _mark(note, "swap ([0-9]+[A-Za-z])$")
    if square is None or not isinstance(entry.action, GcgPlay):
        return replace(entry, notes=(*entry.notes, note.text))
    swaps = (*entry.action.swaps, _spot(note.line, square).square)
    return replace(entry, action=replace(entry.action, swaps=swaps))


def _mark(note: gcg.Pragma, pattern: str) -> str | None:
    """Return what *pattern* captures in a note of ours."""
    match = re.match(f"{gcg.NOTE_TAG} {pattern}", note.text)
    return match[1] if match else None


def _entry(tiles: TileSet, event: _Line) -> GcgEntry:
    line, name, rest = event
    words = rest.split()
    rack: Tiles = ()
    if words and not _ACTION.match(words[0]):
        stated = words.pop(0)
        unknown = stated == "UNKNOWN" and words[:1] == ["(challenge)"]
        rack = () if unknown else _tiles(tiles, line, stated)
    if not words:
        raise _bad(line, "it does not say what the player did")
    action = _action(tiles, line, words)
    if len(words) < 2:
        raise _bad(line, "the points or the total are missing")
    return GcgEntry(line, name, rack, action, _number(line, words[0]), _number(line, words[1]))


_ACTION: Final = re.compile(r"-|\(|[0-9]{1,2}[A-Za-z]$|[A-Za-z][0-9]{1,2}$")


def _action(tiles: TileSet, line: int, words: list[str]) -> GcgAction:
    """Take the words of the action off the front of *words*."""
    word = words.pop(0)
    if word == "(challenge)":
        return gcg.Bonus()
    if word == "(time)":
        return gcg.Overtime()
    if word.startswith("(") and word.endswith(")"):
        return gcg.Leftover(_tiles(tiles, line, word[1:-1]))
    if word == "--":
        return gcg.Withdrawal()
    if word in {"-", "-0"}:
        return GcgPass()
    if re.fullmatch("-[0-9]{1,3}", word):
        return GcgExchange(int(word[1:]), None)
    if word.startswith("-"):
        gone = _tiles(tiles, line, word[1:])
        return GcgExchange(len(gone), gone)
    if not words:
        raise _bad(line, "after the place of a play comes its word")
    spot, text = _spot(line, word), words.pop(0)
    try:
        tiles.parse_play(text)
    except IllegalMove as error:
        raise _bad(line, str(error)) from None
    return GcgPlay(spot, text)


def _spot(line: int, text: str) -> Spot:
    try:
        return Spot.parse(text)
    except BadText as error:
        raise _bad(line, str(error)) from None


def _tiles(tiles: TileSet, line: int, text: str) -> Tiles:
    try:
        return tiles.parse_tiles(text)
    except IllegalMove as error:
        raise _bad(line, f"{error} in the tile set {tiles.name!r}") from None


def _number(line: int, text: str) -> int:
    if not re.fullmatch(r"\+?[+-]?[0-9]{1,9}", text):
        raise _bad(line, f"{text!r} is no number of points")
    return int(text.removeprefix("+"))


def _bad(line: int, prose: str) -> BadText:
    return BadText(f"line {line}: {prose}")
