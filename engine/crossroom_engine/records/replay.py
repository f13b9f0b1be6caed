"""Play a record again, one entry after the other, and compare.

Placing and scoring follow the rules of the game itself (:mod:`crossroom_engine.core.placement`).
An entry that cannot be followed is taken at its word as far as possible, so that one slip does not
drown the rest of the record in issues.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, assert_never

from crossroom_engine.core.board import Board, PlacedTile
from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.events import Seat
from crossroom_engine.core.moves import seats_from
from crossroom_engine.core.placement import Placement, place
from crossroom_engine.core.rules import Ruleset
from crossroom_engine.core.tiles import Tiles, multiset, spell
from crossroom_engine.records import gcg
from crossroom_engine.records.gcg import GcgEntry, GcgExchange, GcgPass, GcgPlay, Record
from crossroom_engine.records.issues import Issue, IssueKind


@dataclass(frozen=True)
class ReplayState:
    """The state of a recorded game.

    ``hands`` and ``bag`` count tiles; ``scores`` are counted here, ``recorded`` are the totals of
    the record. ``on_turn`` is None until somebody has begun; ``out`` is who has no tiles left;
    ``scoreless`` counts turns in a row.
    """

    board: Board
    hands: tuple[int, ...]
    bag: int
    scores: tuple[int, ...]
    recorded: tuple[int, ...]
    retired: frozenset[Seat] = frozenset()
    on_turn: Seat | None = None
    out: Seat | None = None
    scoreless: int = 0


@dataclass(frozen=True)
class RecordedPlay:
    """A play that was followed: ``placement`` is None where it broke the rules of placing.

    ``drawn`` is the number of tiles drawn after it.
    """

    entry: GcgEntry
    seat: Seat
    placement: Placement | None
    points: int
    drawn: int
    before: ReplayState


class ReplayCheck:
    """A record on its way through its entries; see :meth:`follow_entry`."""

    def __init__(self, record: Record) -> None:
        rules, players = record.rules, len(record.players)
        hands = (rules.rack,) * players
        self.record = record
        self.state = ReplayState(
            board=Board.empty(rules.layout),
            hands=hands,
            bag=len(rules.tiles.distribution) - sum(hands),
            scores=(0,) * players,
            recorded=(0,) * players,
        )
        self.last: RecordedPlay | None = None
        """The latest entry, if it was a play that may be challenged."""
        self.plays: list[tuple[RecordedPlay, GcgEntry | None]] = []
        """Every play, with the withdrawal or bonus that answered it."""
        self.settled: dict[Seat, GcgEntry] = {}
        """The end adjustments so far."""
        self._accepted: set[Seat] = set()
        self._fined: set[Seat] = set()
        self._excess: Counter[str] = Counter()

    @property
    def rules(self) -> Ruleset:
        """The rules that the record is checked against."""
        return self.record.rules

    def follow_entry(self, entry: GcgEntry) -> tuple[Issue, ...]:
        """Do what *entry* says; return how it disagrees with the game before it."""
        return tuple(self._follow(entry))

    def unseen(self) -> Counter[str]:
        """Count the tiles that are not on the board; below 0 for tiles used too often."""
        unseen = Counter(self.rules.tiles.distribution)
        unseen.subtract(letter.tile for _, letter in self.state.board.items())
        return unseen

    def _follow(self, entry: GcgEntry) -> Iterator[Issue]:
        seats = self.record.seats_named(entry.name)
        if not seats:
            yield Issue(entry.line, "player", f"no player of this record is called {entry.name}")
        seat = self._whose(entry, seats)
        last, self.last = self.last, None
        match entry.action:
            case GcgPlay():
                yield from self._turn(entry, seat)
                yield from self._play(entry, seat, entry.action)
            case GcgExchange():
                yield from self._turn(entry, seat)
                yield from self._exchange(entry, seat, entry.action)
            case GcgPass(lost):
                self.last = last if lost else None
                yield from self._turn(entry, seat)
                yield from self._rack(entry, seat, ())
                yield from self._points(entry, seat, 0)
            case gcg.Withdrawal():
                yield from self._withdraw(entry, seat, last)
            case gcg.Bonus():
                yield from self._bonus(entry, seat, last)
            case gcg.Leftover(tiles):
                yield from self._leftover(entry, seat, tiles)
            case gcg.Overtime():
                yield from self._overtime(entry, seat)
            case gcg.Retirement():
                self.last = last if last and last.seat != seat else None
                self._retire(seat)
            case _:
                assert_never(entry.action)

    def _whose(self, entry: GcgEntry, seats: tuple[Seat, ...]) -> Seat:
        """Return whose entry it is, also when two share a nickname or nobody has that name."""
        if len(seats) == 1:
            return seats[0]
        if isinstance(entry.action, _TURNS):
            return self.state.on_turn or 0
        if self.last is not None and isinstance(entry.action, gcg.Withdrawal | gcg.Bonus):
            return self.last.seat
        fitting = (s for s in seats if self.state.recorded[s] + entry.points == entry.total)
        return next(fitting, seats[0] if seats else self.state.out or 0)

    def _next(self, seat: Seat) -> Seat:
        order = seats_from(seat + 1, len(self.state.hands))
        return next((s for s in order if s not in self.state.retired), seat)

    def _name(self, seat: Seat) -> str:
        return self.record.players[seat].nick

    def _turn(self, entry: GcgEntry, seat: Seat) -> Iterator[Issue]:
        """Check that it is this player's turn, and that the game still goes on."""
        now = self.state
        if self.settled:
            yield Issue(entry.line, "turn", "a turn after the game was settled")
        elif now.out is not None:
            # A pass here says that the player lets the last play stand.
            if not isinstance(entry.action, GcgPass) or seat in {now.out, *self._accepted}:
                prose = f"a turn after {self._name(now.out)} had played the last tile"
                yield Issue(entry.line, "turn", prose)
            self._accepted.add(seat)
        else:
            if now.on_turn not in (None, seat):
                prose = f"it was the turn of {self._name(now.on_turn)}, not {self._name(seat)}"
                yield Issue(entry.line, "turn", prose)
            self.state = replace(now, on_turn=self._next(seat))
            self._accepted.clear()

    def _points(
        self, entry: GcgEntry, seat: Seat, points: int | None, kind: IssueKind = "score"
    ) -> Iterator[Issue]:
        """Compare points and total. *points* is None where only the record can know them.

        A total may continue from the right one or from the one recorded before: a wrong number is
        reported where it was written, and not again in every line that builds on it.
        """
        now = self.state
        right = entry.points if points is None else points
        true, carried = now.scores[seat] + right, now.recorded[seat] + entry.points
        if entry.points != right:
            prose = f"expected {right:+} points, recorded {entry.points:+}"
            yield Issue(entry.line, kind, prose, right, entry.points)
        if entry.total not in (true, carried):
            prose = f"expected the total {carried}, recorded {entry.total}"
            yield Issue(entry.line, "total", prose, carried, entry.total)
        self.state = replace(
            now,
            scores=_with(now.scores, seat, true),
            recorded=_with(now.recorded, seat, entry.total),
        )
        if isinstance(entry.action, _TURNS):
            is_play = isinstance(entry.action, GcgPlay)  # even one without points (RULES 6.2)
            self.state = replace(self.state, scoreless=0 if is_play else now.scoreless + 1)

    def _rack(self, entry: GcgEntry, seat: Seat, needed: Tiles) -> Iterator[Issue]:
        """Check that the player can have this rack, and the *needed* tiles on it."""
        held = self.state.hands[seat]
        if missing := Counter(needed) - Counter(entry.rack or needed):
            yield Issue(
                entry.line, "rack", f"{spell(sorted(missing.elements()))} is not on the rack"
            )
        if (most := max(len(entry.rack), len(needed))) > held:
            prose = f"{most} tiles, but the rack can hold only {held}"
            yield Issue(entry.line, "tiles", prose, held, most)
        # Seven of one vowel before an exchange: a rack that nobody noted down.
        if needed or len(set(entry.rack)) > 2:
            yield from self._count_tiles(entry, entry.rack or needed)

    def _count_tiles(self, entry: GcgEntry, rack: Tiles) -> Iterator[Issue]:
        """Check that board and rack together hold no tile more often than it exists."""
        excess = Counter(rack) - Counter({t: max(n, 0) for t, n in self.unseen().items()})
        if new := excess - self._excess:
            prose = f"more of the tile {spell(sorted(new))} than there are"
            yield Issue(entry.line, "tiles", prose)
        self._excess |= excess

    def _play(self, entry: GcgEntry, seat: Seat, play: GcgPlay) -> Iterator[Issue]:
        before, placement = self.state, None
        if play.swaps and self.rules.reclaim == "off":
            yield Issue(entry.line, "place", "by these rules blanks stay where they are")
        try:
            placement = place(self.rules, before.board, play.spot, play.text, play.swaps)
            laid, needed = (*placement.swapped, *placement.laid), placement.tiles
        except IllegalMove as error:
            yield Issue(entry.line, "place", error.prose)
            laid = _as_written(self.rules, before.board, play.spot, play.text)
            needed = multiset(item.letter.tile for item in laid)
        yield from self._rack(entry, seat, needed)
        yield from self._points(entry, seat, placement.points if placement else None)
        board = before.board.with_letters(dict(laid))
        if placement is not None:
            yield from _spelling(self.rules, before.board, board, entry.line, play)
        kept = max(0, before.hands[seat] - len(needed))
        drawn = min(self.rules.rack - kept, before.bag)
        self.state = replace(
            self.state,
            board=board,
            hands=_with(before.hands, seat, kept + drawn),
            bag=before.bag - drawn,
            out=seat if not kept + drawn else before.out,
        )
        points = placement.points if placement else entry.points
        self.last = RecordedPlay(entry, seat, placement, points, drawn, before)
        self.plays.append((self.last, None))

    def _exchange(self, entry: GcgEntry, seat: Seat, exchange: GcgExchange) -> Iterator[Issue]:
        yield from self._rack(entry, seat, exchange.tiles or ())
        bag, least = self.state.bag, max(exchange.count, self.rules.exchange_bag)
        if exchange.tiles is None and exchange.count > self.state.hands[seat]:
            prose = f"an exchange of {exchange.count} tiles is more than the rack holds"
            yield Issue(entry.line, "exchange", prose)
        elif bag < least:
            prose = f"for this exchange the bag must hold {least} tiles; it holds {bag}"
            yield Issue(entry.line, "exchange", prose, least, bag)
        yield from self._points(entry, seat, 0)

    def _withdraw(self, entry: GcgEntry, seat: Seat, last: RecordedPlay | None) -> Iterator[Issue]:
        if last is None or last.seat != seat:
            prose = "only the play just before, by the same player, can be withdrawn"
            yield Issue(entry.line, "withdrawal", prose)
            yield from self._points(entry, seat, None)
            return
        rack, told = Counter(last.entry.rack), Counter(entry.rack)
        if not (rack <= told or told <= rack):
            prose = f"the play came from the rack {spell(last.entry.rack)}"
            yield Issue(entry.line, "withdrawal", prose)
        before = last.before
        # An older dialect writes +0 here; and who undoes a wrong score undoes it as written.
        if entry.points not in {0, -last.points, -last.entry.points}:
            prose = f"expected {-last.points:+} points, recorded {entry.points:+}"
            yield Issue(entry.line, "withdrawal", prose, -last.points, entry.points)
        if entry.total not in {total := before.recorded[seat], before.scores[seat]}:
            prose = f"expected the total {total}, recorded {entry.total}"
            yield Issue(entry.line, "total", prose, total, entry.total)
        now = self.state
        self.state = replace(
            now,
            board=before.board,
            hands=_with(now.hands, seat, before.hands[seat]),
            bag=now.bag + last.drawn,
            scores=_with(now.scores, seat, before.scores[seat]),
            recorded=_with(now.recorded, seat, entry.total),
            out=None,
            scoreless=before.scoreless + 1,
        )
        for gone in now.retired:
            self._return_hand(gone)
        self.plays[-1] = (last, entry)

    def _bonus(self, entry: GcgEntry, seat: Seat, last: RecordedPlay | None) -> Iterator[Issue]:
        if last is None or last.seat != seat:
            prose = "only the play just before, by the same player, can earn points by a challenge"
            yield Issue(entry.line, "challenge", prose)
        else:
            self.plays[-1] = (last, entry)
        yield from self._rack(entry, seat, ())
        yield from self._points(entry, seat, None)

    def _leftover(self, entry: GcgEntry, seat: Seat, tiles: Tiles) -> Iterator[Issue]:
        out, value = self.state.out, self.rules.tiles.total_points(tiles)
        adjustment = self.record.end_adjustment
        if seat in self.settled:
            yield Issue(entry.line, "end", f"{self._name(seat)} was settled before")
        if out is None and entry.points > 0:
            yield Issue(entry.line, "end", f"{self._name(seat)} has not played the last tile")
        elif out != seat:
            value = -value
        elif adjustment == "double":
            value *= 2
        if adjustment == "none":
            value = 0
        if out != seat and entry.rack and entry.rack != tiles:
            prose = f"the rack {spell(entry.rack)} is not the tiles {spell(tiles)}"
            yield Issue(entry.line, "end", prose)
        if out is None and len(tiles) != self.state.hands[seat]:
            held = self.state.hands[seat]
            prose = f"{len(tiles)} tiles are left, expected {held}"
            yield Issue(entry.line, "end", prose, held, len(tiles))
        yield from self._count_tiles(entry, tiles)
        yield from self._points(entry, seat, value, "end")
        self.settled[seat] = entry

    def _overtime(self, entry: GcgEntry, seat: Seat) -> Iterator[Issue]:
        later = [e for e in self.record.entries if e.line > entry.line]
        step = self.rules.overtime_points
        if seat in self._fined:
            yield Issue(entry.line, "time", f"{self._name(seat)} was fined before")
        if any(isinstance(e.action, _BEFORE_TIME) for e in later):
            yield Issue(entry.line, "time", "points for time are lost after all else is counted")
        if entry.points >= 0 or not step or entry.points % step:
            prose = f"points for time are lost in steps of {step}; recorded {entry.points:+}"
            yield Issue(entry.line, "time", prose, None, entry.points)
        yield from self._points(entry, seat, None)
        self._fined.add(seat)

    def _retire(self, seat: Seat) -> None:
        """Take *seat* out; once somebody has gone out, the rack still counts (RULES 4.4)."""
        now = self.state
        self.state = replace(now, retired=now.retired | {seat})
        if now.out is None:
            self._return_hand(seat)
        if now.on_turn == seat:
            self.state = replace(self.state, on_turn=self._next(seat))

    def _return_hand(self, seat: Seat) -> None:
        now = self.state
        hands, bag = _with(now.hands, seat, 0), now.bag + now.hands[seat]
        self.state = replace(now, hands=hands, bag=bag)


