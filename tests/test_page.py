"""The page, in a real browser: whole games by touch, mouse and keyboard, and the bad moments."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import pytest

from crossroom_engine import data
from crossroom_engine.board import Laid
from crossroom_engine.lexicon import pack
from crossroom_engine.movegen import best
from crossroom_engine.placement import Placement, place
from crossroom_engine.rules import PRESETS
from crossroom_engine.tiles import Letter, multiset
from tests.browser import (
    DESK,
    LINE_LOST,
    PHONE,
    Browser,
    Player,
    Server,
    browsing,
    english,
    serving,
    violations,
)
from tests.lagging import lagging_beside

DICE: Final = 22
"""With these ann begins the first game with A E I M O R V, and bob has ? A A E E L T."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    with serving(tmp_path, getattr(request, "param", DICE)) as server:
        yield server


@pytest.fixture
def browser(chromium: Browser, server: Server) -> Iterator[Browser]:
    """Closed before the server is, so that nobody sees that end."""
    assert server.port
    chromium.troubles.clear()
    yield chromium
    chromium.leave()
    assert not chromium.troubles


def forgive_lost_lines(browser: Browser) -> None:
    browser.troubles = [told for told in browser.troubles if not LINE_LOST.search(told)]


def sit_down(browser: Browser, server: Server, *sizes: Any) -> tuple[Player, Player]:
    """Ann and bob at a table, in a game that has begun."""
    ann, bob = (
        Player(browser.visit(size or DESK), name).sit(f"{server.url}/t/kitchen")
        for name, size in zip(("ann", "bob"), sizes or (PHONE, DESK), strict=True)
    )
    ann.wait("bob takes seat 2")
    for player in (ann, bob):
        player.ready()
    return ann.begun(), bob.begun()


def with_blank(plays: list[Placement]) -> Placement:
    return next(play for play in plays[::-1] if any(laid.letter.blank for laid in play.laid))


def phony(play: Placement) -> tuple[Placement, str]:
    """The tiles of a play in another order, so that its main word is none."""
    letters = [laid.letter for laid in play.laid]
    for order in permutations(letters):
        word = "".join(str(letter) for letter in order)
        if "." not in play.text and word not in english():
            laid = tuple(
                Laid(was.square, letter) for was, letter in zip(play.laid, order, strict=True)
            )
            return replace(play, text=word, laid=laid), word
    raise AssertionError("no phony")


