"""The page of a finished game: whole without a script, which adds stepping through the moves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crossroom_engine.core.board import Board, Layout, Premium
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.events import EndReason, Event, Started
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Letter
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_tiles, join_and
from crossroom_protocol.events.results import FinishedGame, PlayerResult
from crossroom_protocol.text.premiums import premium_mark, premium_name
from crossroom_protocol.text.profile_text import final_scores, format_date, outcome_text
from crossroom_protocol.text.scoresheet import signed, turn_label
from crossroom_server.table.replay_steps import ReplayStep, last_board, replay_steps
from crossroom_server.web.pages import PageLocation
from crossroom_server.web.score_graph import DASHES, score_graph
from crossroom_server.web.templating import render

ENDINGS: dict[EndReason, str] = {
    "out": Phrase("all tiles played"),
    "no_plays": Phrase("nobody could play any more"),
    "scoreless": Phrase("too many turns without points"),
    "target": Phrase("the target was reached"),
    "resigned": Phrase("{names} resigned"),
    "challenge": Phrase("{names} lost a challenge"),
    "time": Phrase("{names} ran out of time"),
    "absent": Phrase("{names} stayed away"),
    "aborted": Phrase("ended by agreement"),
    "cancelled": Phrase("cancelled"),
}
DOWNLOADS = {
    "gcg": Phrase("GCG, for other programs"),
    "txt": Phrase("text"),
    "json": Phrase("JSON, for crossroom verify"),
    "png": Phrase("picture"),
}
"""The forms of a record: the ending of the address, and what it is."""


def game_page(game: FinishedGame, record: Sequence[Event], assets: str, url: str) -> str:
    """Render the page.

    Args:
        game: What is remembered of it.
        record: All its events.
        assets: The path of the static files from the server's root, as ``page/3f9a``.
        url: The address of the server's root, for those who show a preview of the page.
    """
    started, played = record[0], list(replay_steps(record))
    assert isinstance(started, Started), "a record begins with that"
    rules, players = started.rules, game.players
    scores = [(0,) * len(players), *(step.scores for step in played)]
    return render(
        "game.html",
        page=PageLocation("../", assets),
        game=game,
        title=final_scores(players),
        summary=_summary(game),
        url=url,
        columns=[chr(ord("A") + col) for col in range(rules.layout.width)],
        board=list(_board_rows(rules, last_board(record))),
        dashes=DASHES,
        score_graph=score_graph([player.name for player in players], scores),
        downloads=DOWNLOADS,
        moves=[_move_row(players, step) for step in played],
        steps=[_step_document(rules, step) for step in played],
    )


def _summary(game: FinishedGame) -> str:
    """Say in two sentences how the game ended, and by which rules it was played."""
    ended = gettext(
        "Game {game} of {day}: {outcome} ({ending}).",
        game=game.game,
        day=format_date(game.ended),
        outcome=outcome_text(game),
        ending=gettext(
            ENDINGS[game.why], names=join_and([one.name for one in game.players if one.left])
        ),
    )
    template = Phrase("{preset} rules, word list {lexicon}, rated.")
    if not game.rated:
        template = Phrase("{preset} rules, word list {lexicon}.")
    preset = gettext(game.preset.capitalize())
    return f"{ended} {gettext(template, preset=preset, lexicon=game.lexicon)}"


@dataclass(frozen=True)
class _BoardSquare:
    """A square: its style class, its mark and how that is spoken, and the tile on it."""

    kind: str
    mark: str
    spoken: str
    letter: Letter | None
    points: int


def _board_rows(rules: Ruleset, board: Board) -> Iterator[list[_BoardSquare]]:
    for row in range(rules.layout.height):
        yield [_board_square(rules, board, Square(row, col)) for col in range(rules.layout.width)]


def _board_square(rules: Ruleset, board: Board, at: Square) -> _BoardSquare:
    letter = board[at]
    points = rules.tiles.points(letter.letter) if letter and not letter.blank else 0
    return _BoardSquare(*_premium(rules.layout, at), letter, points)


def _premium(layout: Layout, at: Square) -> tuple[str, str, str]:
    """Return the style class of a square, what is written on it, and how that is spoken."""
    premium = layout.premium(at)
    if premium == Premium():
        return "", "", ""
    times, kind = max((premium.letter, "letter"), (premium.word, "word"))
    mark = "★" if at == layout.start else premium_mark(premium)
    return f"{kind}{times}", mark, premium_name(premium)


@dataclass(frozen=True)
class _MoveRow:
    turn: str
    player: str
    text: str
    rack: str
    points: str
    total: int


def _move_row(players: Sequence[PlayerResult], step: ReplayStep) -> _MoveRow:
    """Make a row of the table of moves; the rack stands where the turn was theirs to use it."""
    row = step.row
    return _MoveRow(
        turn=turn_label(row.turn),
        player=players[row.seat].name,
        text=row.what,
        rack=format_tiles(step.rack) if step.rack and row.turn.isdecimal() else "",
        points=signed(row.points),
        total=row.total,
    )


def _step_document(rules: Ruleset, step: ReplayStep) -> dict[str, object]:
    """Tell the script what a step did to the board; ``points`` of a blank are None."""
    return {
        "turn": step.row.turn,
        "seat": step.row.seat,
        "what": step.row.what,
        "gained": step.row.points,
        "scores": step.scores,
        "put": [
            (at.row, at.col, letter, None if blank else rules.tiles.points(letter))
            for at, (letter, blank) in step.put
        ],
        "lifted": step.lifted,
    }