_TURNS: Final = (GcgPlay, GcgExchange, GcgPass)
_BEFORE_TIME: Final = (*_TURNS, gcg.Withdrawal, gcg.Bonus, gcg.Leftover)


def _with(numbers: tuple[int, ...], seat: Seat, number: int) -> tuple[int, ...]:
    return (*numbers[:seat], number, *numbers[seat + 1 :])


def _spelling(
    rules: Ruleset, before: Board, after: Board, line: int, play: GcgPlay
) -> Iterator[Issue]:
    """Check that the play names its whole word, and the tiles it runs through as they are."""
    run, written = after.run(play.spot), rules.tiles.parse_play(play.text)
    if run[0] != play.spot.square or len(run) != len(written):
        word = spell(letter.letter for square in run if (letter := after[square]) is not None)
        start = Spot(*run[0], across=play.spot.across)
        prose = f"the word is {start} {word}, recorded {play.spot} {play.text}"
        yield Issue(line, "place", prose)
    elif any(
        tile is not None
        and tile.blank
        and (lying := before[square]) is not None
        and not lying.blank
        for square, (tile, _) in zip(run, written, strict=True)
    ):
        yield Issue(line, "place", f"no blank lies where {play.text} has one")


def _as_written(rules: Ruleset, board: Board, spot: Spot, text: str) -> tuple[PlacedTile, ...]:
    """Return the tiles of a play that breaks the rules, where they fall on empty squares."""
    placed = []
    for count, (letter, _) in enumerate(rules.tiles.parse_play(text)):
        square = spot.square_at(count)
        if letter is not None and board.holds(square) and board[square] is None:
            placed.append(PlacedTile(square, letter))
    return tuple(placed)
