"""The page of a finished game: whole without a script, which adds stepping through the moves."""

import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from crossroom_engine.core.board import Board, Layout, Premium, Square
from crossroom_engine.core.events import EndReason, Event, Started
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Letter
from crossroom_protocol.base.translate import current_language, gettext
from crossroom_protocol.base.wording import format_tiles
from crossroom_protocol.events.results import FinishedGame, PlayerResult
from crossroom_protocol.text.premiums import premium_mark, premium_name
from crossroom_protocol.text.profile_text import final_scores, format_date, outcome_text
from crossroom_protocol.text.scoresheet import signed, turn_label
from crossroom_server.table.replay import Step, last_board, steps
from crossroom_server.web.pages import texts
from crossroom_server.web.score_graph import graph, key

ENDINGS: dict[EndReason, str] = {
    "out": Phrase("the tiles were out"),
    "no_plays": Phrase("nobody could play any more"),
    "scoreless": Phrase("too many turns without points"),
    "target": Phrase("the target was reached"),
    "resigned": Phrase("somebody resigned"),
    "challenge": Phrase("a lost challenge"),
    "time": Phrase("the time was over"),
    "absent": Phrase("somebody stayed away"),
    "aborted": Phrase("ended by agreement"),
    "cancelled": Phrase("cancelled"),
}
FORMS = {
    "gcg": Phrase("GCG, for other programs"),
    "txt": Phrase("text"),
    "json": Phrase("JSON, for crossroom verify"),
    "png": Phrase("picture"),
}
"""What a game can be had as: the ending of the address, and what it is."""


def game_page(game: FinishedGame, record: Sequence[Event], root: str, url: str) -> str:
    """The page.

    Args:
        game: What is remembered of it.
        record: All its events.
        root: The path of scripts and styles from the server's own, as ``page/3f9a``.
        url: The server's own address, for those who show a preview of the page.
    """
    started, told = record[0], list(steps(record))
    assert isinstance(started, Started), "a record begins with that"
    title = final_scores(game.players)
    return document(
        title,
        root,
        f"<h1>{_names(game.players)}</h1><p class=lead>{escape(about(game))}</p>",
        '<div class="columns"><div class="left">',
        _board(started.rules, last_board(record)),
        _controls(len(told)),
        '</div><div class="right">',
        _players(game.players),
        graph([p.name for p in game.players], _scores(game.players, told)),
        _forms(game.page),
        "</div></div>",
        _moves(game.players, told),
        _ways(game),
        f'<script type="application/json" id="steps">{_data(started.rules, told)}</script>',
        head=(
            f'<meta property="og:title" content="{escape(title)}">'
            f'<meta property="og:description" content="{escape(about(game))}">'
            f'<meta property="og:image" content="{escape(url)}/g/{game.page}.png">'
            f"{texts(lambda name: f'../{root}/{name}')}"
            f'<script type="module" src="../{root}/game.js"></script>'
        ),
    )


def document(title: str, root: str, *parts: str, head: str = "") -> str:
    """A page in the style of all that remember games; it lies one folder below the server's own."""
    return (
        f'<!doctype html><html lang="{current_language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="robots" content="noindex">'
        f"<title>{escape(title)} · crossroom</title>"
        f'<link rel="stylesheet" href="../{root}/game.css">'
        f'<script src="../{root}/apply_theme.js"></script>{head}</head>'
        f'<body><header><a href="../">crossroom</a></header><main>{"".join(parts)}</main>'
        "</body></html>\n"
    )


def about(game: FinishedGame) -> str:
    """In one sentence, which game it was and how it ended."""
    ended = gettext(
        "Game {game} of {day}: {outcome} ({ending}).",
        game=game.game,
        day=format_date(game.ended),
        outcome=outcome_text(game),
        ending=gettext(ENDINGS[game.why]),
    )
    template = Phrase("{preset} rules, word list {lexicon}, rated.")
    if not game.rated:
        template = Phrase("{preset} rules, word list {lexicon}.")
    preset = gettext(game.preset.capitalize())
    return f"{ended} {gettext(template, preset=preset, lexicon=game.lexicon)}"


def player_link(player: PlayerResult) -> str:
    """The name of a player, which leads to their page if they have one."""
    name = escape(player.name)
    return f'<a href="../p/{name}">{name}</a>' if player.registered else name


def _names(players: Iterable[PlayerResult]) -> str:
    return " <small>&middot;</small> ".join(
        f"{escape(player.name)} <b>{player.score}</b>" for player in players
    )


