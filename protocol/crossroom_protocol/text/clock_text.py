"""The rules of a room about time in words: the clock, a limit for one turn, people who are away."""

from typing import assert_never

from crossroom_engine.core.rules import Ruleset
from crossroom_protocol.base.translate import say
from crossroom_protocol.base.wording import counted, duration


def clock_lines(rules: Ruleset) -> list[str]:
    """What *rules* say of time, one statement a line."""
    return [*_time(rules), *_turn_limit(rules), _absence(rules)]


def _time(rules: Ruleset) -> list[str]:
    if rules.clock is None:
        return [say("Take the time you need: there is no clock.")]
    lines = [
        say(
            "Everybody has {clock} for all turns together (minutes:seconds).",
            clock=duration(rules.clock),
        )
    ]
    if rules.increment:
        lines.append(
            say("Every turn adds {increment} to it.", increment=counted(rules.increment, "second"))
        )
    if rules.overtime and rules.overtime_points:
        lines.append(
            say(
                "Each minute begun beyond that costs {overtime_points} at the end.",
                overtime_points=counted(rules.overtime_points, "point"),
            )
        )
    late = (
        say("more than {overtime} too late", overtime=duration(rules.overtime))
        if rules.overtime
        else say("out of time")
    )
    lines.append(say("Whoever is {late} loses the game.", late=late))
    return lines


def _turn_limit(rules: Ruleset) -> list[str]:
    if rules.turn_limit is None:
        return []
    return [
        say(
            "Whoever takes more than {turn_limit} for one turn loses the game.",
            turn_limit=duration(rules.turn_limit),
        )
    ]


def _absence(rules: Ruleset) -> str:
    after = duration(rules.absence_after)
    match rules.absence:
        case "wait":
            then = say("the others may /adjourn or /abort the game without them")
        case "forfeit":
            then = say("they lose the game")
        case "adjourn":
            then = say("the game is adjourned")
        case "bot":
            then = say("a bot plays for them until they are back")
        case _:
            assert_never(rules.absence)
    return say(
        "If somebody is on turn and away for {after} while others wait, {then}.",
        after=after,
        then=then,
    )
