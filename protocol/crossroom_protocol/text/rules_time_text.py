"""The rules of a room about time in words: the clock, a limit for one turn, people who are away."""

from typing import assert_never

from crossroom_engine.core.rules import Ruleset
from crossroom_protocol.base.translate import gettext
from crossroom_protocol.base.wording import format_count, format_duration


def clock_lines(rules: Ruleset) -> list[str]:
    """List what *rules* say of time, one statement a line."""
    lines = _time(rules)
    if rules.turn_limit is not None:
        lines.append(
            gettext(
                "Whoever takes more than {turn_limit} for one turn loses the game.",
                turn_limit=format_duration(rules.turn_limit),
            )
        )
    return [*lines, _absence(rules)] if rules.needs_presence else lines


def _time(rules: Ruleset) -> list[str]:
    if rules.clock is None:
        if rules.turn_limit is not None:
            return []
        return [gettext("Take the time you need: there is no clock.")]
    lines = [
        gettext(
            "Everybody has {clock} for all turns together (minutes:seconds).",
            clock=format_duration(rules.clock),
        )
    ]
    if rules.increment:
        lines.append(
            gettext(
                "Every turn adds {increment} to it.",
                increment=format_count(rules.increment, "second"),
            )
        )
    if rules.overtime and rules.overtime_points:
        lines.append(
            gettext(
                "Each minute begun beyond that costs {overtime_points} at the end.",
                overtime_points=format_count(rules.overtime_points, "point"),
            )
        )
    late = (
        gettext("more than {overtime} too late", overtime=format_duration(rules.overtime))
        if rules.overtime
        else gettext("out of time")
    )
    lines.append(gettext("Whoever is {late} loses the game.", late=late))
    return lines


def _absence(rules: Ruleset) -> str:
    after = format_duration(rules.absence_after)
    match rules.absence:
        case "wait":
            then = gettext("the others may /adjourn or /abort the game without them")
        case "forfeit":
            then = gettext("they lose the game")
        case "adjourn":
            then = gettext("the game is adjourned")
        case "bot":
            then = gettext("a bot plays for them until they are back")
        case _:
            assert_never(rules.absence)
    return gettext(
        "If somebody is on turn and away for {after} while others wait, {then}.",
        after=after,
        then=then,
    )
