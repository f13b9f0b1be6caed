"""RULES 5: exchanging, passing, blanks that return."""

import pytest

from crossroom_engine.core.events import Exchanged, Passed, TurnBegan
from crossroom_engine.core.tiles import Letter
from crossroom_engine.game.views import move_options, redact
from tests.support.game_driver import GameDriver, kinds

CAT_WITH_BLANK = {"8H": "CaT"}


# 5.1


def test_5_1_the_new_tiles_are_drawn_before_the_old_ones_go_back() -> None:
    for seed in range(20):
        table = GameDriver(racks=["AAAAAAA", "CAT"], bag="BBBBBBB")
        table.dice.seed(seed)
        assert table.exchange(0, "AAAAAAA")[0] == Exchanged(0, ("A",) * 7, ("B",) * 7)
        assert (table.racks[0], table.bag) == ("BBBBBBB", "AAAAAAA")


def test_5_1_only_what_was_given_away_changes() -> None:
    table = GameDriver(racks=["CATDOG?", "CAT"], bag="EEEEE")
    table.exchange(0, "?G")
    assert (table.racks[0], table.bag) == ("ACDEEOT", "?EEEG")


def test_5_1_an_exchange_ends_the_turn() -> None:
    table = GameDriver(racks=["CAT", "DOG"], bag="EEEEEEE")
    assert table.exchange(0, "C")[1:] == [TurnBegan(1, 2, table.now)]
    with table.refuses("NOT_YOUR_TURN"):
        table.exchange(0, "A")


def test_5_1_the_others_learn_how_many_only() -> None:
    table = GameDriver(racks=["CAT", "DOG"], bag="EEEEEEE")
    (event, _) = table.exchange(0, "CA")
    assert redact(event, 0) == Exchanged(0, ("A", "C"), ("E", "E"))
    for reader in (1, None):
        assert redact(event, reader) == Exchanged(0, ("_", "_"), ("_", "_"))


def test_5_1_the_tiles_are_ones_own() -> None:
    table = GameDriver(racks=["CAT", "DOG"], bag="EEEEEEE")
    with table.refuses("NOT_IN_RACK", "you do not have A D"):
        table.exchange(0, "ADA")


@pytest.mark.parametrize(
    ("preset", "bag", "most"),
    [("classic", 2, 2), ("official", 1, 1), ("race", 6, 6), ("tournament", 7, 7)],
)
def test_5_1_the_bag_holds_as_many(preset: str, bag: int, most: int) -> None:
    table = GameDriver(preset, racks=["CATDOGE", "CAT"], bag="E" * bag)
    if most < 7:
        with table.refuses("BAG_TOO_SMALL", f"must hold {most + 1} tiles; it holds {bag}"):
            table.exchange(0, "CATDOGE"[: most + 1])
    table.exchange(0, "CATDOGE"[:most])
    assert len(table.bag) == bag


def test_5_1_tournament_exchanges_only_while_the_bag_holds_seven() -> None:
    table = GameDriver("tournament", racks=["CATDOGE", "CAT"], bag="E" * 6)
    with table.refuses("BAG_TOO_SMALL", "must hold 7 tiles; it holds 6"):
        table.exchange(0, "C")
    assert "exchange" not in move_options(table.game, 0)


# 5.2


def test_5_2_an_exchange_of_nothing_is_a_pass() -> None:
    table = GameDriver("official", racks=["CAT", "DOG"], bag="")
    assert table.exchange(0, "") == [Passed(0), TurnBegan(1, 2, table.now)]


@pytest.mark.parametrize("preset", ["classic", "race", "tournament"])
def test_5_2_elsewhere_it_is_refused(preset: str) -> None:
    table = GameDriver(preset, racks=["CAT", "DOG"])
    with table.refuses("BAD_ARGS", "/pass"):
        table.exchange(0, "")


# 5.3


def test_5_3_the_real_letter_frees_the_blank_for_the_same_play() -> None:
    table = GameDriver(
        "race", ["ADGG", "CAT"], "", board=CAT_WITH_BLANK, words="CAT DOT", reclaim="any"
    )
    table.play(0, "J6", "Do.", "8I")
    assert table.on("8I") == Letter("A")
    assert table.on("7J") == Letter("O", blank=True)
    assert table.last_play.words == ("DOT",)
    assert table.racks[0] == "GG"


def test_5_3_the_letter_counts_at_face_value_and_the_swap_scores_nothing() -> None:
    # CAT is worth a point more now, but DOT does not run through it. 6J triples the D.
    table = GameDriver(
        "race", reclaim="any", racks=["AD?S", "AT"], board=CAT_WITH_BLANK, words="CAT CATS DOT"
    )
    table.play(0, "J6", "Do.", "8I")
    assert table.last_play.points == 3 * 2 + 0 + 1
    table = GameDriver(
        "race", reclaim="any", racks=["A", "AT"], board=CAT_WITH_BLANK, words="CAT CATS"
    )
    table.play(0, "8K", "s", "8I")
    assert table.last_play.points == 3 + 1 + 1 + 0


def test_5_3_the_swapped_letter_earns_no_premium() -> None:
    # The blank lies on the start square.
    table = GameDriver(
        "race", reclaim="any", racks=["C", "AT"], board={"8H": "cAT"}, words="CAT CATS"
    )
    table.play(0, "8K", "s", "8H")
    assert table.last_play.points == 3 + 1 + 1 + 0


