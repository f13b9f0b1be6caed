"""Answers to questions about a room and its game: board, bag, clock, seats, settings.

Pure functions of what the asker may see. Tables are pictures with sentences for those who listen.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import Field
from functools import reduce
from itertools import zip_longest
from typing import Any

from pydantic import TypeAdapter

from crossroom_engine.core.events import Event
from crossroom_engine.core.rules import PRESETS, Ruleset, describe_values, format_setting, settings
from crossroom_engine.core.tiles import BLANK, TileSet
from crossroom_engine.game.views import View
from crossroom_protocol.base.translate import LANGUAGES, say, speaks, spoken
from crossroom_protocol.base.wording import both, counted, duration, either, letters, place
from crossroom_protocol.events.room import GameEvent
from crossroom_protocol.notices import Note, Picture, RoomView, Seated
from crossroom_protocol.text.board_text import EMPTY, blanks_on, draw_board, words_on
from crossroom_protocol.text.premiums import premium_squares, premiums
from crossroom_protocol.text.scoresheet import history, score_sheet, text_record
from crossroom_protocol.text.standings import result, scores, to_move

__all__ = [
    "bag",
    "board_picture",
    "clock",
    "export_json",
    "history",
    "score_sheet",
    "seats",
    "settings_lines",
    "text_record",
    "who",
]

_GAP = "   "


def board_picture(rules: Ruleset, view: View) -> Picture:
    """The board, with scores, bag and the meaning of the premium squares beside it."""
    drawn = draw_board(view.board, rules.layout)
    wide = max(map(len, drawn))
    width = max(len(player.name) for player in view.players)
    beside = ["", *(f"{player.name:<{width}} {player.score:>4}" for player in view.players)]
    beside += ["", say("bag {bag}", bag=view.bag), _state(view), "", *premiums(rules.layout)]
    lines = (
        f"{row:<{wide}}{_GAP}{note}".rstrip()
        for row, note in zip_longest(drawn, beside, fillvalue="")
    )
    return Picture(about="board", lines=tuple(lines), spoken=_spoken_board(rules, view))


def _spoken_board(rules: Ruleset, view: View) -> tuple[str, ...]:
    words = list(words_on(view.board))
    lines = [
        "; ".join(
            f"{place(spot, spoken=True)} {word.upper()}"
            for spot, word in words
            if spot.across == across
        )
        for across in (True, False)
    ]
    if not words:
        lines = [say("the board is empty; the first play covers {start}", start=rules.layout.start)]
    covered = {
        f"{number}{chr(ord('A') + column)}"
        for number, row in enumerate(view.board, 1)
        for column, tile in enumerate(letters(row))
        if tile != EMPTY
    }
    blanks = [
        say("{letter} on {square}", letter=letter, square=square)
        for square, letter in blanks_on(view.board)
    ]
    if blanks:
        lines.append(say("blanks: {blanks}", blanks=both(blanks)))
    lines.append(
        say("{scores}; bag {bag}; {state}", scores=scores(view), bag=view.bag, state=_state(view))
    )
    for name, squares in premium_squares(rules.layout).items():
        if free := [square for square in squares if square not in covered]:
            lines.append(say("{name} free: {free}", name=name, free=" ".join(free)))
    return tuple(line for line in lines if line)


def _state(view: View) -> str:
    return (
        say("game over, {result}", result=result(view)) if view.phase == "over" else to_move(view)
    )


def bag(view: View, tiles: TileSet) -> Note:
    """What the bag holds in number, and the tiles that the asker has not seen."""
    unseen = Counter(view.unseen)
    listed = ", ".join(
        f"{say('blank') if kind.tile == BLANK else kind.tile} {unseen[kind.tile]}"
        for kind in tiles.kinds
        if unseen[kind.tile]
    )
    lines = [say("the bag holds {bag}", bag=counted(view.bag, "tile"))]
    if unseen:
        lines.append(
            say(
                "{total} in the bag or on hidden racks: {listed}",
                total=counted(unseen.total(), "tile"),
                listed=listed,
            )
        )
    return Note(about="bag", lines=tuple(lines))


def clock(view: View, rules: Ruleset, now_ms: int) -> Note:
    """The time of every player at *now_ms* (ms since 1970), used and left."""
    lines = (
        [] if rules.clock is not None else [say("there is no clock here; this is the time used")]
    )
    if rules.turn_limit is not None:
        lines = [say("each turn may take {turn_limit}", turn_limit=duration(rules.turn_limit))]
    for seat, player in enumerate(view.players):
        runs = view.phase == "playing" and seat == view.on_turn and view.since is not None
        used = player.used + (max(0, now_ms - view.since) if runs and view.since else 0)
        line = say("{name}: {used} used", name=player.name, used=duration(used / 1000))
        if player.allowed is not None:
            line += f", {_left(player.allowed - used, rules)}"
        if runs and view.since and rules.turn_limit is not None:
            left = rules.turn_limit - (now_ms - view.since) / 1000
            line += say(", {left} for this turn", left=duration(left))
        lines.append(say("{line}, running", line=line) if runs else line)
    if view.adjourned:
        lines.append(say("the game is adjourned, and the clock is stopped"))
    elif view.since is None and view.phase != "over":
        lines.append(say("the clock is stopped"))
    return Note(about="clock", lines=tuple(lines))


def _left(milliseconds: int, rules: Ruleset) -> str:
    if milliseconds >= 0:
        return say("{time} left", time=duration(milliseconds / 1000))
    lost = -(milliseconds // 60_000) * rules.overtime_points
    return say(
        "{time} too late, which costs {lost}",
        time=duration(-milliseconds / 1000),
        lost=counted(lost, "point"),
    )


def seats(room: RoomView) -> tuple[str, ...]:
    """Who sits where, who is ready and who is away, one seat a line."""
    if not room.seats:
        return (say("nobody sits here yet; /name YOURNAME takes a seat"),)
    playing = room.game is not None and room.game.phase != "over"
    return tuple(
        say(
            "seat {number}: {name}{about}",
            number=number,
            name=seat.name,
            about=_about(seat, playing),
        )
        for number, seat in enumerate(room.seats, 1)
    )


def _about(seat: Seated, playing: bool) -> str:
    if seat.bot is not None:
        return say(", a bot, level {bot}", bot=seat.bot)
    if seat.stand_in is not None:
        return say(", away, a bot plays for them, level {stand_in}", stand_in=seat.stand_in)
    away = "" if seat.here else say(", away")
    if playing:
        return away
    return (say(", ready") if seat.ready else say(", not ready")) + away


def who(room: RoomView) -> tuple[str, ...]:
    """Who is at the table, and who watches."""
    table = [
        seat.name if seat.here else say("{name} (away)", name=seat.name) for seat in room.seats
    ]
    lines = [say("at the table: {table}", table=both(table))]
    if room.watchers:
        lines.append(say("watching: {watchers}", watchers=both(room.watchers)))
    if room.owner is not None:
        lines.append(say("the room is {owner}'s", owner=room.owner))
    if room.moderators:
        lines.append(say("keeping order: {moderators}", moderators=both(room.moderators)))
    return tuple(lines)


def settings_lines(rules: Ruleset, slow: int = 0) -> tuple[str, ...]:
    """Every setting with its value, what may be written, and what it means."""
    lines = [
        say(
            "preset = {preset} ({presets}): the rule text to start from",
            preset=rules.preset,
            presets=reduce(_or, PRESETS),
        )
    ]
    lines += [
        f"{spec.name} = {format_setting(getattr(rules, spec.name))} ({_values(spec)}): {_doc(spec)}"
        for spec in settings()
    ]
    return (
        *lines,
        say("slow = {slow} (0 to 600): seconds between two things that somebody says", slow=slow),
        say("reader (on or off): words in place of pictures, in the lines that you are sent"),
        say("ansi (on or off): colours, in the lines that you are sent"),
        say(
            "language ({languages}): what the lines that you are sent are written in",
            languages=either([f"{code} {name}" for code, name in LANGUAGES.items()]),
        ),
        say(
            "/set NAME VALUE changes one; reader, ansi, language and slow at any time, the others "
            "between games"
        ),
    )


def _or(one: str, other: str) -> str:
    return say("{one} or {other}", one=one, other=other)


def _doc(spec: Field[Any]) -> str:
    return say(spec.metadata["doc"])


def _values(spec: Field[Any]) -> str:
    return spoken(describe_values(spec), speaks())


_EVENTS: TypeAdapter[tuple[Event, ...]] = TypeAdapter(tuple[GameEvent, ...])


def export_json(events: Iterable[Event]) -> str:
    """A game as JSON, one event a line: ``{"crossroom": 1, "events": [...]}``."""
    dumped = (_EVENTS.dump_json((event,)).decode()[1:-1] for event in events)
    return '{"crossroom": 1, "events": [\n' + ",\n".join(dumped) + "\n]}\n"