def overflow(page: Any) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_a_whole_game_by_touch_and_by_mouse(browser: Browser, server: Server) -> None:
    phone = browser.visit(PHONE, has_touch=True)
    phone.goto(server.url)
    phone.fill("#your-name", "ann")
    phone.fill("#table-name", "kitchen")
    phone.click("summary >> text='Rules and bots'")
    phone.click("summary >> text='Every single rule'")
    phone.uncheck(".field:has(#set-target) [type=checkbox]")
    phone.fill("#set-target", "90")
    phone.click("button >> text='Sit down'")
    ann = Player(phone, "ann")
    ann.wait("ann sets target to 90")
    bob = Player(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    ann.ready()
    bob.ready()
    ann.begun()
    bob.begun()
    ann.holds("AEIMORV")

    ann.page.click("text=Exchange")
    for tile in ("V", "I"):
        ann.page.click(f"dialog .picker button[aria-label^='{tile},']")
    ann.page.click("dialog .main >> text='Exchange 2'")
    bob.wait("ann exchanges 2 tiles")
    assert not [
        line for line in bob.log if "V" in line.split("exchanges")[-1] and "exchanges" in line
    ]

    play = with_blank(bob.best(n=500))
    bob.drag(*play.laid)
    bob.send(play)
    ann.wait("bob plays")
    assert ann.board == bob.board

    wrong, word = phony(next(p for p in ann.best(n=500) if "." not in p.text and len(p.text) > 3))
    ann.tap(wrong)
    ann.page.wait_for_selector(".status:has-text('points')")
    ann.page.click(".buttons .main")
    bob.wait(word)
    before = bob.board
    bob.page.click("button >> text='Challenge'")
    bob.page.click("dialog .main")
    ann.wait("takes it back")
    assert len(list(bob.board.items())) < len(list(before.items()))

    for _ in range(12):
        if ann.page.locator(".result").count():
            break
        for player in (ann, bob):
            accept = player.page.locator(".buttons .main:has-text('Accept')")
            if accept.is_visible():
                accept.click()
                player.page.wait_for_selector(".result")
            elif player.is_to_move and "Accept" not in player.status:
                play = player.best()[0]
                player.tap(play)
                player.send(play)
    for player in (ann, bob):
        player.page.wait_for_selector(".result")
        player.page.wait_for_selector("[data-do=ready] >> text='Ready for another game'")
        assert overflow(player.page) <= 0
    for text, path in (("The game, move by move", "/g/"), ("All games here", "/r/kitchen")):
        with ann.page.expect_popup() as beside:
            ann.page.click(f"text={text}")
        beside.value.wait_for_selector("h1")
        assert path in beside.value.url
    assert not [line for line in bob.log if "ann leaves" in line], "she is still at the table"


def test_by_keyboard_alone(browser: Browser, server: Server) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    keys = ann.page.keyboard
    play = ann.best()[0]
    ann.type(play)
    ann.page.wait_for_selector(f".status:has-text('{play.points} points')")
    keys.press("Escape")
    ann.holds("AEIMORV")
    ann.type(play)
    keys.press("Backspace")
    keys.press(play.text[-1])
    ann.page.wait_for_selector(f".status:has-text('{play.points} points')")
    keys.press("Enter")
    bob.wait(f"{play.points}: ann {play.points}")

    play = with_blank(bob.best(n=500))
    bob.type(play)
    bob.page.wait_for_selector(f".status:has-text('{play.points} points')")
    bob.page.keyboard.press("Enter")
    ann.wait("(a blank for")
    assert ann.board == bob.board
    live = ann.page.inner_text("[aria-live=polite]")
    assert "Your turn" in live or "bob plays" in live or "your turn" in live


def test_the_server_stops_and_nothing_is_lost(browser: Browser, server: Server) -> None:
    ann, bob = sit_down(browser, server)
    play = ann.best()[0]
    ann.tap(play)
    ann.page.wait_for_selector(".status:has-text('points')")
    server.stop()
    ann.page.wait_for_selector("body[data-line=lost]")
    assert ann.page.locator("[data-held]").count() == len(play.laid)
    server.start()
    ann.page.wait_for_selector("body[data-line=open]")
    bob.page.wait_for_selector("body[data-line=open]")
    ann.page.wait_for_selector(".buttons .main:not([aria-disabled])")
    assert ann.page.locator("[data-held]").count() == len(play.laid)
    ann.send(play)
    bob.wait("ann plays")
    bob.page.fill(".talk input", "still here")
    bob.page.click(".talk button")
    ann.wait("still here")
    seen = ann.page.evaluate(
        "[...document.querySelectorAll('.log [data-seq]')].map((l) => l.dataset.seq)"
    )
    assert len(seen) >= 6
    forgive_lost_lines(browser)


def test_a_line_that_died_in_its_sleep_is_found_out(browser: Browser, server: Server) -> None:
    page, lines, dead = browser.visit(PHONE), list[Any](), set[Any]()

    def carry(line: Any) -> None:
        far = line.connect_to_server()
        lines.append(line)
        line.on_message(lambda text: None if line in dead else far.send(text))
        far.on_message(lambda text: None if line in dead else line.send(text))

    page.route_web_socket("**", carry)
    page.clock.install()
    ann = Player(page, "ann").sit(f"{server.url}/t/kitchen")
    bob = Player(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    ann.ready()
    bob.ready()
    ann.begun()
    dead.add(lines[0])
    play = ann.best()[0]
    ann.tap(play)
    page.clock.run_for(1_000)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.clock.run_for(6_000)
    page.wait_for_selector("body[data-line=open]")
    page.wait_for_selector(".buttons .main:not([aria-disabled])")
    assert len(lines) == 2
    ann.send(play)
    bob.wait("ann plays")


def test_a_slow_line_takes_a_move_once(browser: Browser, server: Server) -> None:
    with lagging_beside(server.port) as lag:
        ann = Player(browser.visit(PHONE), "ann").sit(f"http://127.0.0.1:{lag.port}/t/kitchen")
        bob = Player(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
        ann.ready()
        bob.ready()
        ann.begun()
        lag.seconds = 1.0
        play = ann.best()[0]
        ann.tap(play)
        send = ann.page.locator(f".buttons .main:has-text('Play {play.points}')")
        send.wait_for()
        send.click()
        ann.page.wait_for_selector(".status:has-text('Sending')")
        send.click()
        bob.wait("ann plays")
        ann.page.wait_for_selector(".status:has-text('bob to move')")
        ann.page.wait_for_timeout(2_500)  # a second answer would be here by now
        assert ann.status == "bob to move"
        assert ann.page.get_attribute("body", "data-line") == "open"
        browser.leave()


def test_a_page_that_is_loaded_again_has_everything(browser: Browser, server: Server) -> None:
    ann, _ = sit_down(browser, server)
    play = ann.best()[0]
    ann.tap(play)
    ann.page.wait_for_selector(".status:has-text('points')")
    before = ann.log
    ann.page.reload()
    ann.begun()
    ann.page.wait_for_selector(f".buttons .main:has-text('Play {play.points}')")
    assert ann.page.locator("[data-held]").count() == len(play.laid)
    ann.wait("game 1 begins")
    assert [line for line in ann.log if "begins" in line] == [
        line for line in before if "begins" in line
    ]


def test_a_second_tab_takes_the_seat_and_gives_it_back(browser: Browser, server: Server) -> None:
    ann, _ = sit_down(browser, server, DESK, DESK)
    second = Player(browser.tab(ann.page.context), "ann")
    second.page.goto(f"{server.url}/t/kitchen")
    second.begun()
    ann.page.wait_for_selector("dialog >> text='Playing in another tab'")
    ann.page.wait_for_timeout(1_500)  # nobody fights over it
    assert second.page.get_attribute("body", "data-line") == "open"
    ann.page.click("dialog >> text='Play here'")
    second.page.wait_for_selector("dialog >> text='Playing in another tab'")
    ann.page.wait_for_selector("body[data-line=open]")
    ann.holds("AEIMORV")


def test_a_locked_table_asks_for_its_password(browser: Browser, server: Server) -> None:
    ann = Player(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.evaluate("window.scrollTo(0, 0)")
    ann.page.click("text=Menu")
    ann.page.click("dialog >> text='Lock the table'")
    ann.page.fill("dialog input", "sesame")
    ann.page.click("dialog .main")
    ann.wait("locks the room")
    cat = browser.visit(PHONE)
    cat.goto(f"{server.url}/t/kitchen")
    cat.fill("dialog input", "wrong")
    cat.click("dialog .main")
    cat.fill("dialog:has-text('does not open') input", "sesame")
    cat.click("dialog .main")
    cat.fill("dialog:has-text('What shall we call you') input", "cat")
    cat.click("dialog .main")
    ann.wait("cat takes seat 2")
    ann.page.click("text=Invite")
    assert "lets one friend in, once" in ann.page.inner_text("dialog")
    assert not ann.page.locator("dialog .qr").count(), "it would lead to a shut door"
    link = ann.page.input_value("dialog input")
    assert "#" in link
    assert not violations(ann.page, "dialog")
    dan = browser.visit(PHONE)
    dan.goto(link)
    dan.fill("dialog:has-text('What shall we call you') input", "dan")
    dan.click("dialog .main")
    ann.wait("dan takes seat 3")
    assert "#" not in dan.url


def test_a_registered_name_asks_for_its_code(browser: Browser, server: Server) -> None:
    ann = Player(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.click("text=Menu")
    ann.page.click("dialog >> text='Register my name'")
    ann.page.click("dialog button.main")
    told = ann.page.inner_text("dialog .lines")
    (code,) = re.findall(r"\w{4}(?:-\w{4})+", told)
    other = browser.visit(PHONE)
    other.goto(f"{server.url}/t/attic")
    other.fill("dialog input", "ann")
    other.click("dialog .main")
    other.fill("dialog:has-text('registered here') input", code)
    other.click("dialog .main")
    other.wait_for_selector(".seats b:has-text('ann')")


@pytest.mark.parametrize(("entry", "told"), [("My games", "/register"), ("Ratings", "rated")])
def test_what_is_remembered_is_shown_in_whole_lines(
    browser: Browser, server: Server, entry: str, told: str
) -> None:
    ann = Player(browser.visit(PHONE), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.click("text=Menu")
    ann.page.click(f"dialog button:has-text('{entry}')")
    ann.page.wait_for_selector(f"dialog :text('{told}')")
    cut = "(e) => e.scrollWidth > e.clientWidth"
    assert not ann.page.locator("dialog .lines").evaluate(cut)


def test_a_blank_is_taken_back_and_words_are_judged_at_once(
    browser: Browser, server: Server
) -> None:
    ann = Player(browser.visit(PHONE), "ann").sit(f"{server.url}/t/kitchen")
    bob = Player(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    ann.page.click("[data-do=rules]")
    ann.page.select_option("dialog [name=preset]", "race")
    ann.page.click("dialog button.main")
    bob.wait("sets preset to race")
    ann.ready()
    bob.ready()
    ann.begun()
    ann.tap(first := ann.best()[0])
    ann.page.wait_for_selector(".status:has-text('in the word list')")
    ann.page.click(".buttons .main")
    bob.wait(f"{first.words[0]} for")
    ann.page.wait_for_selector(".status:has-text('bob to move')")
    plays = [play for play in bob.best(n=2_000) if not play.swapped]
    lent, play = next(
        (laid, play)
        for play in plays
        for laid in play.laid
        if laid.letter.blank and laid.letter.letter in ann.rack
    )
    bob.tap(play)
    bob.page.wait_for_selector(".status:has-text('points')")
    bob.page.click(".buttons .main")
    ann.wait("(a blank for")
    ann.page.wait_for_selector(".status:has-text('Your turn')")
    found = best(
        PRESETS["race"], ann.board, multiset(ann.rack), english(), 3_000, None, {lent.square}
    )
    swap = next(play for play in found if play.swaps)
    placement = place(PRESETS["race"], ann.board, swap.spot, swap.text, swap.swaps)
    ann.drag(Laid(lent.square, Letter(lent.letter.letter)))
    assert "?" in ann.rack
    ann.tap(placement)
    ann.page.wait_for_selector(f".status:has-text('{swap.points} points')")
    ann.page.click(".buttons .main")
    bob.wait(f"swapping {lent.letter.letter} for the blank on {lent.square}")


def test_a_turn_is_taken_back_if_the_other_agrees(browser: Browser, server: Server) -> None:
    ann, bob = sit_down(browser, server)
    play = ann.best()[0]
    ann.tap(play)
    ann.send(play)
    for player, title, answer in ((bob, "Abort", "Decline"), (ann, "Undo my turn", "Agree")):
        other = bob if player is ann else ann
        player.page.click("text=Menu")
        player.page.click(f"dialog button:has-text('{title}')")
        player.page.click("dialog button.main")
        other.page.wait_for_selector(f".offer:has-text('{player.name} asks to')")
        assert not violations(other.page, ".offer")
        other.page.click(f".offer button:has-text('{answer}')")
        other.page.wait_for_selector(".offer", state="hidden")
    ann.wait("takes the latest turn back")
    ann.page.wait_for_selector(".status:has-text('Your turn')")
    ann.holds("AEIMORV")
    assert not list(ann.board.items())


def test_every_move_is_read_out_as_the_lines_tell_it(browser: Browser, server: Server) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    bob.page.evaluate(
        "window.heard = []; new MutationObserver(() => heard.push("
        "document.querySelector('[aria-live=polite]').textContent)).observe("
        "document.querySelector('[aria-live=polite]'), {childList: true, subtree: true})"
    )
    play = ann.best()[0]
    ann.type(play)
    ann.send(play)
    bob.wait("ann plays")
    bob.page.wait_for_selector(".status:has-text('Your turn')")
    heard = bob.page.evaluate("heard")
    assert any(f"ann plays {play.spot} across {play.text} for {play.points}" in it for it in heard)
    assert any("your turn 2" in it for it in heard)
    label = bob.cell(str(play.spot.square)).get_attribute("aria-label")
    assert label == f"{play.spot.square}, V, 4 points, of the latest play"


GIANT: Final = ("*" + "." * 20, *("." * 21 for _ in range(20)))


@pytest.mark.parametrize("server", [63], indirect=True)
def test_four_players_on_the_largest_board_with_tiles_of_two_letters(
    browser: Browser, server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tiles = data.tileset("spanish")
    (tmp_path / "lexica").mkdir()
    words = pack([("C", "A", "S", "A")], tiles.letters, {})
    (tmp_path / "lexica" / "palabras.lex").write_bytes(words)
    shutil.copytree(data._FOLDER, tmp_path / "data")
    (tmp_path / "data" / "layouts" / "giant.txt").write_text("\n".join(GIANT))
    monkeypatch.setattr(data, "_FOLDER", tmp_path / "data")

    names = ("ann", "bob", "Wilhelmina-the-Great", "x" * 20)
    sizes = (PHONE, DESK, PHONE, DESK)
    players = [
        Player(browser.visit(size), name).sit(f"{server.url}/t/kitchen")
        for name, size in zip(names, sizes, strict=True)
    ]
    ann, bob = players[:2]
    ann.page.click("[data-do=rules]")
    ann.page.click("dialog summary")
    for setting, value in (("layout", "giant"), ("tiles", "spanish"), ("lexicon", "palabras")):
        ann.page.select_option(f"#set-{setting}", value)
    ann.page.click("dialog button.main")
    bob.wait("sets lexicon to palabras")
    for player in players:
        player.ready()
    mover = next(player for player in players if player.begun().is_to_move)
    assert {"C", "CH", "O"} <= set(mover.rack)
    mover.page.locator(".square[data-at='1A']").click()
    for key in "CHO":
        mover.page.keyboard.press(key)
    mover.page.wait_for_selector(".status:has-text('points')")
    mover.page.keyboard.press("Enter")
    for player in players:
        player.wait(f"{mover.name} plays 1A across CHO")
        assert (
            player.cell("1A").get_attribute("aria-label") == "1A, CH, 5 points, of the latest play"
        )
        assert player.page.locator(".square").count() == 21 * 21
        assert overflow(player.page) <= 0
        if player is not mover:
            assert len(player.rack) == 7


TYPED: Final = """async ([rack, keys]) => {
    const folder = document.querySelector("script[type=module]").src.replace(/[^/]*$/, "");
    const [{ Board }, { Composition }] = await Promise.all(
        ["board.js", "compose.js"].map((file) => import(folder + file)));
    const composition = new Composition();
    composition.sync(Array(15).fill("..............."), rack);
    composition.cursor = { row: 7, col: 7, across: true };
    const typing = Object.create(Board.prototype);
    const act = { say() {}, changed() {} };
    Object.assign(typing, { composition, act, focus() {}, typed: null });
    for (const key of keys) typing.press(key, false);
    return composition.play.word;
}"""


def test_tiles_of_several_letters_are_typed_letter_by_letter(
    browser: Browser, server: Server
) -> None:
    page = browser.visit(DESK)
    page.goto(f"{server.url}/")
    for rack, keys, word in (
        (["L·L", "A"], "L·LA", "[L·L]A"),
        (["L·L", "L", "A"], "L·LA", "[L·L]A"),
        (["CH", "C", "U"], "chuc", "[CH]UC"),
        (["CH", "U", "?"], "chu", "[CH]U"),
        (["C", "H", "U"], "chu", "CHU"),
        (["DŽ", "E", "P"], "džep", "[DŽ]EP"),
        (["C", "U", "?"], "chu", "ChU"),
    ):
        assert page.evaluate(TYPED, [rack, keys]) == word


WRITTEN_TO: Final = """(place) => {
    const text = new Range();
    text.selectNodeContents(place);
    return text.getBoundingClientRect().right;
}"""


def test_four_long_scores_and_clocks_fit_a_phone(browser: Browser, server: Server) -> None:
    sizes = (PHONE, DESK, DESK, DESK)
    ann, *others = (
        Player(browser.visit(size), name).sit(f"{server.url}/t/kitchen")
        for size, name in zip(sizes, ("ann", "bob", "cat", "dan"), strict=True)
    )
    ann.page.click("[data-do=rules]")
    ann.page.click("dialog summary")
    ann.page.uncheck(".field:has(#set-clock) [type=checkbox]")
    ann.page.fill("#set-clock", "7200")
    ann.page.click("dialog button.main")
    others[0].wait("sets clock to 7200")
    for player in (ann, *others):
        player.ready()
    ann.begun()
    for card in ann.page.locator(".player").all():
        card.locator(".score").evaluate("(score) => { score.textContent = '348'; }")
        edge = card.evaluate("(card) => card.getBoundingClientRect().right")
        assert card.locator(".clock").evaluate(WRITTEN_TO) < edge - 2


def test_axe_finds_nothing(browser: Browser, server: Server) -> None:
    lobby = browser.visit(DESK)
    lobby.goto(server.url)
    lobby.click("summary >> text='Rules and bots'")
    lobby.click("summary >> text='Every single rule'")
    assert not violations(lobby)
    ann = Player(browser.visit(PHONE), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.wait_for_selector(".guests")
    assert not violations(ann.page, ".left")
    bob = Player(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    ann.ready()
    bob.ready()
    ann.begun()
    ann.tap(ann.best()[0])
    bob.begun()
    for page in (ann.page, bob.page):
        assert not violations(page)
    for opener in ("Menu", "Exchange", "Invite", "Pass"):
        ann.page.click(f"button >> text='{opener}'")
        ann.page.wait_for_selector("dialog")
        assert not violations(ann.page, "dialog"), opener
        ann.page.keyboard.press("Escape")
    bob.page.locator(".rack button[aria-label=blank]").click()
    bob.cell("8H").click()
    bob.page.wait_for_selector("dialog .key")
    assert not violations(bob.page, "dialog")


def test_what_is_meant_for_the_server_is_not_told_to_the_table(
    browser: Browser, server: Server
) -> None:
    ann = Player(browser.visit(PHONE), "ann").sit(f"{server.url}/t/kitchen")
    for text in ("/resume abcd-efgh-jklm", "good evening"):
        ann.page.fill(".talk input", text)
        ann.page.click(".talk button")
        if text.startswith("/"):
            ann.page.wait_for_selector("[aria-live=polite] >> text=Commands are for terminals")
    ann.wait("good evening")
    assert not [line for line in ann.log if "resume" in line]


PAPER_SPEAKERS: Final = """
    window.tones = [];
    window.AudioContext = class {
        state = "suspended";
        currentTime = 0;
        resume() { this.state = "running"; }
        createGain() {
            return {gain: {setValueAtTime() {}, exponentialRampToValueAtTime() {}}, connect() {}};
        }
        createOscillator() {
            const frequency = {};
            const start = () => tones.push([frequency.value, this.state]);
            return {frequency, connect: (to) => to, start, stop() {}};
        }
    };
"""


def test_moves_and_turns_are_heard_by_whoever_turned_sounds_on(
    browser: Browser, server: Server
) -> None:
    pages = browser.visit(PHONE), browser.visit(DESK)
    for page in pages:
        page.add_init_script(PAPER_SPEAKERS)
    ann, bob = (
        Player(page, name).sit(f"{server.url}/t/kitchen")
        for page, name in zip(pages, ("ann", "bob"), strict=True)
    )
    bob.page.click("text=Menu")
    bob.page.check("dialog >> text=Sounds")
    assert bob.page.evaluate("tones") == [[660, "running"]], "so that one hears what is on"
    bob.page.keyboard.press("Escape")
    ann.ready()
    bob.ready()
    play = ann.begun().best()[0]
    ann.tap(play)
    ann.send(play)
    bob.page.wait_for_selector(".status:has-text('Your turn')")
    begins, plays, turn = 440, 440, 660
    assert bob.page.evaluate("tones.map(([hertz]) => hertz)") == [660, begins, plays, turn]
    assert ann.page.evaluate("tones") == [], "they are off by default"


def test_letters_are_never_markup(browser: Browser, server: Server) -> None:
    ann, bob = sit_down(browser, server)
    text = "<img src=x onerror=alert(1)><b>hi</b>"
    ann.page.fill(".talk input", text)
    ann.page.keyboard.press("Enter")
    bob.wait("hi")
    assert any(text in line for line in bob.log)
    assert not bob.page.locator(".log img").count()


def test_no_rack_leaves_for_others(browser: Browser, server: Server) -> None:
    ann, bob = sit_down(browser, server)
    frames: list[str] = []
    watcher = browser.visit(DESK)
    watcher.on("websocket", lambda socket: socket.on("framereceived", lambda f: frames.append(f)))
    watcher.goto(f"{server.url}/t/kitchen")
    watcher.click("dialog >> text='Just watch'")
    watcher.wait_for_selector(".lounge >> text='You are watching.'")
    play = ann.best()[0]
    ann.tap(play)
    ann.send(play)
    watcher.wait_for_selector(".log >> text=ann plays")
    assert frames
    assert not [frame for frame in frames if '"rack":[' in str(frame)]
    assert not watcher.locator(".rack:not([hidden])").count()
    assert Letter(play.text[0]) in dict(bob.board.items()).values()
