"""The rules of a room in words, made from the fields of its :class:`Ruleset`.

Nothing is written here that is not read from a field, so the text cannot disagree with play.
"""

from collections.abc import Callable
from typing import Final, assert_never

from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.rules import CHALLENGE_POINTS, PRESETS, Ruleset, format_setting, settings
from crossroom_engine.core.tiles import BLANK, TileSet
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_wait, join_and, shown_name
from crossroom_protocol.text.premiums import premium_legend, premium_squares
from crossroom_protocol.text.rules_time_text import clock_lines


def rules_summary(rules: Ruleset, lexicon: str | None = None) -> str:
    """The rules in one breath: ``official rules, lexicon english``, or what differs from them."""
    preset = PRESETS.get(rules.preset)
    changed = [
        f"{spec.name} {format_setting(getattr(rules, spec.name))}"
        for spec in settings()
        if spec.name != "lexicon"
        and preset is not None
        and getattr(rules, spec.name) != getattr(preset, spec.name)
    ]
    but = gettext(" but {changed}", changed=", ".join(changed)) if changed else ""
    return gettext(
        "{preset} rules{but}, lexicon {lexicon}",
        preset=shown_name(rules.preset),
        but=but,
        lexicon=lexicon or rules.lexicon,
    )


def rules_lines(rules: Ruleset, section: str = "") -> tuple[str, ...]:
    """The rules, or the section whose name begins like *section*, one statement a line.

    Raises:
        Refusal: ``BAD_ARGS``, there is no such section; lists those there are.
    """
    wanted = section.lower()
    chosen = [name for name in SECTIONS if name.startswith(wanted)]
    if not chosen:
        raise Refusal(
            "BAD_ARGS",
            "/r alone shows everything; sections are {sections}",
            sections=join_and(list(SECTIONS)),
        )
    lines = []
    if not wanted:
        told, sections = rules_summary(rules), "|".join(SECTIONS)
        lines = [gettext("{summary}; one section: /r {sections}", summary=told, sections=sections)]
    for name in chosen:
        lines += [shown_name(name).upper(), *SECTIONS[name](rules)]
    return tuple(lines)


def _draw_for_first() -> str:
    return gettext(
        "Everybody draws a tile, and the one nearest to A begins; a blank comes before A, "
        "a tie is drawn again, and the tiles go back"
    )


def _setup(rules: Ruleset) -> list[str]:
    count, rack = len(rules.tiles.distribution), rules.rack
    match rules.first_player:
        case "seat":
            first = gettext("The first seat begins")
        case "random":
            first = gettext("Who begins is left to chance")
        case "draw":
            first = _draw_for_first()
        case "rotate":
            first = _draw_for_first() + gettext("; in later games the players begin in turn")
        case "loser":
            first = _draw_for_first() + gettext("; in later games the lowest score begins")
        case _:
            assert_never(rules.first_player)
    return [
        gettext("2 to {players} players.", players=rules.players)
        if rules.players > 2
        else gettext("2 players."),
        gettext(
            "A bag of {count} tiles ({name}); everybody draws {rack} and keeps them secret.",
            count=count,
            name=rules.tiles.name,
            rack=rack,
        ),
        gettext("{first}. Turns go round in the order of the seats.", first=first),
        gettext("In your turn you play a word, exchange tiles or pass."),
        gettext(
            "After a play you draw until you have {rack} tiles again, as long as the bag lasts.",
            rack=rack,
        ),
    ]


def _placing(rules: Ruleset) -> list[str]:
    layout = rules.layout
    lines = [
        gettext(
            "The board ({name}) has {height} rows and {width} columns.",
            name=layout.name,
            height=layout.height,
            width=layout.width,
        ),
        gettext(
            "The first play lays two or more tiles in one line, one of them on {start}.",
            start=layout.start,
        ),
        gettext("Every later play lays one or more tiles in one row or column, without a gap."),
        gettext(
            "One of them touches a tile on the board. Words run across or down, never diagonally."
        ),
        gettext(
            "All runs of two or more letters that are formed or extended are words of the play, "
            "crossings too."
        ),
    ]
    if BLANK in rules.tiles and BLANK in rules.tiles.distribution:
        lines.append(
            gettext(
                "A blank stands for the letter you say when you play it, written in lower case."
            )
        )
        lines.append(_reclaim(rules))
    return lines


