"""GCG, read and written."""

import re
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossroom_engine.core.coordinates import Spot
from crossroom_engine.core.errors import BadText, CorruptLog
from crossroom_engine.core.events import Drew, Event, Started
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import HIDDEN
from crossroom_engine.game.views import redact
from crossroom_engine.records import gcg
from crossroom_engine.records.check import check_record
from crossroom_engine.records.gcg import (
    Bonus,
    GcgExchange,
    GcgPass,
    GcgPlay,
    Leftover,
    Overtime,
    Withdrawal,
)
from crossroom_engine.records.gcg_read import (
    MAX_EVENTS,
    MAX_RECORD_BYTES,
    decode_gcg,
    read_gcg,
)
from crossroom_engine.records.gcg_write import format_gcg, record_from_events, write_gcg
from tests.support.game_driver import GameDriver
from tests.support.random_games import GAME, SIX_ZEROES, random_game

HEAD = "#player1 Ada Ada Lovelace\n#player2 Ben Ben\n"


def entries(*lines: str, head: str = HEAD) -> tuple[gcg.GcgEntry, ...]:
    return read_gcg(head + "\n".join(lines)).entries


@pytest.mark.parametrize(
    ("line", "rack", "action", "points", "total"),
    [
        (">Ada: AB?C 8H CaB +14 14", "?ABC", GcgPlay(Spot(7, 7, True), "CaB"), 14, 14),
        (">Ada: ABC h8 C(A)B +9 9", "ABC", GcgPlay(Spot(7, 7, False), "C(A)B"), 9, 9),
        (">Ada:   BCA   8h  C.B  +9   9   AB, CAB", "ABC", GcgPlay(Spot(7, 7, True), "C.B"), 9, 9),
        (">Ada: 8H CAB 9 9", "", GcgPlay(Spot(7, 7, True), "CAB"), 9, 9),
        (">Ada: ABC -BA +0 5", "ABC", GcgExchange(2, ("A", "B")), 0, 5),
        (">Ada: -? +0 5", "", GcgExchange(1, ("?",)), 0, 5),
        (">Ada: ABC -3 +0 5", "ABC", GcgExchange(3, None), 0, 5),
        (">Ada: ABC - +0 5", "ABC", GcgPass(), 0, 5),
        (">Ada: ABC -0 +0 5", "ABC", GcgPass(), 0, 5),
        (">Ada: ABC --  -14 0", "ABC", Withdrawal(), -14, 0),
        (">Ada: ABC (challenge) +5 19", "ABC", Bonus(), 5, 19),
        (">Ada:  (challenge) +5 19", "", Bonus(), 5, 19),
        (">Ada: UNKNOWN (challenge) +5 19", "", Bonus(), 5, 19),
        (">Ada: (TIME) +12 19", "", Leftover(("E", "I", "M", "T")), 12, 19),
        (">Ada: Q (Q) -10 -10", "Q", Leftover(("Q",)), -10, -10),
        (">Ada: Q (Q) +-10 -10", "Q", Leftover(("Q",)), -10, -10),
        (">Ada:  (time) -20 -1", "", Overtime(), -20, -1),
    ],
)
def test_a_line_says(line: str, rack: str, action: gcg.GcgAction, points: int, total: int) -> None:
    (entry,) = entries(line)
    assert entry == gcg.GcgEntry(3, "Ada", tuple(rack), action, points, total)


def test_the_players_are_named_by_pragmas() -> None:
    record = read_gcg(HEAD + ">Ada: AB 8H AB +8 8")
    assert record.players == (gcg.GcgPlayer("Ada", "Ada Lovelace"), gcg.GcgPlayer("Ben", "Ben"))


def test_or_else_by_their_events() -> None:
    record = read_gcg(">Ada: AB 8H AB +8 8\n>Ben: AB - +0 0\n>Ada: AB - +0 8")
    assert [player.nick for player in record.players] == ["Ada", "Ben"]


@pytest.mark.parametrize(
    ("name", "seats"),
    [("Ada", (0,)), ("ADA", (0,)), ("ada lovelace", (0,)), ("Ben", (1,)), ("Cat", ())],
)
def test_a_name_may_be_written_otherwise(name: str, seats: tuple[int, ...]) -> None:
    assert read_gcg(HEAD).seats_named(name) == seats


def test_two_may_share_a_nickname() -> None:
    assert read_gcg("#player1 X Ada\n#player2 X Ben\n").seats_named("X") == (0, 1)


