# ruff: noqa: RUF001 - letters that look alike are what this is about
"""Names that would be taken for others, or for the server."""

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.identity import names
from crossroom_server.identity.confusables import mixes_scripts
from tests.support.room_driver import open_room


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ian", "lan"),
        ("Bob", "b0b"),
        ("alice", "AL1CE"),
        ("Marta", "Márta"),
        ("moma", "morna"),
        ("will", "vvill"),
        ("coco", "сосо"),
        ("Xavo", "χανο"),
        ("wide", "ｗｉｄｅ"),
        ("fin", "ﬁn"),
        ("al-ice", "al_ice"),
        ("ann", "ann_-_"),
        ("Weiß", "weiss"),
        ("ılı", "lil"),
        ("doɡ", "dog"),
        ("ɑnna", "anna"),
        ("victimʹ", "victim"),
        ("ᎪᏞᏞ", "all"),
        ("ꭺꮮꮮ", "all"),
    ],
)
def test_these_are_taken_for_one_another(name: str, other: str) -> None:
    assert names.comparison_key(name) == names.comparison_key(other)


@pytest.mark.parametrize(
    ("name", "other"),
    [("ann", "anna"), ("bob", "rob"), ("ann-2", "ann-3"), ("Иван", "Ирина"), ("zoe", "zac")],
)
def test_these_are_not(name: str, other: str) -> None:
    assert names.comparison_key(name) != names.comparison_key(other)


@pytest.mark.parametrize(
    "name",
    ["Zoë", "Οδυσσέας", "Иван", "さくらサクラー", "李小龙", "김민준", "שרה", "ann-2", "Abbot"],
)
def test_names_of_all_scripts_are_fine(name: str) -> None:
    assert names.check_name(name) == name


@pytest.mark.parametrize("name", ["\u3164", "x\uffa0", "한ㅤ글", "한\u115f글", "\u200bann"])
def test_a_name_has_no_letters_that_show_nothing(name: str) -> None:
    with pytest.raises(Refusal, match="beginning with a letter") as refusal:
        names.check_name(name)
    assert refusal.value.code == "BAD_NAME"


@pytest.mark.parametrize("name", ["аlice", "bοb", "Aлиса", "李bob"])
def test_a_name_is_written_in_one_script(name: str) -> None:
    assert mixes_scripts(name)
    with pytest.raises(Refusal, match="in one script") as refusal:
        names.check_name(name)
    assert refusal.value.code == "BAD_NAME"


@pytest.mark.parametrize(
    "name",
    [
        *("server", "Host", "ADMIN", "adm1n", "Crossroom", "referee", "host_", "h0st", "sérver"),
        *("bot", "B0T", "greedy-bot", "novice-b0t-2", "Expert_Bot"),
    ],
)
def test_nobody_speaks_for_the_house_or_its_bots(name: str) -> None:
    with pytest.raises(Refusal, match="could be taken for the server or a bot") as refusal:
        names.check_name(name)
    assert refusal.value.code == "BAD_NAME"


async def test_a_look_alike_is_told_whom_it_looks_like() -> None:
    driver = await open_room("Ian", "eve")
    (answer,) = await driver.type("eve", "/name 1an")
    assert answer.startswith("! BAD_NAME")
    (answer,) = await driver.type("eve", "/name lan")
    assert answer.startswith("! NAME_TAKEN name: somebody here is called Ian;")
    assert (await driver.type("Ian", "/name IAN"))[-1] == "- you are IAN"


async def test_a_seat_keeps_its_name_while_its_owner_is_away() -> None:
    driver = await open_room("ann", "bob")
    await driver.type("ann", "/ready")
    await driver.type("bob", "/ready")
    await driver.disconnect("ann")
    with pytest.raises(Refusal, match="somebody here is called ann"):
        await driver.join("Ann")
    assert "up to date" in " ".join((await driver.reconnect("ann")).received)
