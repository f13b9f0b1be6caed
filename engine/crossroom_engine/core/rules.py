"""Every rule of every variant, as data.

A :class:`Ruleset` is written whole into the first event of each game, so a preset may change
tomorrow without touching a game begun today. A variant is one ``replace(...)`` in :data:`PRESETS`;
a host changes single fields with :meth:`Ruleset.override`. Numbers in docstrings and descriptions
refer to the statements in ``engine/RULES.md``.
"""

import difflib
from collections.abc import Iterable
from dataclasses import Field, dataclass, field, fields, replace
from functools import reduce
from typing import Any, Final, Literal, Self, TypeAlias, get_args, get_origin

from crossroom_engine.core import data
from crossroom_engine.core.board import Layout
from crossroom_engine.core.errors import BadRules, BadText
from crossroom_engine.core.phrases import Phrase
from crossroom_engine.core.tiles import TileSet
from crossroom_engine.core.time_controls import (
    SLOW_TURN_S,
    TIME_CONTROL_SETTINGS,
    TIME_CONTROLS,
    read_time,
)
from crossroom_engine.core.units import DAY_S, HOUR_S

FirstPlayer: TypeAlias = Literal["seat", "random", "draw", "rotate", "loser"]
Challenges: TypeAlias = Literal["void", "free", "double", "five", "ten", "triple"]
Reclaim: TypeAlias = Literal["off", "next", "any"]
EndAdjustment: TypeAlias = Literal["none", "sum", "double"]
TargetWinner: TypeAlias = Literal["highest", "first"]
TieBreak: TypeAlias = Literal["shared", "before_adjustment", "first_to_target"]
Hints: TypeAlias = Literal["off", "on"]
Absence: TypeAlias = Literal["wait", "forfeit", "adjourn", "bot"]
NoPlays: TypeAlias = Literal["ends", "goes_on"]
LookUps: TypeAlias = Literal["off", "own", "all"]
EarlyExit: TypeAlias = Literal["cancels", "loses", "auto"]

CHALLENGE_POINTS: Final = {"five": 5, "ten": 10}
"""Points for the player of a good play that was challenged, by ``challenge`` (RULES 4.3)."""


def setting(default: Any, doc: str, low: int | None = None, high: int | None = None) -> Any:
    """Declare a field of the rules: its default, what it means, and its bounds, inclusive."""
    return field(default=default, metadata={"doc": doc, "low": low, "high": high})


def time_setting(default: int | None, doc: str, low: int, high: int) -> Any:
    """Declare a field in seconds, which may be written ``25m`` or ``3d``; see :func:`setting`."""
    bounds = {"low": low, "high": high}
    return field(default=default, metadata={"doc": doc, "is_time": True, **bounds})


