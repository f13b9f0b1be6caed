"""Answers to questions about a room and its game: board, bag, clock, seats, settings.

Pure functions of what the asker may see. Tables are pictures with sentences for those who listen.
"""

from collections import Counter
from collections.abc import Iterable
from functools import reduce
from itertools import zip_longest

from pydantic import TypeAdapter

from crossroom_engine.core.events import Event
from crossroom_engine.core.rules import PRESETS, Ruleset, describe_values, format_setting, settings
from crossroom_engine.core.tiles import BLANK, TileSet
from crossroom_engine.core.time_controls import TIME_CONTROLS
from crossroom_engine.core.units import MINUTE_MS
from crossroom_engine.game.views import View
from crossroom_protocol.base.translate import LANGUAGES, current_language, gettext, translate
from crossroom_protocol.base.wording import (
    format_count,
    format_duration,
    join_and,
    join_or,
)
from crossroom_protocol.events.room import GameEvent
from crossroom_protocol.notices import Note, Picture, RoomView, SeatView
from crossroom_protocol.text.board_text import draw_board
from crossroom_protocol.text.premiums import premium_legend
from crossroom_protocol.text.scoresheet import history, score_sheet, text_record
from crossroom_protocol.text.spoken_board import board_lines, free_premiums
from crossroom_protocol.text.status_text import result_text, scores_text, to_move_text

__all__ = [
    "bag_note",
    "board_picture",
    "clock_note",
    "export_json",
    "history",
    "score_sheet",
    "seat_lines",
    "settings_lines",
    "text_record",
    "who_lines",
]

_GAP = "   "


def board_picture(rules: Ruleset, view: View) -> Picture:
    """The board, with scores, bag and the meaning of the premium squares beside it."""
    drawn = draw_board(view.board, rules.layout)
    wide = max(map(len, drawn))
    width = max(len(player.name) for player in view.players)
    beside = ["", *(f"{player.name:<{width}} {player.score:>4}" for player in view.players)]
    beside += [
        "",
        gettext("bag {bag}", bag=view.bag),
        _state(view),
        "",
        *premium_legend(rules.layout),
    ]
    lines = (
        f"{row:<{wide}}{_GAP}{note}".rstrip()
        for row, note in zip_longest(drawn, beside, fillvalue="")
    )
    return Picture(about="board", lines=tuple(lines), spoken=_spoken_board(rules, view))


def _spoken_board(rules: Ruleset, view: View) -> tuple[str, ...]:
    standing = gettext(
        "{scores}; bag {bag}; {state}", scores=scores_text(view), bag=view.bag, state=_state(view)
    )
    return (*board_lines(rules, view), standing, *free_premiums(rules.layout, view))


def _state(view: View) -> str:
    return (
        gettext("game over, {result}", result=result_text(view))
        if view.phase == "over"
        else to_move_text(view)
    )


def bag_note(view: View, tiles: TileSet) -> Note:
    """Count the tiles in the bag, and list those that the asker has not seen."""
    unseen = Counter(view.unseen)
    listed = ", ".join(
        f"{gettext('blank') if kind.tile == BLANK else kind.tile} {unseen[kind.tile]}"
        for kind in tiles.kinds
        if unseen[kind.tile]
    )
    lines = [gettext("the bag holds {bag}", bag=format_count(view.bag, "tile"))]
    if unseen:
        lines.append(
            gettext(
                "{total} unseen: {listed}",
                total=format_count(unseen.total(), "tile"),
                listed=listed,
            )
        )
    return Note(about="bag", lines=tuple(lines))


def clock_note(view: View, rules: Ruleset, now_ms: int) -> Note:
    """The time of every player at *now_ms* (ms since 1970), used and left."""
    lines = (
        []
        if rules.clock is not None
        else [gettext("there is no clock here; this is the time used")]
    )
    if rules.turn_limit is not None:
        lines = [
            gettext("each turn may take {turn_limit}", turn_limit=format_duration(rules.turn_limit))
        ]
    for seat, player in enumerate(view.players):
        runs = view.phase == "playing" and seat == view.on_turn and view.since is not None
        used = player.used + (max(0, now_ms - view.since) if runs and view.since else 0)
        line = gettext("{name}: {used} used", name=player.name, used=format_duration(used / 1000))
        if player.allowed is not None:
            line += f", {_left(player.allowed - used, rules)}"
        if runs and view.since and rules.turn_limit is not None:
            left = rules.turn_limit - (now_ms - view.since) / 1000
            line += gettext(", {left} for this turn", left=format_duration(left))
        lines.append(gettext("{line}, running", line=line) if runs else line)
    if view.adjourned:
        lines.append(gettext("the game is adjourned, and the clock is stopped"))
    elif view.since is None and view.phase != "over":
        lines.append(gettext("the clock is stopped"))
    return Note(about="clock", lines=tuple(lines))