def _reclaim(rules: Ruleset) -> str:
    back = gettext(
        "you may put your own tile of that letter in its place and use the blank in the same play: "
        "/play 8H WORd swap=10F. The tile swapped in counts for nothing by itself"
    )
    match rules.reclaim:
        case "off":
            return gettext("It keeps that letter for the whole game.")
        case "any":
            return gettext("Later {back}.", back=back)
        case "next":
            return gettext("If you are the very next player, {back}.", back=back)
        case _:
            assert_never(rules.reclaim)


def _scoring(rules: Ruleset) -> list[str]:
    lines = [gettext("Points of a tile: {points}.", points=_points(rules.tiles))]
    if squares := premium_squares(rules.layout):
        lines += [
            gettext(
                "{name} squares: {squares}.",
                name=name[:1].upper() + name[1:],
                squares=" ".join(squares[name]),
            )
            for name in squares
        ]
        lines += [
            gettext("Drawn as: {premiums}.", premiums=", ".join(premium_legend(rules.layout))),
            (
                gettext(
                    "A premium counts only in the turn that covers its square: letters first, then "
                    "the whole word, and two word premiums multiply each other."
                )
            ),
        ]
    lines.append(
        gettext("Every word formed or extended counts; a letter in two words counts twice.")
    )
    if rules.bingo:
        lines.append(
            gettext(
                "Bingo: all {rack} tiles of a full rack in one turn earn {bingo} more.",
                rack=rules.rack,
                bingo=rules.bingo,
            )
        )
    return lines


def _points(tiles: TileSet) -> str:
    by_points: dict[int, list[str]] = {}
    for kind in tiles.kinds:
        if kind.count:
            name = gettext("blank") if kind.tile == BLANK else kind.tile
            by_points.setdefault(kind.points, []).append(
                gettext("{name} x{count}", name=name, count=kind.count)
            )
    return "; ".join(f"{points}: {', '.join(by_points[points])}" for points in sorted(by_points))


def _challenges(rules: Ruleset) -> list[str]:
    if rules.challenge == "void":
        return [
            gettext(
                "Nobody can play a word that is not in the list: it is refused, and you try again."
            ),
            (
                gettext(
                    "So there are no challenges; a play that ends the game ends it at once, "
                    "without the {acceptance} that a challenge may take.",
                    acceptance=format_wait(rules.acceptance),
                )
            ),
        ]
    match rules.challenge:
        case "free":
            risk = gettext("nothing happens")
        case "double":
            risk = gettext("the challenger loses a turn: this one, if it is theirs, or the next")
        case "five" | "ten":
            risk = gettext(
                "its player gets {points} points",
                points=CHALLENGE_POINTS[rules.challenge],
            )
        case "triple":
            risk = gettext("the challenger loses the game")
        case _:
            assert_never(rules.challenge)
    return [
        gettext("Words are checked only when challenged: any word may be tried."),
        gettext("Until the next player has moved, any other player may /challenge a play, once."),
        gettext(
            "If one of its words is not in the list, the play is taken back and the turn lost, and "
            "whoever played it loses the game."
        )
        if rules.challenge == "triple"
        else gettext(
            "If one of its words is not in the list, the play is taken back and the turn lost."
        ),
        gettext("If all are in the list, the play stands, and {risk}.", risk=risk),
        (
            gettext(
                "A play that would end the game waits for the others to /accept or /challenge, "
                "for {acceptance} at most.",
                acceptance=format_wait(rules.acceptance),
            )
        ),
    ]


def _exchanging(rules: Ruleset) -> list[str]:
    least = rules.exchange_bag
    lines = [
        gettext(
            "Instead of a play: /exchange draws new tiles for as many of yours, which then go back."
        ),
        gettext("The bag must hold at least {least} and as many as you exchange.", least=least)
        if least
        else gettext("The bag must hold as many as you exchange."),
    ]
    if rules.exchange_least:
        lines.append(gettext("An exchange is of one tile or more; /pass gives the turn away."))
    else:
        lines.append(gettext("An exchange of no tile is a pass."))
    return lines