def test_notes_belong_to_the_event_before_them_and_may_go_on_for_lines() -> None:
    first, second = entries(
        ">Ada: AB 8H AB +8 8", "#note one", "two", "", "three", "#note four", ">Ben: AB - +0 0"
    )
    assert first.notes == ("one\ntwo\nthree", "four")
    assert second.notes == ()


def test_a_line_that_is_nothing_is_kept_as_a_stray() -> None:
    record = read_gcg(HEAD + ">Ada: AB 8H AB +8 8\nwhat is this\n>Ben (AB) +8 8\n")
    assert record.stray_lines == (4, 5)


def test_the_racks_of_an_unfinished_game() -> None:
    assert read_gcg(HEAD + "#rack2 BA?\n").racks == ((3, 1, ("?", "A", "B")),)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way(ends: str) -> None:
    assert read_gcg(GAME.replace("\n", ends)) == read_gcg(GAME)


@pytest.mark.parametrize(
    "encoded",
    [
        "#player1 José José".encode(),
        "#player1 José José".encode("latin-1"),
        "\ufeff#player1 José José".encode(),
        "#character-encoding UTF-8\n#player1 José José".encode(),
        "#character-encoding iso-8859-1\n#player1 José José".encode("latin-1"),
        "#character-encoding cp1250\n#player1 José José".encode("cp1250"),
        "#character-encoding klingon\n#player1 José José".encode(),
        "#character-encoding UTF-8\n#player1 José José".encode("latin-1"),
    ],
)
def test_bytes_become_text_by_what_they_say_or_look_like(encoded: bytes) -> None:
    assert decode_gcg(encoded).endswith("#player1 José José")
    assert decode_gcg(encoded).startswith("#")


@pytest.mark.parametrize(
    ("pragma", "tiles"),
    [
        ("", "english"),
        ("#tile-distribution german\n", "german"),
        ("#tile-set french set\n", "french"),
        ("#tile-set Standard English\n", "english"),
        ("#note LetterDistribution: norwegian\n", "norwegian"),
        ("#lexicon OSPS49\n", "polish"),
        ("#lexicon FRA24\n", "french"),
        ("#lexicon NWL23\n", "english"),
        ("#lexicon something else\n", "english"),
    ],
)
def test_the_tiles_are_those_of_the_record(pragma: str, tiles: str) -> None:
    assert read_gcg(HEAD + pragma + ">Ada: AB - +0 0").rules.tiles.name == tiles


@pytest.mark.parametrize(
    ("word", "tiles"),
    [("ŁÓDŹ", "polish"), ("ÄHRE", "german"), ("ØY", "norwegian"), ("ŐR", "hungarian")],
)
def test_or_those_that_its_letters_belong_to(word: str, tiles: str) -> None:
    """Of several, those of the lists that other programs write records with."""
    assert read_gcg(f"{HEAD}>Ada: {word} 8H {word} +42 42").rules.tiles.name == tiles


def test_tiles_of_several_characters_stand_in_brackets() -> None:
    (entry,) = entries(">Ada: [CH]ICO 8F [CH]I.O +9 9", head=HEAD + "#lexicon FILE2017\n")
    assert entry.rack == ("C", "CH", "I", "O")


