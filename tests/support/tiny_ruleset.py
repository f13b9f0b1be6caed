"""Games so small that every ending is near, and what must be true of each of them (RULES 7).

Rules are data, so they are scaled down: a board of 7 by 7, 15 tiles, racks of three.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

import pytest

from crossroom_engine.core.board import Layout
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.events import (
    Awarded,
    Drew,
    Ended,
    Event,
    Exchanged,
    LastWordAwaited,
    Passed,
    Played,
    RackReturned,
    Retired,
    Seat,
    Started,
    Undone,
    Withdrawn,
)
from crossroom_engine.core.moves import (
    Accept,
    Challenge,
    Continue,
    Exchange,
    Move,
    OfficialMove,
    Pass,
    Resign,
    Undo,
)
from crossroom_engine.core.rules import PRESETS, Ruleset
from crossroom_engine.core.tiles import BLANK, TileSet, multiset
from crossroom_engine.game.draw_verification import verify_draws
from crossroom_engine.game.game import Game, Player, apply, replay
from crossroom_engine.game.referee import DecisionContext, decide, decide_official, start_game
from crossroom_engine.game.timing import due_at, is_late
from crossroom_engine.game.undo import without_undone
from crossroom_engine.game.views import MoveOption, move_options, redact, view
from tests.support.game_driver import NAMES, all_tiles, kinds, word_list

TILES: Final = TileSet.from_csv("small", "A,6,1\nB,4,3\nC,3,4\n?,2,0")
LAYOUT: Final = Layout.from_text(
    "small",
    """
    =..'..=
    .-...-.
    .."."..
    '..*..'
    .."."..
    .-...-.
    =..'..=
    """,
)
WORDS: Final = "AA AB BA AAB ABA BAA BAB CAB CABA BACA"


def _small(preset: str, **changes: object) -> Ruleset:
    rules = replace(
        PRESETS[preset], layout=LAYOUT, tiles=TILES, lexicon="tiny", rack=3, exchange_bag=0
    )
    return replace(rules, **changes)  # type: ignore[arg-type]  # names and values go together


_CLUB: Final = {"clock": 60, "overtime": 60, "exchange_bag": 4}

RULES: Final = {
    "classic": _small("classic"),
    "official": _small("official"),
    "race": _small("race", target=40),
    "tournament": _small("tournament", **_CLUB),
    "five": _small("tournament", **_CLUB, challenge="five"),
    "ten": _small("official", challenge="ten", first_player="random"),
    "triple": _small("official", challenge="triple"),
    "void": _small("official", challenge="void"),
    "race with challenges": _small("race", target=40, challenge="double"),
    "race for points of challenges": _small("race", target=40, challenge="five", reclaim="next"),
    "race against time": _small("race", target=40, reclaim="next", **_CLUB),
    "club of four": _small("tournament", **_CLUB, players=4, reclaim="any"),
}
"""Every preset, and every setting that changes how a game goes."""


def whole(game: Game) -> tuple[str, ...]:
    """A game with everything in it, what its text leaves out as well."""
    earlier = () if game.before is None else whole(game.before)
    return (repr(game), game.seed, *earlier)


class CheckedGame:
    """A game that is checked after every move that is tried."""

    def __init__(self, rules: Ruleset, players: int, seed: int, sealed: bool = False) -> None:
        self.dice, self.now, self.began = Random(seed), 5_000, 5_000
        self.lexicon = word_list(WORDS, rules.tiles)
        secret = f"{seed:064x}" if sealed else ""
        self.log = list(start_game(rules, NAMES[:players], self.context, secret))
        self.game = replay(self.log)
        self.before = self.game

    @property
    def context(self) -> DecisionContext:
        return DecisionContext(self.lexicon, self.dice, self.now)

    def attempt(self, seat: Seat, move: Move) -> bool:
        """Try a move; a refusal must change nothing, and tell nothing (RULES 7.4, 7.5)."""
        before, dice = whole(self.game), self.dice.getstate()
        try:
            events = decide(self.game, seat, move, self.context)
        except IllegalMove as refusal:
            assert (whole(self.game), self.dice.getstate()) == (before, dice)
            self._check_refusal_tells_nothing(seat, move, refusal)
            return False
        self._happened(events)
        return True

    def officiate(self, duty: OfficialMove) -> None:
        self._happened(decide_official(self.game, duty, self.context))

    def undo_turn(self, seat: Seat) -> bool:
        """Try to undo the latest turn; then the game is what it was before (RULES 6.12)."""
        if self.game.phase == "over" or is_late(self.game, self.now):
            return False
        if self.game.undoable != seat:
            with pytest.raises(IllegalMove, match="latest turn"):
                self.officiate(Undo(seat))
            return False
        self.officiate(Undo(seat))
        assert whole(without_times(self.game)) == whole(without_times(self.before))
        return True

    def _happened(self, events: tuple[Event, ...]) -> None:
        for event in events:
            if isinstance(event, Played | Exchanged | Passed):
                self.before = self.game
            self.game = apply(self.game, event)
            self.log.append(event)
            check_tiles(self.game)

    def _check_refusal_tells_nothing(self, seat: Seat, move: Move, refusal: IllegalMove) -> None:
        other_game = with_hidden_tiles_reshuffled(self.game, seat, len(self.log))
        with pytest.raises(IllegalMove) as other:
            decide(other_game, seat, move, self.context)
        assert (other.value.code, other.value.prose) == (refusal.code, refusal.prose)

    # What must be true (RULES 7).

    def check(self) -> None:
        self._check_scores()
        self._check_readers()
        self._check_options()
        self._check_state()

    def _check_scores(self) -> None:
        scores: Counter[Seat] = Counter()
        for event in without_undone(self.log):
            if isinstance(event, Played | Awarded):
                scores[event.seat] += event.points
            elif isinstance(event, Withdrawn):
                scores[event.seat] -= event.points
        seats = range(len(self.game.players))
        assert [player.score for player in self.game.players] == [scores[seat] for seat in seats]

    def _check_readers(self) -> None:
        """Whatever a reader may not see can be anything else, and nothing that is told changes."""
        for reader in (None, *range(len(self.game.players))):
            other = with_hidden_tiles_reshuffled(self.game, reader, len(self.log))
            assert view(other, reader) == view(self.game, reader)
            for event in self.log[-6:]:
                if is_secret(event, reader):
                    assert redact(event, reader) == redact(with_other_secrets(event), reader)
                else:
                    assert redact(event, reader) == event

    def _check_options(self) -> None:
        """What is offered is possible, what is not offered is refused."""
        due = due_at(self.game)
        if due is not None and self.now >= due:
            return
        for seat, player in enumerate(self.game.players):
            moves: dict[MoveOption, Move] = {
                "accept": Accept(),
                "challenge": Challenge(),
                "exchange": Exchange(player.rack[:1]),
                "pass": Pass(),
                "resign": Resign(),
            }
            offered = set(move_options(self.game, seat)) - {"place"}
            assert offered == {kind for kind, move in moves.items() if self._may(seat, move)}

    def _may(self, seat: Seat, move: Move) -> bool:
        try:
            return bool(
                decide(self.game, seat, move, DecisionContext(self.lexicon, Random(1), self.now))
            )
        except IllegalMove:
            return False

    def _check_state(self) -> None:
        game = self.game
        assert game.version == len(self.log)
        assert kinds(self.log).count("ended") == (game.phase == "over") == (game.ended is not None)
        assert sum(player.used for player in game.players) <= self.now - self.began
        if game.phase == "playing":
            assert game.on_turn in game.active
            assert all(game.players[seat].rack for seat in game.active)
            assert game.scoreless < game.rules.scoreless_turns(len(game.players))
        assert bool(game.awaited) == (game.phase == "last_word")
        if game.rules.challenge == "void":
            assert all(word in self.lexicon for word in words_on(game))

    def check_replay(self, *prefixes: int) -> None:
        """From its beginning, and from any beginning of it (RULES 7.3)."""
        assert whole(replay(self.log)) == whole(self.game)
        assert whole(without_times(replay(without_undone(self.log)))) == whole(
            without_times(self.game)
        )
        for length in prefixes:
            game = replay(self.log[:length])
            for event in self.log[length:]:
                game = apply(game, event)
            assert whole(game) == whole(self.game)

    def check_fair(self) -> None:
        """Whoever has the whole log of a sealed game can draw it again (RULES 9.5)."""
        if self.game.seed:
            assert verify_draws(self.log).findings == ()

    def finish(self) -> None:
        """Pass until the game is over: that is never far (RULES 7.6)."""
        game = self.game
        limit = game.rules.scoreless_turns(len(game.players)) + 1 + len(game.players)
        self.officiate(Continue())
        for _ in range(limit):
            if self.game.phase == "over":
                break
            self.now += 1_000
            if self.game.phase == "last_word":
                assert self.attempt(self.game.awaited[0], Accept())
            else:
                assert self.attempt(self.game.on_turn, Pass())
        assert self.game.phase == "over"


def without_times(game: Game) -> Game:
    """A game without what taking a turn back leaves as it is."""
    players = tuple(replace(player, used=0) for player in game.players)
    ended = game.ended and replace(game.ended, at=0)
    return replace(game, players=players, version=0, since=0, draws=0, before=None, ended=ended)


def check_tiles(game: Game) -> None:
    assert all_tiles(game) == game.rules.tiles.distribution


def is_secret(event: Event, reader: Seat | None) -> bool:
    match event:
        case Drew(seat, tiles) | Retired(seat=seat, tiles=tiles) | RackReturned(seat, tiles):
            return seat != reader and bool(tiles)
        case Exchanged(seat, tiles):
            return seat != reader and bool(tiles)
        case Withdrawn(seat, _, returned):
            return seat != reader and bool(returned)
        case Undone(seat, returned, regained):
            return seat != reader and bool(returned + regained)
        case Started(seed=seed):
            return bool(seed)
    return False


def with_other_secrets(event: Event) -> Event:
    """The same event with other tiles where they are secret."""
    match event:
        case Drew(tiles=tiles) | Retired(tiles=tiles) | RackReturned(tiles=tiles):
            return replace(event, tiles=(BLANK,) * len(tiles))
        case Exchanged(tiles=tiles, drew=drew):
            return replace(event, tiles=(BLANK,) * len(tiles), drew=(BLANK,) * len(drew))
        case Withdrawn(returned=returned):
            return replace(event, returned=(BLANK,) * len(returned))
        case Undone(returned=returned, regained=regained):
            returned, regained = (BLANK,) * len(returned), (BLANK,) * len(regained)
            return replace(event, returned=returned, regained=regained)
        case Started():
            return replace(event, seed="0" * 64)
    return event


def with_hidden_tiles_reshuffled(game: Game, reader: Seat | None, seed: int) -> Game:
    """A game that looks the same to *reader*: what is hidden has been dealt anew."""
    shown = set(range(len(game.players))) if game.phase == "over" else {reader}
    hidden = [seat for seat in range(len(game.players)) if seat not in shown]
    pool = [*game.bag, *(tile for seat in hidden for tile in game.players[seat].rack)]
    Random(seed).shuffle(pool)
    racks: dict[Seat, tuple[str, ...]] = {}
    for seat in hidden:
        size = len(game.players[seat].rack)
        racks[seat], pool = multiset(pool[:size]), pool[size:]

    def deal(seat: Seat, player: Player) -> Player:
        return replace(player, rack=racks.get(seat, player.rack))

    players = tuple(deal(seat, player) for seat, player in enumerate(game.players))
    return replace(game, players=players, bag=multiset(pool), seed="0" * 64 if game.seed else "")


def words_on(game: Game) -> Iterator[str]:
    for across in (True, False):
        for square in dict(game.board.items()):
            spot = Spot(*square, across=across)
            run = game.board.run(spot)
            if run[0] == square and len(run) > 1:
                yield "".join(letter.letter for at in run if (letter := game.board[at]))


def facts(log: list[Event]) -> set[str]:
    """Everything that happened, by kind, and by reason where there are several."""
    found = set(kinds(log))
    for event in log:
        match event:
            case Ended(why=why) | Retired(why=why) | Awarded(why=why) | LastWordAwaited(why=why):
                found.add(f"{event.kind}: {why}")
            case Played(swapped=swapped) if swapped:
                found.add("played: reclaimed")
    return found