def _end(rules: Ruleset) -> list[str]:
    limit = rules.scoreless_limit
    turns = (
        gettext("three turns for each player")
        if limit is None
        else gettext("{limit} turns", limit=limit)
    )
    lines = []
    if rules.target is not None:
        lines.append(
            gettext(
                "Once somebody has {target} points, those who have not had their turn in this "
                "round have it; then the game ends.",
                target=rules.target,
            )
        )
    lines += [
        gettext(
            "The game ends when the bag is empty and a rack is too, or nobody can play any more."
        )
        if rules.no_plays == "ends"
        else gettext("The game ends when the bag is empty and a rack is too."),
        (
            gettext(
                "It also ends after {turns} in a row without a play that stands: passes, "
                "exchanges, plays taken back, turns lost.",
                turns=turns,
            )
        ),
        _adjustment(rules),
        _tie(rules),
        gettext(
            "/resign yes gives up, whether or not it is your turn; the others play on, and the "
            "last one left wins."
        ),
        _early_exit(rules),
    ]
    return lines


def _early_exit(rules: Ruleset) -> str:
    match rules.early_exit:
        case "cancels":
            return gettext("A game that ends before anybody has moved is cancelled.")
        case "loses":
            return gettext("Who leaves before the first move loses, too.")
        case "auto" if rules.early_exit_loses(rated=False):
            return gettext("Who leaves before the first move loses, too, as this game is timed.")
        case "auto":
            return gettext(
                "A game that ends before anybody has moved is cancelled, unless it is rated."
            )
        case _:
            assert_never(rules.early_exit)


def _adjustment(rules: Ruleset) -> str:
    match rules.end_adjustment:
        case "none":
            return gettext("Tiles left on the racks count for nothing.")
        case "sum":
            return gettext(
                "Everybody loses the points of the tiles on their rack, and whoever has "
                "none gets those of all the others."
            )
        case "double":
            return gettext(
                "Whoever goes out gets twice the points of the tiles that the others hold; if "
                "nobody does, everybody loses those on their own rack."
            )
        case _:
            assert_never(rules.end_adjustment)


def _tie(rules: Ruleset) -> str:
    if rules.target is not None and rules.target_winner == "first":
        return gettext(
            "Whoever reached {target} points first wins, whatever the others have; if nobody did, "
            "the highest score wins.",
            target=rules.target,
        )
    match rules.tie_break:
        case "shared":
            return gettext("The highest score wins; equal scores share the win.")
        case "before_adjustment":
            return gettext(
                "The highest score wins; of equals, whoever was ahead before tiles left over were "
                "counted, else they share the win."
            )
        case "first_to_target":
            return gettext(
                "The highest score wins; of equals, whoever reached the target first, else they "
                "share the win."
            )
        case _:
            assert_never(rules.tie_break)


def _look_ups(rules: Ruleset) -> str:
    always = gettext("/check WORD tells whether a word is in the list, at any time.")
    if not rules.may_challenge:
        return always
    match rules.look_ups:
        case "off":
            return gettext("During a game nobody can look words up with /check.")
        case "own":
            return gettext("During a game, /check tells players alone whether a word is listed.")
        case "all":
            return always
        case _:
            assert_never(rules.look_ups)


def _words(rules: Ruleset) -> list[str]:
    lookup = _look_ups(rules)
    hints = (
        gettext("Whoever is on turn may ask for the best plays, /hint; everybody is told.")
        if rules.hints == "on"
        else gettext("There are no hints.")
    )
    return [
        gettext(
            "A word is what the list {lexicon!r} contains, and nothing else.", lexicon=rules.lexicon
        ),
        lookup,
        hints,
    ]


PRESET_SUMMARIES: Final = {
    "official": Phrase(
        "The usual game: 50 points extra for all seven tiles at once, and a challenge that fails "
        "costs the next turn."
    ),
    "classic": Phrase("As older boxes have it: the first seat begins, and challenges are free."),
    "race": Phrase("The first to 200 points; the server checks every word at once."),
    "tournament": Phrase("Two players with 25 minutes each, as clubs play."),
    "super": Phrase("A board of 21 by 21 squares, and 200 tiles."),
}
"""Each preset in a sentence, for who chooses one."""

SECTIONS: Final[dict[str, Callable[[Ruleset], list[str]]]] = {
    "setup": _setup,
    "placing": _placing,
    "scoring": _scoring,
    "challenges": _challenges,
    "exchanging": _exchanging,
    "end": _end,
    "clock": clock_lines,
    "words": _words,
}
"""The sections of the rules, in order, and what writes them."""
