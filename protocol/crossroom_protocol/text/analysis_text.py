"""Advice in words: the best ways to use a turn, and a game beside the best of every turn.

Equity is written in points, with a tenth: ``52.4``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from crossroom_engine.analysis.position import Candidate
from crossroom_engine.analysis.review import Analysis, TurnAnalysis
from crossroom_engine.core.board import Board
from crossroom_engine.core.events import Event, Seat
from crossroom_engine.core.moves import Exchange as ExchangeMove
from crossroom_engine.core.moves import Place
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.tiles import spell, unspell
from crossroom_engine.records.gcg import GcgEntry, GcgExchange, GcgPass, GcgPlay
from crossroom_engine.records.gcg_write import format_gcg, record_from_events
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_count, format_tiles
from crossroom_protocol.notices import Note, Picture

_PHONY = "*"
"""Behind a word, as players write it: it is not in the list."""
_NO_BETTER: Final = Phrase("nothing better")


def hint_note(found: Sequence[Candidate]) -> Note:
    """List the best ways to use a turn, the best first."""
    return Note(about="hint", lines=tuple(_ranked(found)))


def turn_sheet(names: Sequence[str], turn: TurnAnalysis, found: Sequence[Candidate]) -> Note:
    """One turn: what was known and done, and what could have been done, the best first."""
    rack = format_tiles(turn.position.rack)
    lines = (
        gettext(
            "turn {turn}, {name} with {rack}: {account}",
            turn=turn.turn,
            name=names[turn.seat],
            rack=rack,
            account=_account(turn),
        ),
    )
    return Note(about="analysis", lines=(*lines, *_ranked(found)))


def analysis_sheet(names: Sequence[str], analysis: Analysis, seat: Seat | None = None) -> Picture:
    """A row for each turn, of everybody or of one *seat*, then what each of them lost."""
    shown = [turn for turn in analysis.turns if seat is None or turn.seat == seat]
    seats = range(len(names)) if seat is None else [seat]
    sums = tuple(_sum(names, analysis, seat) for seat in seats)
    turn, player, rack = gettext("turn"), gettext("player"), gettext("rack")
    head = (turn, player, rack, gettext("done"), "", gettext("best"), "", gettext("lost"))
    rows = [head, *(_row(names, turn) for turn in shown)]
    spoken = (
        gettext(
            "turn {turn}, {name}: {account}",
            turn=turn.turn,
            name=names[turn.seat],
            account=_account(turn),
        )
        for turn in shown
    )
    return Picture(about="analysis", lines=(*_table(rows), *sums), spoken=(*spoken, *sums))


def annotated_gcg(events: Sequence[Event], analysis: Analysis) -> str:
    """The game in GCG, with a ``#note`` behind each turn: the best of it, and what was lost."""
    record, turns = record_from_events(events), iter(analysis.turns)

    def with_note(entry: GcgEntry) -> GcgEntry:
        if not isinstance(entry.action, GcgPlay | GcgExchange | GcgPass):
            return entry
        return replace(entry, notes=(*entry.notes, _verdict(next(turns))))

    return format_gcg(replace(record, entries=tuple(map(with_note, record.entries))))


def candidate_text(candidate: Candidate) -> str:
    """Write a candidate as one types it: ``8H QUIz``, ``exchange QV``, ``pass``."""
    match candidate.move:
        case Place() as move:
            squares = ",".join(map(str, move.swaps))
            back = f" swap={squares}" if squares else ""
            return f"{move.spot} {_word(move, candidate.board)}{back}"
        case ExchangeMove(tiles):
            return gettext("exchange {tiles}", tiles=spell(tiles))
        case _:
            return gettext("pass")


def _ranked(found: Iterable[Candidate]) -> Iterator[str]:
    for number, candidate in enumerate(found, 1):
        kept = (
            gettext("keeps {kept}", kept=format_tiles(candidate.kept))
            if candidate.kept
            else gettext("keeps nothing")
        )
        yield gettext(
            "{number}. {played}, {kept}: equity {points}",
            number=number,
            played=_played(candidate),
            kept=kept,
            points=_points(candidate.equity),
        )


def _account(turn: TurnAnalysis) -> str:
    return f"{_did(turn)}{_for(turn.done) if turn.fate != 'withdrawn' else ''}; {_verdict(turn)}"


def _verdict(turn: TurnAnalysis) -> str:
    if not turn.lost:
        return gettext(_NO_BETTER)
    return gettext(
        "best {played}, cost {points}", played=_played(turn.best), points=_points(turn.lost)
    )


def _row(names: Sequence[str], turn: TurnAnalysis) -> tuple[str, ...]:
    best, points = turn.best, 0 if turn.fate == "withdrawn" else turn.done.points
    return (
        str(turn.turn),
        names[turn.seat],
        spell(turn.position.rack),
        _did(turn),
        str(points),
        *(
            (candidate_text(best), str(best.points), _points(turn.lost))
            if turn.lost
            else (gettext(_NO_BETTER), "", "")
        ),
    )


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    to_the_right = (0, 4, 6, 7)
    for row in rows:
        cells = (
            cell.rjust(width) if column in to_the_right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield " ".join(cells).rstrip()


def _sum(names: Sequence[str], analysis: Analysis, seat: Seat) -> str:
    turns = [turn for turn in analysis.turns if turn.seat == seat]
    lost = analysis.lost[seat]
    each = gettext(", {points} a turn", points=_points(round(lost / len(turns)))) if turns else ""
    told = gettext(
        "{name} gave {points} points away in {turns}",
        name=names[seat],
        points=_points(lost),
        turns=format_count(len(turns), "turn"),
    )
    return told + each


def _did(turn: TurnAnalysis) -> str:
    done = candidate_text(turn.done)
    match turn.fate:
        case "stood":
            return done
        case "phony":
            return gettext("{done} stood", done=f"{done}{_PHONY}")
        case "withdrawn":
            return gettext("{done} taken back", done=f"{done}{_PHONY}")
        case "forfeited":
            return gettext("turn lost")


def _played(candidate: Candidate) -> str:
    return f"{candidate_text(candidate)}{_for(candidate)}"


def _for(candidate: Candidate) -> str:
    return (
        gettext(" for {points}", points=candidate.points)
        if isinstance(candidate.move, Place)
        else ""
    )


def _word(move: Place, board: Board) -> str:
    """The whole main word, in lower case where a blank is laid."""
    squares = (board[move.spot.square_at(step)] for step in range(len(unspell(move.text))))
    return spell(
        letter.letter if face == "." and letter is not None else face
        for face, letter in zip(unspell(move.text), squares, strict=True)
    )


def _points(thousandths: int) -> str:
    return f"{round(thousandths / 100) / 10:.1f}"  # by whole tenths: there is no -0.0
