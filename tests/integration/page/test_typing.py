"""Tiles of several letters, typed letter by letter, without a server."""

from typing import Any, Final
from urllib.parse import urlsplit

from crossroom_server.web.assets import FOLDER
from tests.support.browser import DESK, Browser

NOWHERE: Final = "http://modules.test/"

TYPED: Final = """async ([rack, keys, letters]) => {
    const [{ Keyboard }, { TentativePlay }] = await Promise.all(
        ["keyboard.js", "tentative_play.js"].map((file) => import("/board/" + file)));
    const play = new TentativePlay();
    play.sync(Array(15).fill("..............."), rack);
    play.setCursor(7, 7);
    const callbacks = { announce() {}, onChange() {}, blankLetters: () => letters };
    const keyboard = new Keyboard(play, { focus() {} }, callbacks);
    const isShifted = (key) => letters.length > 0 && key !== key.toLowerCase();
    for (const key of keys) keyboard.press(key, isShifted(key));
    return play.notation.word;
}"""


def _serve(route: Any) -> None:
    path = urlsplit(route.request.url).path
    if path.endswith(".js"):
        route.fulfill(path=FOLDER / path.lstrip("/"), content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")


def test_tiles_of_several_letters_are_typed_letter_by_letter(chromium: Browser) -> None:
    page = chromium.visit(DESK)
    page.route(f"{NOWHERE}**", _serve)
    page.goto(NOWHERE)
    for rack, keys, word in (
        (["L·L", "A"], "L·LA", "[L·L]A"),
        (["L·L", "L", "A"], "L·LA", "[L·L]A"),
        (["L·L", "A"], "LLA", "[L·L]A"),
        (["L·L", "L", "A"], "LLA", "[L·L]A"),
        (["CH", "C", "U"], "chuc", "[CH]UC"),
        (["CH", "U", "?"], "chu", "[CH]U"),
        (["C", "H", "U"], "chu", "CHU"),
        (["DŽ", "E", "P"], "džep", "[DŽ]EP"),
        (["C", "U", "?"], "chu", "ChU"),
    ):
        assert page.evaluate(TYPED, [rack, keys, []]) == word
    chromium.leave()


def test_a_letter_typed_elsewhere_is_a_tile_of_its_own(chromium: Browser) -> None:
    page = chromium.visit(DESK)
    page.route(f"{NOWHERE}**", _serve)
    page.goto(NOWHERE)
    press = "keyboard.press(key, isShifted(key));"
    tap = "play.setCursor(2, 2);"
    placed = "play.placed.map((tile) => tile.letter)"
    away = TYPED.replace(press, f"{{ {press} {tap} }}").replace("play.notation.word", placed)
    for rack, keys in ((["?", "?"], "NJ"), (["N", "J", "NJ"], "nj")):
        assert page.evaluate(away, [rack, keys, ["N", "NJ", "J"]]) == ["N", "J"]
    chromium.leave()


def test_a_blank_is_typed_as_a_tile_of_several_letters(chromium: Browser) -> None:
    page = chromium.visit(DESK)
    page.route(f"{NOWHERE}**", _serve)
    page.goto(NOWHERE)
    kinds = ["A", "J", "L", "L·L", "N", "NJ", "O"]
    for rack, keys, word in (
        (["O", "?", "A"], "oNJa", "O[nj]A"),
        (["O", "?", "?", "A"], "oNJa", "O[nj]A"),
        (["O", "?", "J", "A"], "oNja", "OnJA"),
        (["O", "?", "?", "A"], "oNAa", "OnaA"),
        (["A", "?", "A"], "aLLa", "A[l·l]A"),
    ):
        assert page.evaluate(TYPED, [rack, keys, kinds]) == word
    chromium.leave()