def _players(players: Sequence[PlayerResult]) -> str:
    rows = "".join(
        f"<tr><th scope=row>{key(seat)}{player_link(player)}</th>"
        f'<td class=number id="score{seat}">{player.score}</td>'
        f"<td class=number>{player.bingos}</td>"
        f"<td>{escape(player.best)} {player.best_points or ''}</td></tr>"
        for seat, player in enumerate(players)
    )
    player, score, bingos = gettext("player"), gettext("score"), gettext("bingos")
    return (
        f"<table class=players><caption class=sr-only>{gettext('Players')}</caption><thead><tr>"
        f"<th scope=col>{player}</th><th scope=col class=number>{score}</th>"
        f"<th scope=col class=number>{bingos}</th>"
        f"<th scope=col>{gettext('best play')}</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _board(rules: Ruleset, board: Board) -> str:
    """The board as a table: each square says its premium, or its tile, to whoever listens."""
    layout = rules.layout
    columns = "".join(f"<th scope=col>{chr(ord('A') + n)}</th>" for n in range(layout.width))
    rows = "".join(
        f"<tr><th scope=row>{row + 1}</th>"
        + "".join(_square(rules, board, Square(row, col)) for col in range(layout.width))
        + "</tr>"
        for row in range(layout.height)
    )
    return (
        f'<div class="board-frame"><table class="board" id="board">'
        f"<caption class=sr-only>{gettext('The board')}</caption><thead><tr><td></td>{columns}</tr>"
        f"</thead><tbody>{rows}</tbody></table></div>"
    )


def _square(rules: Ruleset, board: Board, at: Square) -> str:
    kind, mark, spoken = _premium(rules.layout, at)
    letter = board[at]
    tile = "" if letter is None else _tile(rules, letter)
    said = f'<i aria-hidden="true">{mark}</i><span class=sr-only>{spoken}</span>' if mark else ""
    return f'<td class="{kind}">{said}{tile}</td>'


def _premium(layout: Layout, at: Square) -> tuple[str, str, str]:
    """The class of a square, what is written on it, and how that is spoken."""
    premium = layout.premium(at)
    if premium == Premium():
        return "", "", ""
    times, what = max((premium.letter, "letter"), (premium.word, "word"))
    spoken = premium_name(premium)
    return f"{what}{times}", "★" if at == layout.start else premium_mark(premium), spoken


def _tile(rules: Ruleset, letter: Letter) -> str:
    blank, wide = " blank" if letter.blank else "", " wide" if len(letter.letter) > 1 else ""
    points = "" if letter.blank else f"<sub>{rules.tiles.points(letter.letter)}</sub>"
    spoken = f"<span class=sr-only> {gettext('blank')}</span>" if letter.blank else ""
    return f'<b class="tile{blank}{wide}">{escape(letter.letter)}{points}{spoken}</b>'


def _controls(count: int) -> str:
    """Shown by the script; without it nothing here would do anything."""
    buttons = "".join(
        f'<button type=button id="{name}" aria-label="{spoken}">{face}</button>'
        for name, spoken, face in (
            ("first", gettext("before the first move"), "|◀"),
            ("back", gettext("one move back"), "◀"),
            ("next", gettext("one move on"), "▶"),
            ("last", gettext("after the last move"), "▶|"),
        )
    )
    return (
        f'<div class="controls" id="controls" hidden><label class=sr-only for="slider">'
        f"{gettext('Move')}</label>"
        f'<input type=range id="slider" min=0 max={count} value={count} step=1>'
        f'<div class="buttons">{buttons}</div><p id="description" role=status></p></div>'
    )


def _moves(players: Sequence[PlayerResult], told: Iterable[Step]) -> str:
    rows = "".join(
        f'<tr id="m{number}"><th scope=row>{escape(turn_label(step.row.turn))}</th>'
        f"<td>{escape(players[step.row.seat].name)}</td>"
        f"<td><span>{escape(step.row.what)}</span>{_rack(step)}</td>"
        f"<td class=number>{signed(step.row.points)}</td>"
        f"<td class=number>{step.row.total}</td></tr>"
        for number, step in enumerate(told, 1)
    )
    heads = "".join(
        f"<th scope=col{' class=number' if place > 2 else ''}>{head}</th>"
        for place, head in enumerate(
            (
                gettext("turn"),
                gettext("player"),
                gettext("move"),
                gettext("points"),
                gettext("score"),
            )
        )
    )
    moves = gettext("Moves")
    return (
        f"<h2>{moves}</h2><div class=scroll><table class=moves id=moves><caption class=sr-only>"
        f"{moves}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _rack(step: Step) -> str:
    """What the player held, where the turn was theirs to use it."""
    if not step.rack or not step.row.turn.isdecimal():
        return ""
    held = escape(format_tiles(step.rack))
    return f"<small><span class=sr-only>{gettext('from')} </span>{held}</small>"


def _forms(page: str) -> str:
    links = "".join(
        f'<li><a href="{page}.{form}"{"" if form == "png" else " download"}>'
        f"{gettext(what)}</a></li>"
        for form, what in FORMS.items()
    )
    return f"<h2>{gettext('Keep it')}</h2><ul class=formats>{links}</ul>"


def _ways(game: FinishedGame) -> str:
    if not game.listed:
        told = gettext("Only whoever has the address finds this page.")
        return f"<p class=note>{told}</p>"
    room = escape(game.room)
    told = gettext("All games of the room {room}", room=room)
    return f'<p><a href="../r/{room}">{told}</a></p>'


def _scores(players: Sequence[PlayerResult], told: Iterable[Step]) -> list[tuple[int, ...]]:
    return [(0,) * len(players), *(step.scores for step in told)]


def _data(rules: Ruleset, told: Iterable[Step]) -> str:
    """The steps for the script. In a page, only ``<`` could be taken for something else."""
    return json.dumps(list(_steps(rules, told)), separators=(",", ":")).replace("<", "\\u003c")


def _steps(rules: Ruleset, told: Iterable[Step]) -> Iterator[dict[str, object]]:
    """Each with what it did to the board; ``points`` of a tile are None for a blank."""
    for step in told:
        yield {
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
