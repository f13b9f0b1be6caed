"""Check a recorded game against its rules.

A record is wrong where it disagrees with itself or with the rules of placing, scoring and ending.
Words are judged only if a word list is given.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from crossroom_engine.core.events import Seat
from crossroom_engine.core.rules import CHALLENGE_POINTS
from crossroom_engine.core.tiles import spell
from crossroom_engine.records import gcg
from crossroom_engine.records.gcg import GcgEntry, Record
from crossroom_engine.records.issues import Issue
from crossroom_engine.records.replay import ReplayCheck
from crossroom_engine.words.lexicon import Lexicon


@dataclass(frozen=True)
class CheckReport:
    """The result of a check: disagreements in the order of lines, and other remarks.

    ``complete`` is false for a record that stops before its game is over, which is no error.
    """

    findings: tuple[Issue, ...]
    notes: tuple[str, ...]
    complete: bool


def check_record(record: Record, lexicon: Lexicon | None = None) -> CheckReport:
    """Play *record* again and report every disagreement.

    With a *lexicon*, challenges must have had the right outcome. A word that is not in the list but
    was never challenged stands by the rules; it becomes a note.
    """
    replay = ReplayCheck(record)
    findings = [Issue(line, "line", "neither a pragma nor an event") for line in record.stray_lines]
    for entry in record.entries:
        findings += replay.follow_entry(entry)
    findings += _settlement(replay)
    findings += _bonuses(replay)
    findings += _last_racks(replay)
    notes: list[str] = []
    if _careless(replay, alien := [f for f in findings if f.kind == "rack"]):
        findings = [f for f in findings if f.kind != "rack"]
        notes.append(f"the racks of {len(alien)} plays do not hold the tiles played: not checked")
    if lexicon is not None:
        findings += _verdicts(replay, lexicon)
        notes += _phonies(replay, lexicon)
    complete = bool(replay.settled) or record.end_reason is not None
    if not complete:
        notes.append("incomplete: the record stops before the game is settled")
    return CheckReport(tuple(sorted(findings, key=lambda f: f.line)), tuple(notes), complete)


def _careless(replay: ReplayCheck, alien: list[Issue]) -> bool:
    """Return whether the racks of this record are no more than decoration.

    Some programs fill in racks that nobody noted down. A single rack that does not fit its play is
    an error; when it is every fourth, the racks say nothing.
    """
    return len(alien) >= 4 and 4 * len(alien) >= len(replay.plays)


def _settlement(replay: ReplayCheck) -> Iterator[Issue]:
    """Check that every rack is accounted for, and the tiles left over are the right ones."""
    record, now, left = replay.record, replay.state, replay.settled
    ended = record.end_reason is not None and record.end_reason not in gcg.ENDS_WITHOUT_ADJUSTMENT
    fined = any(isinstance(entry.action, gcg.Overtime) for entry in record.entries)
    if not left and not ((ended or fined) and now.out is not None):
        return
    if left and now.out is None and now.scoreless < _least_scoreless(record):
        line = min(entry.line for entry in left.values())
        prose = f"the game was settled after {now.scoreless} scoreless turns, with tiles left"
        yield Issue(line, "end", prose, _least_scoreless(record), now.scoreless)
    missing = _owing(replay) - left.keys()
    if missing:
        names = ", ".join(record.players[seat].nick for seat in sorted(missing))
        line = max((e.line for e in left.values()), default=record.entries[-1].line)
        yield Issue(line, "end", f"the end adjustment is missing for {names}")
    # Older records of ours put the rack of who left during the last word into the bag.
    if now.bag or any(now.hands[seat] for seat in now.retired - left.keys()):
        return
    gained = [entry for seat, entry in left.items() if seat == now.out]
    lost = [entry for seat, entry in left.items() if seat != now.out]
    for entries in (gained, [] if missing else lost):
        yield from _leftovers(replay, entries)


def _least_scoreless(record: Record) -> int:
    """Return the scoreless turns that must precede an end with tiles on every rack.

    Records of ours may end for other reasons, and at tables of three and four customs differ.
    """
    foreign_duel = not record.rules_stated and len(record.players) == 2
    return record.rules.scoreless_turns(2) if foreign_duel else 0


def _owing(replay: ReplayCheck) -> set[Seat]:
    """Return the seats whose scores must have changed at the end."""
    now = replay.state
    active = {seat for seat, held in enumerate(now.hands) if held and seat not in now.retired}
    match replay.record.end_adjustment:
        case "none":
            return set()
        case "double" if now.out is not None:
            return {now.out}
        case _:
            return active if now.out is None else {*active, now.out}


def _leftovers(replay: ReplayCheck, entries: list[GcgEntry]) -> Iterator[Issue]:
    tiles: Counter[str] = Counter()
    for entry in entries:
        if isinstance(entry.action, gcg.Leftover):
            tiles.update(entry.action.tiles)
    unseen = +replay.unseen()
    if entries and tiles != unseen:
        prose = f"the tiles left are {spell(sorted(unseen.elements()))}, recorded"
        yield Issue(entries[-1].line, "end", f"{prose} {spell(sorted(tiles.elements()))}")


def _bonuses(replay: ReplayCheck) -> Iterator[Issue]:
    """Check points for plays that stood: always 5, always 10, or 5 for each word challenged."""
    bonuses = [
        (entry, len(turn.placement.words) if turn.placement else 1)
        for turn, entry in replay.plays
        if entry is not None and isinstance(entry.action, gcg.Bonus)
    ]
    rates: tuple[int, ...] = (5, 10)
    if replay.record.rules_stated:
        rates = tuple(p for rule, p in CHALLENGE_POINTS.items() if rule == replay.rules.challenge)
    if any(all(entry.points == rate for entry, _ in bonuses) for rate in rates):
        return
    for entry, words in bonuses:
        each, rest = divmod(entry.points, 5)
        if replay.record.rules_stated or rest or not 1 <= each <= words:
            prose = f"{entry.points:+} points are not what a play earns that stood"
            yield Issue(entry.line, "challenge", prose, None, entry.points)


def _last_racks(replay: ReplayCheck) -> Iterator[Issue]:
    """Check that the racks given at the end of an unfinished game are possible."""
    unseen = replay.unseen()
    for line, seat, rack in replay.record.racks:
        if len(rack) > (held := replay.state.hands[seat]):
            prose = f"{len(rack)} tiles, but the rack can hold only {held}"
            yield Issue(line, "tiles", prose, held, len(rack))
        unseen.subtract(rack)
        if excess := {tile for tile in rack if unseen[tile] < 0}:
            prose = f"more of the tile {spell(sorted(excess))} than there are"
            yield Issue(line, "tiles", prose)


def _verdicts(replay: ReplayCheck, lexicon: Lexicon) -> Iterator[Issue]:
    for turn, answer in replay.plays:
        if turn.placement is None or answer is None:
            continue
        bad = lexicon.phonies(turn.placement.words)
        if isinstance(answer.action, gcg.Withdrawal) and not bad:
            prose = f"withdrawn, but in the list: {', '.join(turn.placement.words)}"
            yield Issue(answer.line, "words", prose)
        if isinstance(answer.action, gcg.Bonus) and bad:
            prose = f"challenged in vain, but not in the list: {', '.join(bad)}"
            yield Issue(answer.line, "words", prose)


def _phonies(replay: ReplayCheck, lexicon: Lexicon) -> Iterator[str]:
    for turn, answer in replay.plays:
        words = turn.placement.words if turn.placement and answer is None else ()
        for word in lexicon.phonies(words):
            yield f"line {turn.entry.line}: {word} is not in the list, and stood unchallenged"
