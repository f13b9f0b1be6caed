"""Checking recorded games: no false alarm, no error missed."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from crossroom_engine.core import data
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.records.check import CheckReport, check_record
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_engine.records.gcg_write import write_gcg
from crossroom_engine.records.issues import Issue
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from tests.support.random_games import GAME, SIX_ZEROES, TRIO, random_game


def report(text: str) -> CheckReport:
    return check_record(read_gcg(text))


def findings(text: str) -> tuple[Issue, ...]:
    return report(text).findings


def change(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
    return text.replace(old, new)


def without(text: str, *starts: str) -> str:
    """*text* without the lines that start so."""
    kept = [line for line in text.splitlines() if not line.startswith(starts)]
    assert len(kept) < len(text.splitlines())
    return "\n".join(kept)


def cut(text: str, after: str) -> str:
    """*text* up to the line that starts with *after*, inclusive."""
    lines = text.splitlines()
    return "\n".join(lines[: next(n for n, li in enumerate(lines) if li.startswith(after)) + 1])


# Records without an error, in all dialects.


def spelt_out(text: str) -> str:
    words = {
        "OUT.N": "OUTEN", "VE.": "VEG", "M.RE": "MIRE", "JAG.A": "JAGRA", "TI.ULA": "TIPULA",
        ".EGEND": "LEGEND", "FEBR.LE": "FEBRILE", "AI.E": "AINE", ".ARY": "VARY", ".MIT": "SMIT",
        "N.": "NO",
    }  # fmt: skip
    for dotted, word in words.items():
        text = text.replace(f" {dotted} ", f" {word} ")
    return text


def racks_of_what_was_played(text: str) -> str:
    def shorten(match: re.Match[str]) -> str:
        played = "".join("?" if c.islower() else c for c in match[4] if c != ".")
        return f"{match[1]}{played}{match[3]}{match[4]}"

    return re.sub(r"(?m)^(>\w+: )(\S+)( \w+ )([A-Za-z.]+)(?= \+)", shorten, text)


def with_challengers_turn_lost(text: str) -> str:
    """The same, by a rule under which a challenge in vain costs the turn."""
    text = cut(text, ">Ada: DEGHTUW")
    return f"{text}\n>Ben: EEGISUY - +0 23\n#note challenged THEW\n>Ada: ?ADDGUW 11D WoAD +25 80\n"


CLEAN: dict[str, Callable[[], str]] = {
    "as it is": lambda: GAME,
    "an older program": lambda: re.sub(
        r"(?m)(?<= )([0-9]{1,2}[A-O]|[A-O][0-9]{1,2})(?= )", lambda m: m[0].lower(), GAME
    ),
    "wide columns, cross words behind": lambda: re.sub(
        r"(?m)^(>\w+:) (\S+) (\w+) (\S+) (\+\d+) (\d+)$",
        r"\1   \2   \3  \4    \5   \6  AB, CD",
        GAME,
    ),
    "whole words instead of dots": lambda: spelt_out(GAME),
    "through-letters in brackets": lambda: GAME.replace("M.RE", "M(I)RE").replace("VE.", "VE(G)"),
    "only what was played on the racks": lambda: racks_of_what_was_played(GAME),
    "no racks at all": lambda: re.sub(r"(?m)^(>\w+:) [A-Z?]+ (?=\w+ [A-Za-z.]+ \+)", r"\1 ", GAME),
    "racks unsorted, blanks as stars": lambda: GAME.replace("?ADDGUW", "UGADD*W"),
    "placeholders for racks unknown": lambda: change(GAME, "DDGHTTU -DHT", "IIIIIII -III"),
    "exchanges by number": lambda: re.sub(r" -[A-Z]{3} ", " -3 ", GAME),
    "challenge without a rack": lambda: change(GAME, "?ADDGUW (challenge)", " (challenge)"),
    "challenge with an unknown rack": lambda: change(GAME, "C (challenge)", "UNKNOWN (challenge)"),
    "five points for each word challenged": lambda: change(
        cut(GAME, ">Ada: ?ADDGUW (challenge)"), "(challenge) +5 60", "(challenge) +15 70"
    ),
    "ten points": lambda: change(
        cut(GAME, ">Ada: ?ADDGUW (challenge)"), "(challenge) +5 60", "(challenge) +10 65"
    ),
    "the challenger loses the turn": lambda: with_challengers_turn_lost(GAME),
    "withdrawn with +0": lambda: GAME.replace("--  -7 85", "-- +0 85"),
    "the rack on the time line": lambda: change(GAME, " (time)", "C (time)"),
    "the last play accepted": lambda: change(
        GAME, ">Ben:  (C) +6", ">Ada: C - +0 316\n>Ben: (C) +6"
    ),
    "half for the winner, half from the loser": lambda: change(
        without(GAME, ">Ben:  (time)"), " (C) +6 490", "(C) +3 487\n>Ada: C (C) -3 313"
    ),
    "the second player begins": lambda: change(
        GAME, "#player1 Ada Ada\n#player2 Ben Ben Bot", "#player1 Ben Ben Bot\n#player2 Ada Ada"
    ),
    "nicknames in capitals": lambda: GAME.replace(">Ben:", ">BEN:"),
    "both of one nickname": lambda: GAME.replace("#player2 Ben", "#player2 Ada").replace(
        ">Ben:", ">Ada:"
    ),
    "no names of players": lambda: without(GAME, "#player"),
    "notes everywhere": lambda: GAME.replace("\n>", "\n#note what?\nwell\n\n#hashtag\n>"),
    "called incomplete though it is not": lambda: "#incomplete\n" + GAME,
    "six turns without points": lambda: SIX_ZEROES,
    "six turns and a minus after a plus": lambda: SIX_ZEROES.replace(") -", ") +-"),
    "stopped before a withdrawal": lambda: cut(GAME, ">Ada: DGNOPTU L9"),
    "stopped, with racks": lambda: cut(GAME, ">Ada: DEGHTUW") + "\n#rack1 AABCDE?\n#rack2 EEGISUY",
    "stopped after the last tile": lambda: cut(GAME, ">Ben: N 6N"),
    "three players, stopped": lambda: TRIO,
    "nobody has moved": lambda: cut(GAME, "#player2"),
    "the board and tiles named": lambda: (
        "#board-layout CrosswordGame\n#tile-distribution english\n#game-type classic\n" + GAME
    ),
}


@pytest.mark.parametrize("variant", CLEAN)
def test_a_clean_record_has_no_findings(variant: str) -> None:
    text = CLEAN[variant]()
    assert text != GAME or variant == "as it is"
    assert findings(text) == ()


@pytest.mark.parametrize(
    ("text", "complete"),
    [(GAME, True), (SIX_ZEROES, True), (TRIO, False), (cut(GAME, ">Ben: N 6N"), False)],
)
def test_a_record_that_stops_is_no_error_but_noted(text: str, complete: bool) -> None:
    checked = report(text)
    assert checked.findings == ()
    assert checked.complete == complete
    assert bool(checked.notes) != complete


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("challenge", ["void", "free", "double", "five", "ten", "triple"])
@pytest.mark.parametrize("preset", PRESETS)
def test_games_of_ours_are_recorded_without_an_error(
    preset: str, challenge: str, players: int
) -> None:
    seed = players + 10 * len(challenge)
    variants: list[dict[str, Any]] = [
        {},
        {"clock": 200, "overtime": 200},
        {"target": 60},
        {"end_adjustment": "double"},
    ]
    log, _ = random_game(seed, preset, players, challenge=challenge, **variants[seed % 4])
    checked = report(write_gcg(log))
    assert checked.findings == ()
    assert checked.complete


# Records with one error.

PLANTED = [
    # what, old, new, kind of the finding
    ("score", "8H FOX +26 26", "8H FOX +25 26", "score"),
    ("score and total", "8H FOX +26 26", "8H FOX +25 25", "score"),
    ("total", "8H FOX +26 26", "8H FOX +26 62", "total"),
    ("score of a bingo", "SEEDIER +73", "SEEDIER +23", "score"),
    ("sign", "9G NAOI +23 23", "9G NAOI -23 23", "score"),
    ("points for an exchange", "-DHT +0 85", "-DHT +4 89", "score"),
    ("total after an exchange", "-DHT +0 85", "-DHT +0 89", "total"),
    ("points for a pass", "- +0 85", "- +3 88", "score"),
    ("letter", "K6 GUY", "K6 GUE", "score"),
    ("letter not on the rack", "K6 GUY", "K6 GUV", "rack"),
    ("letter on the board", "L9 OUT.N", "L9 OUTAN", "place"),
    ("letter of the rack", "FGOTUWX 8H", "FGATUWX 8H", "rack"),
    ("blank played as a tile", "11D WoAD", "11D WOAD", "rack"),
    ("tile played as a blank", "K6 GUY", "K6 GuY", "rack"),
    ("row", "12G SEEDIER", "13G SEEDIER", "place"),
    ("column", "12G SEEDIER", "12H SEEDIER", "place"),
    ("direction", "O5 ZORI", "5O ZORI", "place"),
    ("off the board", "O5 ZORI", "O13 ZORI", "place"),
    ("off any board", "O5 ZORI", "O20 ZORI", "place"),
    ("through nothing", "8H FOX", "8G .FOX", "place"),
    ("not on the start", "8H FOX", "8I FOX", "place"),
    ("not touching", "9G NAOI", "2A NAOI", "place"),
    ("word cut off", "K11 M.RE", "K11 M.R", "score"),
    ("word not named whole", "6I VE.", "6I VE", "place"),
    ("through-blank that is none", "M9 JAG.A", "M9 JAGrA", "place"),
    ("rack of eight", "FGOTUWX 8H", "AFGOTUWX 8H", "tiles"),
    ("third of two", "AGIINOU 9G", "AGINOZZ 9G", "tiles"),
    ("tile that lies on the board", "CDIMNRT 3L", "CDIMNZT 3L", "tiles"),
    ("more tiles than are left", "Ben: N 6N", "Ben: NE 6N", "tiles"),
    ("exchanged what was not there", "-DHT", "-DHZ", "rack"),
    ("exchanged eight", "DDGHTTU -DHT", " -8", "exchange"),
    ("player", ">Ben: EEGISUY K6", ">Ada: EEGISUY K6", "turn"),
    ("unknown player", ">Ben: EEGISUY K6", ">Bob: EEGISUY K6", "player"),
    ("withdrawn for too little", "--  -5 85", "--  -4 85", "withdrawal"),
    ("total after a withdrawal", "--  -5 85", "--  -5 90", "total"),
    ("withdrawn from another rack", ">Ada: DGNOPTU --  -5", ">Ada: DGNOPTE --  -5", "withdrawal"),
    ("withdrawn by the other", ">Ada: DGNOPTU --  -5 85", ">Ben: AEGKLMR --  -5 124", "withdrawal"),
    ("withdrawal of a pass", ">Ada: DGNOPTU - +0 85", ">Ada: DGNOPTU -- +0 85", "withdrawal"),
    ("points for a challenge", "(challenge) +5 60", "(challenge) +6 61", "challenge"),
    ("total after a challenge", "(challenge) +5 60", "(challenge) +5 65", "total"),
    ("points from a challenge lost", "(challenge) +5 60", "(challenge) -5 50", "challenge"),
    ("challenge of the other", ">Ada: C (challenge)", ">Ben: N (challenge)", "challenge"),
    ("end points", "(C) +6 490", "(C) +3 487", "end"),
    ("end points lost", "(C) +6 490", "(C) -6 478", "end"),
    ("end total", "(C) +6 490", "(C) +6 491", "total"),
    ("tiles left", "(C) +6 490", "(M) +6 490", "end"),
    ("too many tiles left", "(C) +6 490", "(CE) +8 492", "end"),
    ("end points of the other", ">Ben:  (C) +6 490", ">Ada:  (C) +6 322", "end"),
    ("time in odd points", "(time) -10 480", "(time) -15 475", "time"),
    ("time won", "(time) -10 480", "(time) +10 500", "time"),
    ("total after time", "(time) -10 480", "(time) -10 490", "total"),
    ("line that is nothing", "#title A game of two bots", "A game of two bots", "line"),
]


@pytest.mark.parametrize(
    ("old", "new", "kind"), [p[1:] for p in PLANTED], ids=[p[0] for p in PLANTED]
)
def test_an_error_is_found_where_it_is(old: str, new: str, kind: str) -> None:
    text = change(GAME, old, new)
    line = GAME[: GAME.index(old)].count("\n") + 1
    found = findings(text)
    assert (line, kind) in [(finding.line, finding.kind) for finding in found]
    assert found[0].line == line


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        (">Ben: AGIINOU 9G", "turn"),
        (">Ada: DDGHTTU -DHT", "turn"),
        (">Ada: DGNOPTU - ", "turn"),
        (">Ada: DGNOPTU --", "turn"),
        (">Ada: ?ADDGUW (challenge)", "total"),
        (">Ben:  (C)", "end"),
    ],
)
def test_a_line_left_out_is_missed(start: str, kind: str) -> None:
    assert kind in [finding.kind for finding in findings(without(GAME, start))]


@pytest.mark.parametrize(
    "line",
    [
        ">Ada: C 1A C +0 316\n",
        ">Ada: C -C +0 316\n",
        ">Ben: - +0 480\n",
        ">Ben: (C) +6 486\n",
        ">Ben: (time) -10 470\n",
        ">Ada: (challenge) +5 321\n",
        ">Ben: N -- -4 476\n",
    ],
)
def test_after_the_end_nothing_more_can_happen(line: str) -> None:
    assert findings(GAME + line)


@pytest.mark.parametrize("line", [">Ada: C 7O C +4 320", ">Ada: C -C +0 316", ">Ben: - +0 484"])
def test_after_the_last_tile_there_are_no_turns(line: str) -> None:
    (found,) = [f for f in findings(change(GAME, "\n>Ben:  (C)", f"\n{line}\n>Ben:  (C)"))
                if f.kind == "turn"]  # fmt: skip
    assert "had played the last tile" in found.prose


def test_time_is_paid_for_when_all_else_is_counted() -> None:
    text = change(GAME, "(C) +6 490\n>Ben:  (time) -10 480", "(time) -10 474\n>Ben:  (C) +6 480")
    line = text[: text.index("(time)")].count("\n") + 1
    assert [(f.line, f.kind) for f in findings(text)] == [(line, "time")]


def test_an_exchange_needs_seven_tiles_in_the_bag() -> None:
    text = cut(GAME, ">Ben: BHIORUZ") + "\n>Ada: CDIMNRT -CD +0 247\n"
    (found,) = findings(text)
    assert (found.kind, found.expected, found.recorded) == ("exchange", 7, 4)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("(CIINTTY) -12 12", "(CIINTTY) -11 13", "end"),
        ("(CIINTTY) -12 12", "(CIINTTY) +12 36", "end"),
        ("CIINTTY (CIINTTY)", "CIINTTX (CIINTTY)", "end"),
        ("(CIINTTY) -12 12", "(CIINTT) -8 16", "end"),
        ("(EELMNOO) -9 -9", "(EELMNOO) -9 9", "total"),
        (">Ben: EELMNOO (EELMNOO) -9 -9\n", "", "end"),
        (">Ada: CIINTTY - +0 24\n", "", "end"),
    ],
)
def test_errors_where_both_lose_their_tiles(old: str, new: str, kind: str) -> None:
    assert kind in [finding.kind for finding in findings(change(SIX_ZEROES, old, new))]


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (">Cat: PASTEII", ">Ada: PASTEII", "turn"),
        ("+25 25", "+26 26", "score"),
        ("#rack2 EEIOBIT", "#rack2 EEIOBITS", "tiles"),
        ("#rack2 EEIOBIT", "#rack2 EEIOJJT", "tiles"),
    ],
)
def test_errors_at_a_table_of_three(old: str, new: str, kind: str) -> None:
    assert kind in [finding.kind for finding in findings(change(TRIO, old, new))]


def numbers() -> list[tuple[int, int]]:
    """Where the numbers of points and the totals stand, but for the points for time, which may be
    any multiple of ten."""
    events = re.finditer(r"(?m)^>.*?([+-]\d+) (\d+)$", GAME)
    return [match.span(group) for match in events for group in (1, 2)][:-2]


@pytest.mark.parametrize("off", [-10, -1, 1, 10])
def test_no_wrong_number_gets_through(off: int) -> None:
    for start, end in numbers():
        sign = "+" if GAME[start] in "+-" else ""
        text = f"{GAME[:start]}{int(GAME[start:end]) + off:{sign}}{GAME[end:]}"
        line = GAME[:start].count("\n") + 1
        assert line in [finding.line for finding in findings(text)]


def test_one_error_is_told_once() -> None:
    assert len(findings(change(GAME, "8H FOX +26 26", "8H FOX +36 36"))) == 1
    assert len(findings(change(GAME, "K6 GUY +24 47", "K6 GUY +24 74"))) == 1


def test_racks_that_never_fit_are_decoration() -> None:
    text = re.sub(r"(?m)^(>\w+:) [A-Z?]{7} (?=\w+ [A-Za-z.]+ \+)", r"\1 ABCDEFG ", GAME)
    checked = report(text)
    assert [finding.kind for finding in checked.findings if finding.kind == "rack"] == []
    assert any("racks" in note for note in checked.notes)


# With a word list.


@pytest.fixture(scope="module")
def english() -> Lexicon:
    return catalog.open_lexicon("english")


def test_words_are_judged_by_a_list_if_there_is_one(english: Lexicon) -> None:
    assert check_record(read_gcg(GAME), english).findings == ()


def test_a_phony_that_stood_is_no_error_but_noted(english: Lexicon) -> None:
    checked = check_record(read_gcg(cut(GAME, ">Ada: DGNOPTU L9")), english)
    assert checked.findings == ()
    assert "line 14: OUTEN is not in the list, and stood unchallenged" in checked.notes


def test_wrong_verdicts_are_errors(english: Lexicon) -> None:
    upheld = cut(GAME, ">Ada: FGOTUWX") + "\n>Ada: FGOTUWX -- -26 0\n"
    (found,) = check_record(read_gcg(upheld), english).findings
    assert (found.line, found.kind) == (6, "words")
    in_vain = cut(GAME, ">Ada: DGNOPTU L9") + "\n>Ada: (challenge) +5 95\n"
    (found,) = check_record(read_gcg(in_vain), english).findings
    assert (found.line, found.kind) == (15, "words")


@pytest.mark.parametrize(
    ("name", "tiles"),
    [("english", 100), ("french", 102), ("german", 102), ("norwegian", 100), ("polish", 100),
     ("spanish", 100)],
)  # fmt: skip
def test_tile_sets_of_other_languages_are_there(name: str, tiles: int) -> None:
    assert len(data.tileset(name).distribution) == tiles
