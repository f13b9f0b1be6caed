"""Tables of leaves: where they are found, and what the shipped ones are worth."""

import os
from itertools import islice
from pathlib import Path

import pytest

from crossroom_engine.analysis import selfplay
from crossroom_engine.core import data
from crossroom_engine.core.errors import BadText
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.movegen.leaves import (
    DEFAULT_LEXICON,
    LEAVES_FOLDER,
    NO_LEAVES,
    Leaves,
    find_leaves,
)
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon
from tests.support.engines import needs_kernel

ENGLISH, SHORT = data.tileset("english"), data.tileset("english-short")
TABLES = sorted(path.relative_to(LEAVES_FOLDER) for path in LEAVES_FOLDER.glob("*/*.csv"))


@pytest.mark.parametrize("name", [str(path) for path in TABLES])
def test_a_shipped_table_is_as_it_was_written_and_knows_every_tile_and_pair(name: str) -> None:
    tiles = data.tileset(Path(name).parent.name)
    text = (LEAVES_FOLDER / name).read_text("utf-8")
    table = Leaves.from_csv("table", text)
    head = "".join(line for line in text.splitlines(keepends=True) if line.startswith("#"))
    assert head + table.to_csv() == text
    assert set(table.tiles) == {kind.tile for kind in tiles.kinds}
    assert len(table.pairs) == 27 * 28 / 2


@pytest.mark.parametrize("name", [str(path) for path in TABLES])
def test_a_shipped_table_says_what_players_know(name: str) -> None:
    worth = Leaves.from_csv("table", (LEAVES_FOLDER / name).read_text("utf-8")).value
    assert worth(("?",)) == max(worth((tile,)) for tile in "?AEQSV") > 15_000
    assert worth(("S",)) > 2_000 > 0 > worth(("V",))
    assert worth(("Q", "U")) > worth(("Q",))
    assert worth(("I", "I")) < 2 * worth(("I",))


def club(folder: Path | None = None) -> Lexicon:
    """A list of one's own."""
    lexicon = Lexicon.from_words("club", ["CAT"], ENGLISH)
    lexicon.path = folder and folder / "club.lex"
    return lexicon


def test_every_shipped_list_has_a_table_and_one_of_ones_own_gets_that_of_english() -> None:
    for name in catalog.lexicon_paths():
        assert find_leaves(catalog.open_lexicon(name), ENGLISH).name == name
    english = catalog.open_lexicon(DEFAULT_LEXICON)
    assert find_leaves(club(), ENGLISH) is find_leaves(english, ENGLISH)
    short = find_leaves(club(), SHORT)
    assert short is find_leaves(english, SHORT)
    assert short is not find_leaves(english, ENGLISH)


def test_there_is_none_for_tiles_that_nobody_trained() -> None:
    assert find_leaves(catalog.open_lexicon("english"), data.tileset("german")) is NO_LEAVES


def test_a_table_beside_a_list_of_ones_own_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "club.leaves.csv"
    path.write_text("S,5\nST,-0.25\n", encoding="utf-8")
    table = find_leaves(club(tmp_path), ENGLISH)
    assert (table.name, table.value(("S", "T"))) == ("club", 4_750)
    assert find_leaves(club(tmp_path), ENGLISH) is table
    assert find_leaves(club(tmp_path / "elsewhere"), ENGLISH) is find_leaves(
        catalog.open_lexicon(DEFAULT_LEXICON), ENGLISH
    )


def test_a_table_that_was_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "club.leaves.csv"
    for points in (1, 2):
        path.write_text(f"S,{points}\n", encoding="utf-8")
        os.utime(path, ns=(points, points))
        assert find_leaves(club(tmp_path), ENGLISH).value(("S",)) == 1000 * points


def test_a_damaged_table_is_said_to_be_damaged(tmp_path: Path) -> None:
    (tmp_path / "club.leaves.csv").write_text("STU,1\n", encoding="utf-8")
    with pytest.raises(BadText, match=r"club.*STU,1"):
        find_leaves(club(tmp_path), ENGLISH)


@needs_kernel
@pytest.mark.parametrize("name", [str(path) for path in TABLES])
def test_whoever_goes_by_a_shipped_table_beats_whoever_does_not(name: str) -> None:
    """Two in three games of a full bag, somewhat fewer of a short one; 400 are enough to tell."""
    tiles, lexicon = Path(name).parent.name, catalog.open_lexicon(Path(name).stem)
    rules = PRESETS["tournament"].override("tiles", tiles)
    players = find_leaves(lexicon, rules.tiles), None
    won = 0.0
    for there, back in islice(selfplay.play_match_pairs(rules, lexicon, 5, players), 200):
        for mine, other in (there.scores, back.scores[::-1]):
            won += 0.5 + (mine > other) / 2 - (mine < other) / 2
    assert won / 400 > 0.53