@dataclass(frozen=True)
class Ruleset:
    """The rules of one game."""

    layout: Layout = field(metadata={"doc": "the board"})
    tiles: TileSet = field(metadata={"doc": "the tile set: letters, counts, points"})
    preset: str = "official"
    lexicon: str = setting("english", "the word list, by name")
    players: int = setting(4, "most players at the table", 2, 4)
    first_player: FirstPlayer = setting(
        "draw",
        "who begins: the first seat, random, the draw nearest to A; after a draw for the first "
        "game, the players in turn, or who had the lowest score",
    )
    rack: int = setting(7, "tiles on a full rack", 2, 9)
    bingo: int = setting(50, "points for playing a full rack in one turn", 0, 999)
    challenge: Challenges = setting("double", "what a challenge does and risks")
    exchange_least: int = setting(0, "fewest tiles of an exchange; 0 allows none, a pass", 0, 1)
    exchange_bag: int = setting(0, "fewest tiles in the bag for an exchange", 0, 99)
    reclaim: Reclaim = setting("off", "who may put the real letter on a blank and take it")
    target: int | None = setting(None, "points that end the game after the round", 1, 9999)
    target_winner: TargetWinner = setting(
        "highest", "who wins once the target is reached: the highest score, or who reached it first"
    )
    scoreless_limit: int | None = setting(
        None, "scoreless turns in a row that end the game; off means three for each player", 2, 99
    )
    end_adjustment: EndAdjustment = setting("sum", "what tiles left on the racks do to the scores")
    tie_break: TieBreak = setting("before_adjustment", "who wins with equal scores")
    acceptance: int = time_setting(20, "seconds to challenge a play that ends the game", 1, DAY_S)
    clock: int | None = time_setting(None, "seconds for all turns of one player", 1, 10 * DAY_S)
    overtime: int = time_setting(
        600, "seconds a player may exceed the clock before losing", 0, 10 * DAY_S
    )
    overtime_points: int = setting(10, "points lost for each started minute of overtime", 0, 999)
    increment: int = time_setting(0, "seconds that each turn adds to its player's clock", 0, HOUR_S)
    turn_limit: int | None = time_setting(
        None, "seconds for a single turn; whoever takes longer is out", 5, 30 * DAY_S
    )
    absence: Absence = setting("wait", "what happens when a player on turn stays away too long")
    absence_after: int = time_setting(180, "seconds that a player on turn may be away", 10, DAY_S)
    early_exit: EarlyExit = setting(
        "cancels",
        "leaving before the first move: cancels the game, loses it, or auto: loses it if the game "
        "is rated or timed",
    )
    no_plays: NoPlays = setting(
        "ends", "what an empty bag does when nobody has a possible play: the game ends, or goes on"
    )
    look_ups: LookUps = setting(
        "off",
        "may words be looked up in a game with challenges, /check: by nobody, by players for "
        "themselves, by all",
    )
    hints: Hints = setting("off", "may a player on turn ask for the best plays, /hint")

    def __post_init__(self) -> None:
        for spec in settings():
            _check(spec, getattr(self, spec.name))
        if self.players * self.rack > len(self.tiles.distribution):
            raise BadRules(
                "{players} racks of {rack} tiles are more than the bag holds",
                players=self.players,
                rack=self.rack,
            )

    @property
    def may_challenge(self) -> bool:
        """Whether the players judge words, rather than the server at once."""
        return self.challenge != "void"

    @property
    def needs_presence(self) -> bool:
        """Whether the player on turn must be there, as turns are short (RULES 6.13)."""
        return self.turn_limit is None or self.turn_limit < SLOW_TURN_S

    @property
    def time_control(self) -> str | None:
        """The name of the time control that these rules have, if it is one of those by name."""
        return next((name for name in TIME_CONTROLS if self == self.with_time_control(name)), None)

    def with_time_control(self, name: str) -> Self:
        """Return these rules with a time control of :data:`~.time_controls.TIME_CONTROLS`.

        Raises:
            KeyError: there is none of that name.
        """
        usual = PRESETS.get(self.preset, self)
        given = {part: getattr(usual, part) for part in TIME_CONTROL_SETTINGS}
        return replace(self, **given | TIME_CONTROLS[name])

    def early_exit_loses(self, *, rated: bool) -> bool:
        """Return whether leaving before the first move loses the game (RULES 6.6)."""
        timed = self.clock is not None or self.turn_limit is not None
        return self.early_exit == "loses" or (self.early_exit == "auto" and (rated or timed))

    def scoreless_turns(self, players: int) -> int:
        """Return the scoreless turns in a row that end a game of so many *players*."""
        return 3 * players if self.scoreless_limit is None else self.scoreless_limit

    def override(self, name: str, text: str) -> Self:
        """Return these rules with one setting changed, as a person types it.

        ``off`` stands for None; layouts and tile sets are given by name.

        Raises:
            BadRules: no such setting, no such value, or a contradiction; says what would do.
        """
        spec = next((spec for spec in settings() if spec.name == name), None)
        if spec is None:
            names = [spec.name for spec in settings()]
            if near := difflib.get_close_matches(name, names, 1):
                raise BadRules(
                    "there is no setting {name!r}; did you mean {near}?", name=name, near=near[0]
                )
            known = ", ".join(names)
            raise BadRules(
                "there is no setting {name!r}; there are: {known}", name=name, known=known
            )
        return replace(self, **{name: _read(spec, text)})


