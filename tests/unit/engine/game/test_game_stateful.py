"""Whatever people try, what RULES 7 says stays true.

Most of what is tried is legal, or the game would never get anywhere; and the last test asserts that
everything that can happen under each set of rules did.
"""

from collections.abc import Iterator
from random import Random
from typing import Final, get_args

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from crossroom_engine.core.coordinates import Spot, Square
from crossroom_engine.core.events import AdjournReason, Event, Seat
from crossroom_engine.core.moves import (
    Abort,
    Accept,
    Adjourn,
    CallTime,
    Challenge,
    Continue,
    Exchange,
    Forfeit,
    Move,
    Pass,
    Place,
    Resign,
)
from crossroom_engine.core.rules import CHALLENGE_POINTS, Ruleset
from crossroom_engine.core.tiles import BLANK, multiset
from crossroom_engine.movegen import plays
from tests.support.examples import examples
from tests.support.tiny_ruleset import LAYOUT, RULES, CheckedGame, facts

SPOTS: Final = [
    Spot(row, col, across)
    for row in range(LAYOUT.height + 1)
    for col in range(LAYOUT.width + 1)
    for across in (True, False)
]


def legal_plays(session: CheckedGame) -> list[Place]:
    game = session.game
    rack, blanks = game.players[game.on_turn].rack, game.reclaimable(game.on_turn)
    return [
        play.move for play in sorted(plays(game.rules, game.board, rack, session.lexicon, blanks))
    ]


def as_typed(tiles: tuple[str, ...]) -> str:
    return "".join("c" if tile == BLANK else tile for tile in tiles)


def phonies(session: CheckedGame, tiles: tuple[str, ...]) -> Iterator[Place]:
    """*tiles* in every place where they might lie."""
    yield from (Place(spot, as_typed(tiles)) for spot in SPOTS)