def test_rules_are_those_of_tournaments_unless_stated() -> None:
    record = read_gcg(HEAD)
    assert record.rules == PRESETS["tournament"]
    assert not record.rules_stated
    stated = read_gcg(HEAD + "#description crossroom rules: race bingo=15 target=90\n")
    assert stated.rules_stated
    assert (stated.rules.preset, stated.rules.bingo, stated.rules.target) == ("race", 15, 90)


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("", "no GCG record"),
        ("hello\nworld", "no GCG record"),
        ("#player1 Ada Ada\n", "2 to 4 players"),
        ("#player1 Ada Ada\n#player1 Ben Ben\n", "line 2: .*once"),
        ("#player1 Ada Ada\n#player5 Ben Ben\n", "line 2: "),
        ("#player1\n#player2 Ben Ben\n", "line 1: "),
        (HEAD + "#board-layout hexagon\n", "no 'hexagon' among the layouts"),
        (HEAD + "#tile-distribution klingon\n", "no 'klingon' among the tiles"),
        (HEAD + "#game-type lonify\n", "line 3: .*'lonify'"),
        (HEAD + "#rack1 A1\n", "line 3: there is no tile 1"),
        (HEAD + "#description crossroom rules: official bingo=lots\n", "line 3: .*bingo"),
        (HEAD + ">Ada:\n", "line 3: .*what the player did"),
        (HEAD + ">Ada: ABC\n", "line 3: .*what the player did"),
        (HEAD + ">Ada: A.C 8H AC +8 8\n", r"line 3: there is no tile \."),
        (HEAD + ">Ada: ABC 8H\n", "line 3: .*comes its word"),
        (HEAD + ">Ada: ABC 8H CAB\n", "line 3: .*missing"),
        (HEAD + ">Ada: ABC 8H CAB +14\n", "line 3: .*missing"),
        (HEAD + ">Ada: ABC 8H CAB +x 14\n", "line 3: '.x' is no number"),
        (HEAD + ">Ada: ABC 8H CAB +14 14x\n", "line 3: '14x' is no number"),
        (HEAD + ">Ada: ABC 8Z CAB +14 14\n", "line 3: '8Z' is not a square"),
        (HEAD + ">Ada: ABC CAB +14 14\n", "line 3: 'CAB' is not a square"),
        (HEAD + ">Ada: ABC 8H CA9 +14 14\n", "line 3: there is no tile 9"),
        (HEAD + ">Ada: ABC 8H C(AB +14 14\n", "line 3: a bracket is not closed"),
        (HEAD + ">Ada: ABC -A.B +0 0\n", "line 3: there is no tile"),
        (HEAD + ">Ada: ABC - +0 0\n>Ben: (A#) +2 2\n", "line 4: there is no tile #"),
        (HEAD + f">Ada: ABC -{'9' * 5000} +0 0\n", "line 3: there is no tile 9"),
        (HEAD + f">Ada: ABC - +0 {'9' * 5000}\n", "line 3: .* is no number"),
    ],
)
def test_bad_text_is_refused_with_its_line(text: str, prose: str) -> None:
    with pytest.raises(BadText, match=prose):
        read_gcg(text)


def reads_or_refuses(text: str) -> None:
    """Anything but :exc:`BadText` fails the test."""
    with suppress(BadText):
        check_record(read_gcg(text))