def settings() -> tuple[Field[Any], ...]:
    """Return the fields that a host may change, in order; ``metadata["doc"]`` explains each."""
    return tuple(spec for spec in fields(Ruleset) if "doc" in spec.metadata)


def format_setting(value: object) -> str:
    """Write a setting's value as :meth:`Ruleset.override` reads it."""
    return "off" if value is None else getattr(value, "name", str(value))


def describe_values(spec: Field[Any]) -> str:
    """Name the values of a setting, for people: ``"2 to 4"``, ``"off or any or next"``."""
    if get_origin(spec.type) is Literal:
        return _either(get_args(spec.type))
    if spec.type is Layout:
        return _either(data.list_names("layouts", ".txt"))
    if spec.type is TileSet:
        return _either(data.list_names("tiles", ".csv"))
    if spec.type is str:
        return Phrase("a name")
    low, high = spec.metadata["low"], spec.metadata["high"]
    if "is_time" in spec.metadata and spec.type is int:
        return Phrase("{low} to {high}, or as in 90s, 25m, 3d", low=low, high=high)
    if "is_time" in spec.metadata:
        return Phrase("{low} to {high}, as in 90s, 25m, 3d, or off", low=low, high=high)
    if spec.type is int:
        return Phrase("{low} to {high}", low=low, high=high)
    return Phrase("{low} to {high}, or off", low=low, high=high)


def _either(names: Iterable[str]) -> str:
    """Join names: ``off or any or next``."""
    return reduce(lambda one, other: Phrase("{one} or {other}", one=one, other=other), names)


def _read(spec: Field[Any], text: str) -> Any:
    try:
        if spec.type is Layout:
            return data.layout(text)
        if spec.type is TileSet:
            return data.tileset(text)
    except BadText as error:
        raise BadRules(str(error)) from None
    if get_origin(spec.type) is Literal or spec.type is str:
        return text
    if text == "off" and spec.type is not int:
        return None
    if "is_time" in spec.metadata and (seconds := read_time(text)) is not None:
        return seconds
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise BadRules(
        "{name} is {values}, not {text!r}", name=spec.name, values=describe_values(spec), text=text
    )


def _check(spec: Field[Any], value: object) -> None:
    low, high = spec.metadata.get("low"), spec.metadata.get("high")
    known: tuple[Any, ...] | range | None = None
    if get_origin(spec.type) is Literal:
        known = get_args(spec.type)
    elif isinstance(value, int) and low is not None and high is not None:
        known = range(low, high + 1)
    if known is not None and value not in known:
        raise BadRules(
            "{name} is {values}, not {value!r}",
            name=spec.name,
            values=describe_values(spec),
            value=value,
        )


_OFFICIAL = Ruleset(
    data.layout("standard"), data.tileset("english"), acceptance=60, early_exit="auto"
)

PRESETS: Final = {
    rules.preset: rules
    for rules in (
        _OFFICIAL,
        replace(
            _OFFICIAL,
            preset="classic",
            first_player="seat",
            challenge="free",
            exchange_least=1,
            tie_break="shared",
        ),
        replace(
            _OFFICIAL,
            preset="race",
            first_player="seat",
            bingo=15,
            challenge="void",
            exchange_least=1,
            reclaim="next",
            target=200,
            end_adjustment="none",
            tie_break="first_to_target",
        ),
        replace(
            _OFFICIAL,
            preset="tournament",
            players=2,
            exchange_least=1,
            exchange_bag=7,
            scoreless_limit=6,
            end_adjustment="double",
            tie_break="shared",
            clock=1500,
            no_plays="goes_on",
        ),
        replace(
            _OFFICIAL,
            preset="super",
            layout=data.layout("super"),
            tiles=data.tileset("english-super"),
        ),
    )
}
"""The rules that are published, by name; ``official`` is the default."""

FORMER_VALUES: Final[dict[str, dict[str, object]]] = {
    "acceptance": dict.fromkeys(PRESETS, 20),
    "early_exit": dict.fromkeys(PRESETS, "cancels"),
    "no_plays": {"tournament": "ends"},
    "reclaim": {"race": "any"},
}
"""What settings were in former versions, by setting and preset: such games are still rated."""
