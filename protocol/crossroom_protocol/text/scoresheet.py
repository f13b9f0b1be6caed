"""The score sheet and the list of moves: a game's events, row by row."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from crossroom_engine.core.events import (
    Awarded,
    Challenged,
    Event,
    Exchanged,
    Passed,
    Played,
    Retired,
    RetireReason,
    Seat,
    TurnBegan,
    TurnSkipped,
    Withdrawn,
)
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.tiles import HIDDEN
from crossroom_engine.game.undo import without_undone
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_count, format_tiles, main_word, strip_brackets
from crossroom_protocol.notices import Picture

_END: Final = "end"

_RETIRED: Final[dict[RetireReason, str]] = {
    "resigned": Phrase("resigned"),
    "challenge": Phrase("out: challenge"),
    "time": Phrase("out: time"),
    "absent": Phrase("out: absent"),
}
_AWARDED: Final[dict[str, str]] = {
    "challenge": Phrase("challenge"),
    "left_over": Phrase("left over"),
    "went_out": Phrase("went out"),
    "overtime": Phrase("overtime"),
}


class Row(NamedTuple):
    """One thing that somebody did: in which turn (or ``end``), and what it did to the scores.

    ``points`` are those it won or lost, ``total`` is the score of ``seat`` after it.
    """

    turn: str
    seat: Seat
    what: str
    points: int
    total: int


def score_rows(players: int, events: Iterable[Event]) -> Iterator[Row]:
    """Yield what happened, in order. The points of a seat add up to its score.

    What a challenge does to a play belongs to the turn of that play. Turns that were taken back by
    agreement are not told.
    """
    totals, turn, of_play = [0] * players, "", ""
    for event in without_undone(events):
        when = turn
        match event:
            case TurnBegan(turn=number):
                turn = str(number)
            case Played():
                of_play = turn
            case Withdrawn() | Awarded(why="challenge"):
                when = of_play
            case Awarded():
                when = _END
        if (told := score_row(event)) is not None:
            seat, what, points = told
            totals[seat] += points
            yield Row(when, seat, what, points, totals[seat])


def score_sheet(names: Sequence[str], events: Iterable[Event]) -> Picture:
    """The sheet: a row for each turn, and for each player the points of it and the new total."""
    events = list(events)
    told = list(score_rows(len(names), events))
    if not told:
        return Picture(about="score", lines=(gettext("nobody has moved yet"),))
    scored = (event for event in without_undone(events) if not isinstance(event, Challenged))
    totals = [0] * len(names)
    points: dict[tuple[str, Seat], int] = {}
    for row in score_rows(len(names), scored):
        points[row.turn, row.seat] = points.get((row.turn, row.seat), 0) + row.points
    width = max(10, *(len(name) + 1 for name in names))
    turn, total = gettext("turn"), gettext("total")
    margin = max(5, len(turn), len(total))
    lines = [f"{turn:>{margin}}{''.join(f'{name:>{width}}' for name in names)}"]
    for (number, seat), gained in points.items():
        totals[seat] += gained
        cell = f"{signed(gained):>{width - 5}}{totals[seat]:>5}"
        lines.append(f"{turn_label(number):>{margin}}{' ' * (width * seat)}{cell}")
    lines.append(f"{total:>{margin}}{''.join(f'{points:>{width}}' for points in totals)}")
    final = ", ".join(f"{name} {total}" for name, total in zip(names, totals, strict=True))
    spoken = (*(_sentence(names, row) for row in told), gettext("scores: {final}", final=final))
    return Picture(about="score", lines=tuple(lines), spoken=spoken)


def text_record(names: Sequence[str], events: Iterable[Event]) -> Picture:
    """The game for people to keep: every move with its word, points and score, then the totals."""
    events = list(events)
    moves, scores = history(names, events), score_sheet(names, events).spoken[-1]
    spoken = (*(moves.spoken or moves.lines), scores)
    return Picture(about="text", lines=(*moves.lines, scores), spoken=spoken)


def history(names: Sequence[str], events: Iterable[Event], last: int | None = None) -> Picture:
    """The moves, or the *last* so many: turn, player, move, points, score."""
    told = list(score_rows(len(names), events))[-last if last is not None else None :]
    if not told:
        return Picture(about="history", lines=(gettext("nobody has moved yet"),))
    width, wide = max(map(len, names)), max(len(row.what) for row in told)
    lines = []
    for turn, seat, what, points, total in told:
        gained = signed(points)
        lines.append(
            f"{turn_label(turn):>4} {names[seat]:<{width}}  {what:<{wide}} {gained:>4} {total:>4}"
        )
    spoken = tuple(_sentence(names, row) for row in told)
    return Picture(about="history", lines=tuple(lines), spoken=spoken)


def signed(points: int) -> str:
    """Points won or lost: ``+14``, ``-3``, ``0``."""
    return f"{points:+}" if points else "0"


def turn_label(turn: str) -> str:
    """The turn of a :class:`Row` as it stands on a sheet."""
    return gettext("end") if turn == _END else turn


def _sentence(names: Sequence[str], row: Row) -> str:
    when = gettext("at the end") if row.turn == _END else gettext("turn {turn}", turn=row.turn)
    points = format_count(row.points, "point")
    return gettext(
        "{when}, {name}: {what}, {points}, {total} in all",
        when=when,
        name=names[row.seat],
        what=row.what,
        points=points,
        total=row.total,
    )


def score_row(event: Event) -> tuple[Seat, str, int] | None:
    """Whose event, what it was, and the points; None if it belongs on no sheet."""
    match event:
        case Played(seat=seat, spot=spot, points=points):
            return seat, f"{spot} {main_word(event)}", points
        case Exchanged(seat, tiles):
            named = str(len(tiles)) if HIDDEN in tiles else format_tiles(tiles)
            return seat, gettext("exchange {tiles}", tiles=named), 0
        case Passed(seat):
            return seat, gettext("pass"), 0
        case Challenged(seat, _, words, bad):
            template = Phrase("challenge {word}, in vain")
            if bad:
                template = Phrase("challenge {word}, upheld")
            return seat, gettext(template, word=strip_brackets(words)[0]), 0
        case Withdrawn(seat, points):
            return seat, gettext("taken back"), -points
        case TurnSkipped(seat):
            return seat, gettext("turn lost"), 0
        case Retired(seat, why):
            return seat, gettext(_RETIRED[why]), 0
        case Awarded(seat, points, why):
            return seat, gettext(_AWARDED[why]), points
        case _:
            return None