@given(st.text(alphabet="#>:playernotck12 ABC?.()-+8H\n\r\tłŁ\x00", max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    reads_or_refuses(text)


@given(st.integers(0, len(GAME)), st.integers(0, 12), st.text(" AQz?.()-+>#:81H\n", max_size=6))
def test_any_damage_to_a_record_is_read_or_refused(start: int, cut: int, new: str) -> None:
    reads_or_refuses(GAME[:start] + new + GAME[start + cut :])


# Writing.


def unnumbered(record: gcg.Record) -> gcg.Record:
    lines = tuple(replace(entry, line=0) for entry in record.entries)
    racks = tuple((0, seat, rack) for _, seat, rack in record.racks)
    return replace(record, entries=lines, racks=racks, pragmas=())


@pytest.mark.parametrize("text", [GAME, SIX_ZEROES])
def test_what_was_read_can_be_written_and_read_again(text: str) -> None:
    record = read_gcg(text)
    assert unnumbered(read_gcg(format_gcg(record))) == unnumbered(record)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(4))
def test_a_game_of_ours_comes_back_from_its_text(seed: int, preset: str) -> None:
    log, _ = random_game(seed, preset, 2)
    record = record_from_events(log)
    again = read_gcg(write_gcg(log))
    assert unnumbered(again) == replace(
        unnumbered(record), rules=replace(record.rules, lexicon=again.rules.lexicon)
    )


def log_of(table: GameDriver, racks: list[str]) -> list[Event]:
    """The log of a scripted table as if its racks had been drawn."""
    players = tuple(player.name for player in table.game.players)
    started = Started(table.rules, players, table.lexicon.name, table.lexicon.digest, 0)
    drew = (Drew(s, table.rules.tiles.parse_tiles(rack)) for s, rack in enumerate(racks))
    return [started, *drew, *table.log]


def lines_of(table: GameDriver, racks: list[str]) -> list[str]:
    """The events and notes of the record, without racks, after a check of it."""
    text = write_gcg(log_of(table, racks))
    assert check_record(read_gcg(text)).findings == ()
    lines = [line for line in text.splitlines() if line.startswith((">", "#note"))]
    return [re.sub(r"(?<=:) [A-Z?]+(?= )", "", line) for line in lines]


def test_the_first_player_is_who_had_the_first_turn() -> None:
    racks = ["HORNAEI", "FARMSAE", "CABSAEI"]
    table = GameDriver("official", racks, first=1)
    record = record_from_events(log_of(table, racks))
    assert [player.nick for player in record.players] == ["bob", "cat", "ann"]
    assert [(seat, "".join(rack)) for _, seat, rack in record.racks] == [
        (0, "AAEFMRS"),
        (1, "AABCEIS"),
        (2, "AEHINOR"),
    ]


def test_the_lines_of_a_duel() -> None:
    racks = ["HORNAEI", "FARMSAE"]
    table = GameDriver("tournament", racks, challenge="five")
    table.play(0, "8F", "HORN")
    table.challenge(1)
    table.play(1, "H7", "A.ES")
    table.challenge(0)
    table.pass_(0)
    table.exchange(1, "AE")
    table.resign(0)
    assert lines_of(table, racks) == [
        ">ann: 8F HORN +14 14",
        "#note bob challenges; good: HORN",
        ">ann: (challenge) +5 19",
        ">bob: H7 A.ES +4 4",
        "#note ann challenges; not words: ARES",
        ">bob: -- -4 0",
        ">ann: - +0 19",
        ">bob: -AE +0 0",
        "#note crossroom: ann leaves the game",
        "#note out of the game: resigned",
        "#note won by bob",
        "#note crossroom: game over (resigned)",
    ]


def test_the_lines_of_a_table_of_three() -> None:
    racks = ["HORNAEI", "FARMSAE", "CATSBIT"]
    table = GameDriver("official", racks)
    table.play(0, "8F", "HORN")
    table.challenge(2)
    table.pass_(1)
    table.resign(1)
    assert lines_of(table, racks) == [
        ">ann: 8F HORN +14 14",
        "#note cat challenges; good: HORN",
        ">bob: - +0 0",
        ">cat: - +0 0",
        "#note crossroom: turn lost to a challenge",
        "#note crossroom: bob leaves the game",
        "#note out of the game: resigned",
    ]


def test_who_leaves_during_the_last_word_has_tiles_left_over() -> None:
    racks = ["CAT", "DOG", "HORN"]
    table = GameDriver("official", racks, "")
    table.play(0, "8H", "CAT")
    table.resign(1)
    table.accept(2)
    record = record_from_events(log_of(table, racks))
    left = [(e.name, e.points, e.total) for e in record.entries if isinstance(e.action, Leftover)]
    assert left == [("bob", -5, -5), ("cat", -7, -7), ("ann", 12, 22)]


def test_a_blank_that_is_taken_back_is_a_note() -> None:
    racks = ["C?BAAEI", "ATSABIT"]
    table = GameDriver("race", racks)
    table.play(0, "8G", "CaB")
    table.play(1, "I8", ".It", "8H")
    assert lines_of(table, racks) == [
        ">ann: 8G CaB +12 12",
        ">bob: I8 .It +5 5",
        "#note crossroom: swap 8H",
    ]


def test_names_become_nicknames_without_spaces_and_all_different() -> None:
    log, _ = random_game(3, "classic", 3)
    record = record_from_events(log)
    assert {player.nick for player in record.players} == {"ann", "bob_b", "Bob_B_3"}
    assert {player.name for player in record.players} == {"ann", "bob b", "Bob: B"}


def test_what_is_hidden_stays_hidden() -> None:
    racks = ["HORNAEI", "FARMSAE"]
    table = GameDriver("classic", racks)
    table.play(0, "8F", "HORN")
    table.exchange(1, "AE")
    told = [redact(event, 0) for event in log_of(table, racks)]
    text = write_gcg(told)
    assert ">ann: AEHINOR 8F HORN +14 14" in text
    assert ">bob: -2 +0 0" in text
    assert HIDDEN not in text.partition("#player1")[2]
    assert check_record(read_gcg(text)).findings == ()


def test_only_a_whole_log_makes_a_record() -> None:
    with pytest.raises(CorruptLog):
        record_from_events([Drew(0, ("A",))])


def test_what_is_too_large_is_no_record() -> None:
    with pytest.raises(BadText, match="larger than 1 MiB"):
        decode_gcg(b"#" * (MAX_RECORD_BYTES + 1))
    moves = ">Ada: AB - +0 0\n" * (MAX_EVENTS + 1)
    with pytest.raises(BadText, match="at most 2,000 moves; this one has 2,001"):
        read_gcg(HEAD + moves)