def test_5_3_the_blank_must_be_used_in_the_same_play() -> None:
    table = GameDriver(
        "race", reclaim="any", racks=["ADO", "CAT"], board=CAT_WITH_BLANK, words="CAT DOT"
    )
    with table.refuses("BAD_PLAY", "must be used in the same play"):
        table.play(0, "J6", "DO.", "8I")
    table = GameDriver(
        "race",
        reclaim="any",
        racks=["CAD?", "CAT"],
        board={"8H": "caT"},
        words="CAT DOT DOTE",
        bag="E",
    )
    with table.refuses("BAD_PLAY", "must be used in the same play"):
        table.play(0, "J6", "Do.", "8H", "8I")
    table.play(0, "J6", "do.e", "8H", "8I")
    assert (table.racks[0], table.on("8H"), table.on("8I")) == ("DE", Letter("C"), Letter("A"))


def test_5_3_a_blank_of_ones_own_is_another_one() -> None:
    table = GameDriver(
        "race", reclaim="any", racks=["A?", "CAT"], board=CAT_WITH_BLANK, words="CAT DOT", bag=""
    )
    table.play(0, "J6", "do.", "8I")
    assert table.last_play.laid[0].letter == Letter("D", blank=True)
    assert table.racks[0] == ""


@pytest.mark.parametrize(
    ("rack", "swap", "code", "prose"),
    [
        ("DOG", "8I", "NOT_IN_RACK", "you do not have A"),
        ("CAD", "8H", "BAD_PLAY", "no blank on 8H"),
        ("CAD", "1A", "BAD_PLAY", "no blank on 1A"),
        ("CAD", "20U", "BAD_PLAY", "no blank on 20U"),
    ],
)
def test_5_3_all_or_nothing(rack: str, swap: str, code: str, prose: str) -> None:
    table = GameDriver(
        "race", reclaim="any", racks=[rack, "CAT"], board=CAT_WITH_BLANK, words="CAT DOT"
    )
    with table.refuses(code, prose):
        table.play(0, "J6", "Do.", swap)


def test_5_3_a_refused_play_leaves_the_blank() -> None:
    table = GameDriver(
        "race", reclaim="any", racks=["AD", "CAT"], board=CAT_WITH_BLANK, words="CAT DOT"
    )
    with table.refuses("NOT_A_WORD", "DIT"):
        table.play(0, "J6", "Di.", "8I")
    assert table.on("8I") == Letter("A", blank=True)


def test_5_3_a_full_rack_with_the_swapped_tile_earns_the_bonus() -> None:
    table = GameDriver(
        "race", ["AHORNIS", "CAT"], board=CAT_WITH_BLANK, words="CAT HORNISTE", reclaim="any"
    )
    table.play(0, "J2", "HORNIS.e", "8I")
    triple_letters = 3 * 4 + 3 * 1
    assert table.last_play.points == triple_letters + 1 + 1 + 1 + 1 + 1 + 0 + 15


def test_5_3_the_real_letter_must_be_in_the_rack() -> None:
    table = GameDriver(
        "race", reclaim="any", racks=["DO", "CAT"], board=CAT_WITH_BLANK, words="CAT DOT"
    )
    with table.refuses("NOT_IN_RACK", "you do not have A, which the blank on 8I stands for"):
        table.play(0, "J6", "Do.", "8I")


def test_5_3_off_a_blank_stays() -> None:
    table = GameDriver("official", racks=["AD", "CAT"], board=CAT_WITH_BLANK, words="CAT DOT")
    with table.refuses("BAD_PLAY", "stays where it was played"):
        table.play(0, "J6", "Do.", "8I")
    assert table.game.reclaimable(0) == ()


def blank_on_the_board(reclaim: str, players: int = 3) -> GameDriver:
    """Ann has played CaT with a blank; bob and cat hold A and D."""
    racks = ["CT?DADA", "ADIIIII", "ADIIIII"][:players]
    table = GameDriver("race", racks, "E" * 20, words="CAT DOT DOTE", reclaim=reclaim)
    table.play(0, "8H", "CaT")
    return table


@pytest.mark.parametrize("seat", [1, 2, 0])
def test_5_3_any_later_play_may_take_the_blank(seat: int) -> None:
    table = blank_on_the_board("any")
    while table.game.on_turn != seat:
        table.pass_(table.game.on_turn)
    assert [str(square) for square in table.game.reclaimable(seat)] == ["8I"]
    table.play(seat, "J6", "Do.", "8I")
    assert table.on("8I") == Letter("A")


def test_5_3_next_only_the_player_right_after() -> None:
    table = blank_on_the_board("next")
    assert [len(table.game.reclaimable(seat)) for seat in range(3)] == [0, 1, 1]
    table.play(1, "J6", "Do.", "8I")
    table = blank_on_the_board("next")
    table.pass_(1)
    with table.refuses("BAD_PLAY", "the play just before"):
        table.play(2, "J6", "Do.", "8I")


def test_5_3_next_a_lost_turn_is_passed_over_but_never_to_its_own_player() -> None:
    table = GameDriver("official", ["CT?DADA", "ADIIIII"], "E" * 20, words="CAT", reclaim="next")
    table.play(0, "8H", "CaT")
    table.challenge(1)
    assert table.game.on_turn == 0
    with table.refuses("BAD_PLAY", "the play just before"):
        table.play(0, "J6", "Do.", "8I")


def test_5_3_a_reclaiming_play_taken_back_puts_the_blank_back() -> None:
    table = GameDriver("official", ["AD", "CAT"], "E" * 9, board=CAT_WITH_BLANK, reclaim="any")
    before = table.game
    table.play(0, "J6", "Dx.", "8I")
    assert table.on("8I") == Letter("A")
    assert kinds(table.challenge(1)) == ["challenged", "withdrawn"]
    assert table.game.board == before.board
    assert table.racks[0] == "AD"