def _left(milliseconds: int, rules: Ruleset) -> str:
    if milliseconds >= 0:
        return gettext("{time} left", time=format_duration(milliseconds / 1000))
    lost = -(milliseconds // MINUTE_MS) * rules.overtime_points
    return gettext(
        "{time} too late, which costs {lost}",
        time=format_duration(-milliseconds / 1000),
        lost=format_count(lost, "point"),
    )


def seat_lines(room: RoomView) -> tuple[str, ...]:
    """List the seats, with who is ready and who is away, one seat a line."""
    if not room.seats:
        return (gettext("nobody sits here yet; /name YOURNAME takes a seat"),)
    playing = room.game is not None and room.game.phase != "over"
    return tuple(
        gettext(
            "seat {number}: {name}{about}",
            number=number,
            name=seat.name,
            about=_about(seat, playing),
        )
        for number, seat in enumerate(room.seats, 1)
    )


def _about(seat: SeatView, playing: bool) -> str:
    if seat.bot is not None:
        return gettext(", a bot, level {bot}", bot=seat.bot)
    if seat.stand_in is not None:
        return gettext(", away, a bot plays for them, level {stand_in}", stand_in=seat.stand_in)
    program = gettext(", a program") if seat.program else ""
    away = "" if seat.here else gettext(", away")
    if playing:
        return program + away
    return program + (gettext(", ready") if seat.ready else gettext(", not ready")) + away


def _with_note(seat: SeatView) -> str:
    if not seat.here:
        return gettext("{name} (away)", name=seat.name)
    return gettext("{name} (a program)", name=seat.name) if seat.program else seat.name


def who_lines(room: RoomView) -> tuple[str, ...]:
    """List the people at the table, and those who watch."""
    table = [_with_note(seat) for seat in room.seats]
    lines = [gettext("at the table: {table}", table=join_and(table))]
    if room.watchers:
        lines.append(gettext("watching: {watchers}", watchers=join_and(room.watchers)))
    if room.owner is not None:
        lines.append(gettext("the room is {owner}'s", owner=room.owner))
    if room.moderators:
        lines.append(gettext("moderators: {moderators}", moderators=join_and(room.moderators)))
    return tuple(lines)


def settings_lines(rules: Ruleset, slow: int = 0) -> tuple[str, ...]:
    """Every setting with its value, what may be written, and what it means."""
    lines = [
        gettext(
            "preset = {preset} ({presets}): the rule text to start from",
            preset=rules.preset,
            presets=reduce(_or, PRESETS),
        ),
        gettext(
            "time = {time} ({times}): how long turns may take; m: minutes for all turns of a "
            "player, d: days for each turn",
            time=rules.time_control or gettext("its own"),
            times=reduce(_or, TIME_CONTROLS),
        ),
    ]
    usual = PRESETS.get(rules.preset, rules)
    for spec in settings():
        value, preset_value = getattr(rules, spec.name), getattr(usual, spec.name)
        allowed = translate(describe_values(spec), current_language())
        line = f"{spec.name} = {format_setting(value)} ({allowed}): {gettext(spec.metadata['doc'])}"
        if value != preset_value:
            line += gettext(
                "; changed: {preset} has {value}",
                preset=rules.preset,
                value=format_setting(preset_value),
            )
        lines.append(line)
    return (
        *lines,
        gettext(
            "slow = {slow} (0 to 600): seconds between two things that somebody says", slow=slow
        ),
        gettext("reader (on or off): words in place of pictures, in the lines that you are sent"),
        gettext("ansi (on or off): colours, in the lines that you are sent"),
        gettext("width (20 to 500, or off): characters after which your lines are wrapped"),
        gettext("board (each, mine or off): when you are sent the board, after which moves"),
        gettext(
            "language ({languages}): what the lines that you are sent are written in",
            languages=join_or([f"{code} {name}" for code, name in LANGUAGES.items()]),
        ),
        gettext(
            "/set NAME VALUE changes one; slow and those after it at any time, the others between "
            "games"
        ),
    )


def _or(one: str, other: str) -> str:
    return gettext("{one} or {other}", one=one, other=other)


_EVENTS: TypeAdapter[tuple[Event, ...]] = TypeAdapter(tuple[GameEvent, ...])


def export_json(events: Iterable[Event]) -> str:
    """A game as JSON, one event a line: ``{"crossroom": 1, "events": [...]}``."""
    dumped = (_EVENTS.dump_json((event,)).decode()[1:-1] for event in events)
    return '{"crossroom": 1, "events": [\n' + ",\n".join(dumped) + "\n]}\n"
