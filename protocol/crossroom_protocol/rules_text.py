"""The rules of a room in words, made from the fields of its :class:`Ruleset`.

Nothing is written here that is not read from a field, so the text cannot disagree with play.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final, assert_never

from crossroom_engine.board import PREMIUMS, Layout, Premium, Square
from crossroom_engine.rules import CHALLENGE_POINTS, PRESETS, Ruleset, settings, show
from crossroom_engine.tiles import BLANK, TileSet
from crossroom_protocol.refusals import Refusal
from crossroom_protocol.wording import both, counted, duration


def summary(rules: Ruleset, lexicon: str | None = None) -> str:
    """The rules in one breath: ``official rules, lexicon english``, or what differs from them."""
    preset = PRESETS.get(rules.preset)
    changed = [
        f"{spec.name} {show(getattr(rules, spec.name))}"
        for spec in settings()
        if spec.name != "lexicon"
        and preset is not None
        and getattr(rules, spec.name) != getattr(preset, spec.name)
    ]
    but = f" but {', '.join(changed)}" if changed else ""
    return f"{rules.preset} rules{but}, lexicon {lexicon or rules.lexicon}"


def rules_lines(rules: Ruleset, section: str = "") -> tuple[str, ...]:
    """The rules, or the section whose name begins like *section*, one statement a line.

    Raises:
        Refusal: ``BAD_ARGS``, there is no such section; lists those there are.
    """
    wanted = section.lower()
    chosen = [name for name in SECTIONS if name.startswith(wanted)]
    if not chosen:
        raise Refusal("BAD_ARGS", f"/r alone shows everything; sections are {both(list(SECTIONS))}")
    lines = [f"{summary(rules)}; one section: /r {'|'.join(SECTIONS)}"] if not wanted else []
    for name in chosen:
        lines += [f"{name.upper()}", *SECTIONS[name](rules)]
    return tuple(lines)


def _setup(rules: Ruleset) -> list[str]:
    count, rack = len(rules.tiles.distribution), rules.rack
    match rules.first_player:
        case "seat":
            first = "The first seat begins"
        case "random":
            first = "Who begins is left to chance"
        case "draw":
            first = (
                "Everybody draws a tile, and the one nearest to A begins; a blank comes before A, "
                "a tie is drawn again, and the tiles go back"
            )
        case _:
            assert_never(rules.first_player)
    return [
        f"2 to {rules.players} players." if rules.players > 2 else "2 players.",
        f"A bag of {count} tiles ({rules.tiles.name}); everybody draws {rack}, shown to nobody.",
        f"{first}. Turns go round in the order of the seats.",
        "In your turn you play a word, exchange tiles or pass.",
        f"After a play you draw until you have {rack} tiles again, as long as the bag lasts.",
    ]


def _placing(rules: Ruleset) -> list[str]:
    layout = rules.layout
    lines = [
        f"The board ({layout.name}) has {layout.height} rows and {layout.width} columns.",
        f"The first play lays two or more tiles in one line, one of them on {layout.start}.",
        "Every later play lays one or more tiles in one row or column, without a gap.",
        "One of them touches a tile on the board. Words run across or down, never diagonally.",
        "All runs of two or more letters that arise or grow are words of the play, crossings too.",
    ]
    if BLANK in rules.tiles and BLANK in rules.tiles.distribution:
        lines.append(
            "A blank stands for the letter you say when you play it, written in lower case."
        )
        lines.append(_reclaim(rules))
    return lines


def _reclaim(rules: Ruleset) -> str:
    back = (
        "you may put your own tile of that letter in its place and use the blank in the same play: "
        "/play 8H WORd swap=10F. The tile swapped in counts for nothing by itself"
    )
    match rules.reclaim:
        case "off":
            return "It keeps that letter for the whole game."
        case "any":
            return f"Later {back}."
        case "next":
            return f"If you are the very next player, {back}."
        case _:
            assert_never(rules.reclaim)


def _scoring(rules: Ruleset) -> list[str]:
    lines = [f"Points of a tile: {_points(rules.tiles)}."]
    if squares := premium_squares(rules.layout):
        lines += [f"{name.capitalize()} squares: {' '.join(squares[name])}." for name in squares]
        lines += [
            f"Drawn as: {', '.join(premiums(rules.layout))}.",
            (
                "A premium counts only in the turn that covers its square: letters first, then the "
                "whole word, and two word premiums multiply each other."
            ),
        ]
    lines.append("Every word that arises or grows counts; a letter in two words counts twice.")
    if rules.bingo:
        lines.append(
            f"Bingo: all {rules.rack} tiles of a full rack in one turn earn {rules.bingo} more."
        )
    return lines


def _points(tiles: TileSet) -> str:
    by_points: dict[int, list[str]] = {}
    for kind in tiles.kinds:
        if kind.count:
            name = "blank" if kind.tile == BLANK else kind.tile
            by_points.setdefault(kind.points, []).append(f"{name} x{kind.count}")
    return "; ".join(f"{points}: {', '.join(by_points[points])}" for points in sorted(by_points))


def premiums(layout: Layout) -> list[str]:
    """The premium squares of a board: symbol, meaning, and how many there are."""
    symbols = Counter(symbol for row in layout.rows for symbol in row)
    return [
        f"{symbol} {_premium(premium)} ({symbols[symbol]})"
        for symbol, premium in PREMIUMS.items()
        if symbols[symbol] and premium != Premium()
    ]


def premium_squares(layout: Layout) -> dict[str, list[str]]:
    """Where the premium squares of a board are: ``{"triple word": ["1A", "1H", ...]}``."""
    found: dict[str, list[str]] = {}
    for premium in sorted(
        set(PREMIUMS.values()) - {Premium()}, key=lambda it: (-it.word, -it.letter)
    ):
        squares = [
            str(square)
            for row in range(layout.height)
            for column in range(layout.width)
            if layout.premium(square := Square(row, column)) == premium
        ]
        if squares:
            found[_premium(premium)] = squares
    return found


def _premium(premium: Premium) -> str:
    times = {1: "", 2: "double", 3: "triple", 4: "quadruple"}
    part = "letter" if premium.letter > 1 else "word"
    return f"{times[premium.letter * premium.word]} {part}"


def _challenges(rules: Ruleset) -> list[str]:
    if rules.challenge == "void":
        return [
            "Nobody can play a word that is not in the list: it is refused, and you try again.",
            (
                "So there are no challenges; a play that ends the game ends it at once, without "
                f"the {counted(rules.acceptance, 'second')} that a challenge may take."
            ),
        ]
    match rules.challenge:
        case "free":
            risk = "nothing happens"
        case "double":
            risk = "the challenger loses a turn: this one, if it is theirs, or the next"
        case "five" | "ten":
            risk = f"its player gets {CHALLENGE_POINTS[rules.challenge]} points"
        case "triple":
            risk = "the challenger loses the game"
        case _:
            assert_never(rules.challenge)
    worse = ", and whoever played it loses the game" if rules.challenge == "triple" else ""
    return [
        "Nothing checks your words unless somebody challenges: any word may be tried.",
        "Until the next player has moved, any other player may /challenge a play, once.",
        f"If one of its words is not in the list, the play is taken back and the turn lost{worse}.",
        f"If all are in the list, the play stands, and {risk}.",
        (
            "A play that would end the game waits for the others to /accept or /challenge, for "
            f"{counted(rules.acceptance, 'second')} at most."
        ),
    ]


def _exchanging(rules: Ruleset) -> list[str]:
    least = rules.exchange_bag
    bag = f"at least {least} and " if least else ""
    lines = [
        "Instead of a play: /exchange draws new tiles for as many of yours, which then go back.",
        f"The bag must hold {bag}as many as you exchange.",
    ]
    if rules.exchange_least:
        lines.append("An exchange is of one tile or more; /pass gives the turn away.")
    else:
        lines.append("An exchange of no tile is a pass.")
    return lines


def _end(rules: Ruleset) -> list[str]:
    limit = rules.scoreless_limit
    turns = "three turns for each player" if limit is None else f"{limit} turns"
    lines = []
    if rules.target is not None:
        lines.append(
            f"Once somebody has {rules.target} points, those who have not had their turn in this "
            "round have it; then the game ends."
        )
    lines += [
        "The game ends when the bag is empty and a rack is too, or nobody can play any more.",
        (
            f"It also ends after {turns} in a row without a play that stands: passes, exchanges, "
            "plays taken back, turns lost."
        ),
        _adjustment(rules),
        _tie(rules),
        "/resign gives up, on turn or off; the others play on, and the last one left wins.",
    ]
    return lines


def _adjustment(rules: Ruleset) -> str:
    match rules.end_adjustment:
        case "none":
            return "Tiles left on the racks count for nothing."
        case "sum":
            return (
                "Everybody loses the points of the tiles on their rack, and whoever has "
                "none gets those of all the others."
            )
        case "double":
            return (
                "Whoever goes out gets twice the points of the tiles that the others hold; if "
                "nobody does, everybody loses those on their own rack."
            )
        case _:
            assert_never(rules.end_adjustment)


def _tie(rules: Ruleset) -> str:
    match rules.tie_break:
        case "shared":
            return "The highest score wins; equal scores share the win."
        case "before_adjustment":
            return (
                "The highest score wins; of equals, whoever was ahead before tiles left over were "
                "counted, else they share the win."
            )
        case "first_to_target":
            return (
                "The highest score wins; of equals, whoever reached the target first, else they "
                "share the win."
            )
        case _:
            assert_never(rules.tie_break)


def _clock(rules: Ruleset) -> list[str]:
    return [*_time(rules), *_turn_limit(rules), _absence(rules)]


def _turn_limit(rules: Ruleset) -> list[str]:
    if rules.turn_limit is None:
        return []
    return [f"Whoever takes more than {duration(rules.turn_limit)} for one turn loses the game."]


def _absence(rules: Ruleset) -> str:
    after = duration(rules.absence_after)
    match rules.absence:
        case "wait":
            then = "the others may /adjourn or /abort the game without them"
        case "forfeit":
            then = "they lose the game"
        case "adjourn":
            then = "the game is adjourned"
        case "bot":
            then = "a bot plays for them until they are back"
        case _:
            assert_never(rules.absence)
    return f"If somebody is on turn and away for {after} while others wait, {then}."


def _time(rules: Ruleset) -> list[str]:
    if rules.clock is None:
        return ["Take the time you need: there is no clock."]
    lines = [f"Everybody has {duration(rules.clock)} for all turns together (minutes:seconds)."]
    if rules.increment:
        lines.append(f"Every turn adds {counted(rules.increment, 'second')} to it.")
    if rules.overtime and rules.overtime_points:
        lines.append(
            f"Each minute begun beyond that costs {counted(rules.overtime_points, 'point')} at "
            "the end."
        )
    late = f"more than {duration(rules.overtime)} too late" if rules.overtime else "out of time"
    lines.append(f"Whoever is {late} loses the game.")
    return lines


def _words(rules: Ruleset) -> list[str]:
    lookup = (
        "During a game nobody can look words up with /check."
        if rules.may_challenge
        else "/check WORD tells whether a word is in the list, at any time."
    )
    hints = (
        "Whoever is on turn may ask for the best plays, /hint; everybody is told."
        if rules.hints == "on"
        else "Nobody gets a /hint."
    )
    return [f"A word is what the list {rules.lexicon!r} contains, and nothing else.", lookup, hints]


SECTIONS: Final[dict[str, Callable[[Ruleset], list[str]]]] = {
    "setup": _setup,
    "placing": _placing,
    "scoring": _scoring,
    "challenges": _challenges,
    "exchanging": _exchanging,
    "end": _end,
    "clock": _clock,
    "words": _words,
}
"""The sections of the rules, in order, and what writes them."""