class GameMachine(RuleBasedStateMachine):
    session: CheckedGame

    @initialize(
        name=st.sampled_from(sorted(RULES)),
        players=st.integers(2, 4),
        seed=st.integers(0, 99),
        sealed=st.booleans(),
    )
    def begin(self, name: str, players: int, seed: int, sealed: bool) -> None:
        self.session = CheckedGame(RULES[name], min(players, RULES[name].players), seed, sealed)

    @property
    def on_turn(self) -> Seat:
        return self.session.game.on_turn

    @property
    def rack(self) -> tuple[str, ...]:
        return self.session.game.players[self.on_turn].rack

    def is_playing(self) -> bool:
        return self.session.game.phase == "playing" and not self.session.game.adjourned

    @precondition(is_playing)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        if found := legal_plays(self.session):
            assert self.session.attempt(self.on_turn, data.draw(st.sampled_from(found)))

    @precondition(is_playing)
    @rule(data=st.data())
    def play_a_phony(self, data: st.DataObject) -> None:
        tiles = data.draw(st.permutations(self.rack))[: data.draw(st.integers(1, 3))]
        any(self.session.attempt(self.on_turn, move) for move in phonies(self.session, (*tiles,)))

    @rule(
        seat=st.integers(0, 3),
        spot=st.sampled_from(SPOTS),
        text=st.text("ABCabc.()[]?*Ä ", max_size=5),
        swaps=st.lists(st.builds(Square, st.integers(0, 7), st.integers(0, 7)), max_size=2),
    )
    def play_nonsense(self, seat: int, spot: Spot, text: str, swaps: list[Square]) -> None:
        self._try(seat, Place(spot, text, tuple(swaps)))

    @precondition(is_playing)
    @rule(data=st.data())
    def exchange(self, data: st.DataObject) -> None:
        tiles = data.draw(st.permutations(self.rack))[: data.draw(st.integers(0, 3))]
        self.session.attempt(self.on_turn, Exchange(tuple(tiles)))

    @rule(tiles=st.lists(st.sampled_from("ABC?Z"), max_size=4), seat=st.integers(0, 3))
    def exchange_nonsense(self, tiles: list[str], seat: int) -> None:
        self._try(seat, Exchange(multiset(tiles)))

    @rule(seat=st.integers(0, 3))
    def pass_(self, seat: int) -> None:
        self._try(seat, Pass())

    @rule(seat=st.integers(0, 3))
    def challenge(self, seat: int) -> None:
        self._try(seat, Challenge())

    @rule(seat=st.integers(0, 3))
    def accept(self, seat: int) -> None:
        self._try(seat, Accept())

    @precondition(lambda self: len(self.session.log) > 12)
    @rule(seat=st.integers(0, 3))
    def resign(self, seat: int) -> None:
        self._try(seat, Resign())

    @rule(seconds=st.integers(0, 40), looks=st.booleans())
    def wait(self, seconds: int, looks: bool) -> None:
        self.session.now += seconds * 1000
        if looks:
            self.session.officiate(CallTime())

    @rule(why=st.sampled_from(["server", "agreed", "absent"]))
    def adjourn(self, why: AdjournReason) -> None:
        self.session.officiate(Adjourn(why))

    @rule(seat=st.integers(0, 3))
    def undo(self, seat: int) -> None:
        self.session.undo_turn(seat)

    @precondition(lambda self: len(self.session.log) > 12)
    @rule(seat=st.integers(0, 3), aborts=st.booleans())
    def end(self, seat: int, aborts: bool) -> None:
        self.session.officiate(Abort() if aborts else Forfeit(seat))

    @rule()
    def continue_(self) -> None:
        self.session.officiate(Continue())

    def _try(self, seat: Seat, move: Move) -> None:
        self.session.attempt(seat % len(self.session.game.players), move)

    @invariant()
    def the_rules_hold(self) -> None:
        if hasattr(self, "session"):
            self.session.check()

    def teardown(self) -> None:
        if hasattr(self, "session"):
            self.session.finish()
            self.session.check_fair()
            self.session.check()
            self.session.check_replay(1, len(self.session.log) // 2)


GameMachine.TestCase.settings = settings(examples(100), stateful_step_count=40)
TestGame = GameMachine.TestCase


# The same by chance alone, to see that everything does happen.

MOODS: Final = ("plays", "quarrels", "shirks", "dawdles", "leaves", "agrees", "deserts")
"""What a table does more of than others do."""

ENOUGH: Final = 400
"""Games in which the rarest event has its chance; a tenth of them is the usual."""


def play_a_game(rules: Ruleset, players: int, seed: int, sealed: bool = False) -> CheckedGame:
    session, dice = CheckedGame(rules, players, seed, sealed), Random(seed)
    mood = MOODS[seed % len(MOODS)]
    for _ in range(300):
        if session.game.phase == "over":
            return session
        move_somehow(session, dice, mood)
    raise AssertionError("it does not end")


def move_somehow(session: CheckedGame, dice: Random, mood: str) -> None:
    game, seats = session.game, range(len(session.game.players))
    chance = dice.random()
    session.now += dice.randint(0, 12_000 if mood == "dawdles" else 1_000)
    if chance < (0.5 if mood == "leaves" else 0.01):
        seat = dice.choice(seats)
        if dice.random() < 0.5:
            session.attempt(seat, Resign())
        else:
            session.officiate(Forfeit(seat))
    elif mood == "deserts" and len(game.awaited) > 1 and dice.random() < 0.7:
        session.attempt(dice.choice(game.awaited), Resign())
    elif game.adjourned:
        session.officiate(Continue())
    elif mood == "agrees" and chance < 0.4:
        agree(session, dice)
    elif chance < 0.35 and mood == "dawdles":
        session.now += dice.randint(0, 60_000)
        session.officiate(dice.choice((CallTime(), CallTime(), Adjourn(), Continue())))
    elif game.open_play is not None and dice.random() < (0.7 if mood == "quarrels" else 0.2):
        session.attempt(dice.choice(seats), Challenge())
    elif game.phase == "last_word":
        session.attempt(dice.choice(seats), Accept())
    else:
        use_turn(session, dice, mood)


def agree(session: CheckedGame, dice: Random) -> None:
    if dice.random() < 0.8:
        session.undo_turn(session.game.undoable or 0)
    else:
        session.officiate(dice.choice((Adjourn("agreed"), Adjourn("absent"), Abort())))


def use_turn(session: CheckedGame, dice: Random, mood: str) -> None:
    seat, rack = session.game.on_turn, session.game.players[session.game.on_turn].rack
    chance = dice.random()
    tiles = tuple(dice.sample(rack, dice.randint(1, len(rack))))
    if chance < (0.8 if mood == "shirks" else 0.05):
        session.attempt(seat, dice.choice((Pass(), Exchange(tiles))))
    elif chance < (0.4 if mood in ("quarrels", "deserts") else 0.1):
        any(session.attempt(seat, move) for move in dice.sample([*phonies(session, tiles)], 20))
    elif found := legal_plays(session):
        session.attempt(seat, dice.choice(found))
    else:
        session.attempt(seat, Pass())


def possible(rules: Ruleset) -> set[str]:
    """Everything that can happen under these rules: kinds of events, and reasons."""
    facts = {event.__dataclass_fields__["kind"].default for event in get_args(Event)}
    facts |= {f"ended: {why}" for why in ("out", "no_plays", "scoreless", "resigned", "cancelled")}
    facts |= {"ended: aborted", "ended: absent", "retired: absent"}
    facts |= {"retired: resigned", "awarded: left_over", "awarded: went_out", "played: reclaimed"}
    facts |= {"awarded: challenge", "retired: challenge", "ended: challenge"}
    facts |= {"awarded: overtime", "retired: time", "ended: time", "ended: target"}
    facts |= {f"last_word_awaited: {why}" for why in ("out", "no_plays", "target")}
    if rules.no_plays == "goes_on":
        facts -= {"ended: no_plays", "last_word_awaited: no_plays"}
    if rules.first_player != "draw":
        facts -= {"drew_for_first"}
    if not rules.may_challenge:
        facts -= {"challenged", "withdrawn", "accepted", "rack_returned"}
        facts = {fact for fact in facts if not fact.startswith("last_word")}
    if rules.challenge != "double":
        facts -= {"turn_skipped", "turn_forfeited"}
    if rules.players == 2:
        facts -= {"turn_forfeited", "rack_returned"}
    if rules.challenge not in CHALLENGE_POINTS:
        facts -= {"awarded: challenge"}
    if rules.challenge != "triple":
        facts -= {"retired: challenge", "ended: challenge"}
    if rules.target is None:
        facts -= {"target_reached", "ended: target", "last_word_awaited: target"}
    if rules.clock is None:
        facts -= {"awarded: overtime", "retired: time", "ended: time"}
    if rules.early_exit_loses(rated=False):
        facts -= {"ended: cancelled"}
    if rules.reclaim == "off":
        facts -= {"played: reclaimed"}
    if rules.end_adjustment == "none":
        facts -= {"awarded: left_over", "awarded: went_out"}
    return facts if any(fact.startswith("awarded:") for fact in facts) else facts - {"awarded"}


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_everything_that_can_happen_does_and_nothing_else(name: str) -> None:
    rules, happened = RULES[name], set[str]()
    for seed in range(ENOUGH):
        session = play_a_game(rules, 2 + seed % (rules.players - 1), seed, sealed=seed % 2 == 1)
        session.check_replay(len(session.log) // 2)
        session.check_fair()
        happened |= facts(session.log)
        if seed > 25 and happened == possible(rules):
            return
    assert happened == possible(rules)
