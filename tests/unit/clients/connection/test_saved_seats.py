"""Resume codes on disk."""

import json
import os
import sys
from contextlib import closing
from pathlib import Path

import pytest

from crossroom_clients.connection.resume_state import ResumeState
from crossroom_clients.connection.saved_seats import SEATS_FOLDER, SavedSeats

SERVER = "ws://localhost:8765"
ALICE = ResumeState("kitchen", "Alice", "k7qm-4ftz-9w2h", 9)
BOB = ResumeState("kitchen", "bob", "aaaa-bbbb-cccc", None)


def keep(data: Path, *marks: ResumeState) -> None:
    """As a client that has ended by now would; each seat is a minute newer than the one before."""
    for age, mark in enumerate(marks):
        before = set(data.rglob("*.json"))
        with closing(SavedSeats(data, SERVER)) as seats:
            seats.save(mark)
        for path in set(data.rglob("*.json")) - before:
            os.utime(path, (age * 60, age * 60))


def test_a_seat_is_found_again_in_its_room_only(tmp_path: Path) -> None:
    keep(tmp_path, ALICE)
    seats = SavedSeats(tmp_path, SERVER)
    assert seats.find("kitchen") == seats.find("kitchen", "alice") == seats.find() == ALICE
    assert seats.find("attic") is seats.find("kitchen", "bob") is None
    assert SavedSeats(tmp_path, "ws://elsewhere").find() is None


def test_without_a_name_the_latest_seat_is_taken(tmp_path: Path) -> None:
    keep(tmp_path, ALICE, BOB)
    assert SavedSeats(tmp_path, SERVER).find("kitchen") == BOB
    keep(tmp_path, ALICE)
    assert SavedSeats(tmp_path, SERVER).find("kitchen") == ALICE


def test_a_seat_in_use_is_left_to_whoever_uses_it(tmp_path: Path) -> None:
    other = SavedSeats(tmp_path, SERVER)
    with closing(SavedSeats(tmp_path, SERVER)) as busy:
        busy.save(ALICE)
        assert other.find("kitchen") is None
        assert other.find("kitchen", "alice") == other.find(held=True) == ALICE
        busy.save(BOB)
        assert other.find("kitchen") == ALICE
    keep(tmp_path, BOB)
    assert other.find("kitchen") == BOB


def test_a_forgotten_seat_is_gone(tmp_path: Path) -> None:
    keep(tmp_path, ALICE, BOB)
    seats = SavedSeats(tmp_path, SERVER)
    seats.remove(BOB)
    assert seats.find() == ALICE


def test_who_has_no_code_has_no_seat(tmp_path: Path) -> None:
    SavedSeats(tmp_path, SERVER).save(ResumeState("kitchen", "alice"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_nobody_else_can_read_a_code(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        keep(tmp_path, ALICE)
        keep(tmp_path, ALICE)
    finally:
        os.umask(before)
    (path,) = tmp_path.rglob("*.json")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"server": "ws://localhost:8765"}'])
def test_what_is_no_seat_seats_nobody(tmp_path: Path, text: str) -> None:
    keep(tmp_path, ALICE)
    (tmp_path / SEATS_FOLDER / "zzz.json").write_text(text)
    assert SavedSeats(tmp_path, SERVER).find() == ALICE


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    keep(tmp_path, ALICE)
    (path,) = tmp_path.rglob("*.json")
    assert json.loads(path.read_text()) == {
        "server": SERVER,
        "room": "kitchen",
        "name": "Alice",
        "code": "k7qm-4ftz-9w2h",
        "seq": 9,
    }
