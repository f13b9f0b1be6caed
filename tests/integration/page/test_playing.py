"""Whole games in a real browser, by touch, mouse and keyboard."""

from typing import Final

from crossroom_engine.core.board import PlacedTile
from crossroom_engine.core.placement import place
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.core.tiles import Letter, multiset
from crossroom_engine.movegen import best
from tests.integration.page.page_games import overflow, phony, sit_down, with_blank
from tests.support.browser import (
    DESK,
    PHONE,
    Browser,
    PagePlayer,
    PageServer,
    english_lexicon,
    violations,
)

COUNT_RETURNING: Final = """() => {
    window.returned = 0;
    new MutationObserver((told) => {
        for (const { addedNodes } of told)
            window.returned += [...addedNodes].filter((it) => it.matches?.(".returning")).length;
    }).observe(document.body, { childList: true });
}"""


def test_a_whole_game_by_touch_and_by_mouse(browser: Browser, server: PageServer) -> None:
    phone = browser.visit(PHONE, has_touch=True)
    phone.goto(server.url)
    phone.click("#create > summary")
    phone.fill("#your-name", "ann")
    phone.fill("#table-name", "kitchen")
    phone.click("summary >> text='Rules and bots'")
    phone.click("summary >> text='Every single rule'")
    phone.uncheck(".field:has(#set-target) [type=checkbox]")
    phone.fill("#set-target", "90")
    phone.click("button >> text='Create room'")
    ann = PagePlayer(phone, "ann")
    ann.wait("ann sets target to 90")
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
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
    ann.page.click(".move-buttons .main")
    bob.wait(word)
    before = bob.board
    bob.page.click("button >> text='Challenge'")
    ann.page.evaluate(COUNT_RETURNING)
    bob.page.click("dialog .main")
    ann.wait("takes it back")
    fewer = "(tiles) => document.querySelectorAll('.square .tile').length < tiles"
    bob.page.wait_for_function(fewer, arg=len(list(before.items())))
    for player in (ann, bob):
        player.page.wait_for_selector(".status[data-kind=news]:has-text('takes the play back')")
    ann.page.wait_for_function("seen => window.returned === seen", arg=len(wrong.laid))
    ann.page.wait_for_selector(".tile.returning", state="detached")

    for _ in range(12):
        if ann.page.locator(".result").count():
            break
        for player in (ann, bob):
            accept = player.page.locator(".move-buttons .main:has-text('Accept')")
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


def test_by_keyboard_alone(browser: Browser, server: PageServer) -> None:
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


def test_a_blank_is_taken_back_and_words_are_judged_at_once(
    browser: Browser, server: PageServer
) -> None:
    ann = PagePlayer(browser.visit(PHONE), "ann").sit(f"{server.url}/t/kitchen")
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    ann.page.click("[data-do=rules]")
    ann.page.select_option("dialog [name=preset]", "race")
    ann.page.click("dialog button.main")
    bob.wait("sets preset to race")
    ann.ready()
    bob.ready()
    ann.begun()
    ann.tap(first := ann.best()[0])
    ann.page.wait_for_selector(".status:has-text('in the word list')")
    ann.page.click(".move-buttons .main")
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
    bob.page.click(".move-buttons .main")
    ann.wait("(a blank for")
    ann.page.wait_for_selector(".status:has-text('Your turn')")
    found = best(
        PRESETS["race"],
        ann.board,
        multiset(ann.rack),
        english_lexicon(),
        3_000,
        None,
        {lent.square},
    )
    swap = next(play for play in found if play.swaps)
    placement = place(PRESETS["race"], ann.board, swap.spot, swap.text, swap.swaps)
    ann.drag(PlacedTile(lent.square, Letter(lent.letter.letter)))
    assert "?" in ann.rack
    ann.tap(placement)
    ann.page.wait_for_selector(f".status:has-text('{swap.points} points')")
    ann.page.click(".move-buttons .main")
    bob.wait(f"swapping {lent.letter.letter} for the blank on {lent.square}")


def test_a_turn_is_taken_back_if_the_other_agrees(browser: Browser, server: PageServer) -> None:
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


def test_every_move_is_read_out_as_the_lines_tell_it(browser: Browser, server: PageServer) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    play = ann.best()[0]
    ann.type(play)
    ann.send(play)
    bob.wait("ann plays")
    bob.page.wait_for_selector(".status:has-text('Your turn')")
    move = f"ann plays {play.spot} across {play.text} for {play.points}"
    told = bob.page.locator(f"[aria-live=polite] p:has-text('{move}')")
    told.filter(has_text="your turn").wait_for()
    bob.page.fill(".chat input", "hello")
    bob.page.keyboard.press("Enter")
    bob.wait("hello")
    assert told.count() == 1, "it stays"
    label = bob.cell(str(play.spot.square)).get_attribute("aria-label")
    assert label == f"{play.spot.square}, V, 4 points, of the latest play"


def test_tiles_to_exchange_are_typed(browser: Browser, server: PageServer) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    ann.holds("AEIMORV")
    ann.page.click("text=Exchange")
    ann.page.wait_for_selector("dialog .picker")
    for key in "vavm":
        ann.page.keyboard.press(key)
    ann.page.keyboard.press("Backspace")
    assert ann.page.locator("dialog [aria-pressed=true]").count() == 2
    assert ann.page.locator("dialog > [aria-live=polite]").count() == 1
    ann.page.click("dialog button.main")
    bob.wait("ann exchanges 2")


def test_no_rack_leaves_for_others(browser: Browser, server: PageServer) -> None:
    ann, bob = sit_down(browser, server)
    frames: list[str] = []
    watcher = browser.visit(DESK)
    watcher.on("websocket", lambda socket: socket.on("framereceived", lambda f: frames.append(f)))
    watcher.goto(f"{server.url}/t/kitchen")
    watcher.click("dialog >> text='Just watch'")
    watcher.wait_for_selector(".waiting-room >> text='You are watching.'")
    play = ann.best()[0]
    ann.tap(play)
    ann.send(play)
    watcher.wait_for_selector(".log >> text=ann plays")
    assert frames
    assert not [frame for frame in frames if '"rack":[' in str(frame)]
    assert not watcher.locator(".rack:not([hidden])").count()
    assert Letter(play.text[0]) in dict(bob.board.items()).values()


def test_letters_are_never_markup(browser: Browser, server: PageServer) -> None:
    ann, bob = sit_down(browser, server)
    text = "<img src=x onerror=alert(1)><b>hi</b>"
    ann.page.fill(".chat input", text)
    ann.page.keyboard.press("Enter")
    bob.wait("hi")
    assert any(text in line for line in bob.log)
    assert not bob.page.locator(".log img").count()


def test_a_finished_game_is_stepped_through_by_keys_and_in_the_graph(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    mover, other = (ann, bob) if ann.is_to_move else (bob, ann)
    play = mover.best()[0]
    mover.tap(play)
    mover.send(play)
    other.page.click("text=Menu")
    other.page.click("dialog >> text='Resign'")
    other.page.click("dialog .main")
    address = mover.page.get_attribute("a >> text='The game, move by move'", "href")
    page = browser.visit(DESK, permissions=["clipboard-write"])
    page.goto(f"{server.url}/t/{address}")
    page.wait_for_selector("#share button")
    page.keyboard.press("Home")
    page.wait_for_selector("#description:has-text('Before the first move')")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"#description:has-text('{play.points} points')")
    box = page.locator("#graph").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.1, box["y"] + box["height"] / 2)
    page.wait_for_selector("#description:has-text('Before the first move')")
    page.click("#share button")
    page.wait_for_selector("#share button:has-text('Copied')")


def test_the_tiles_on_the_rack_stay_where_they_are_when_one_is_laid(
    browser: Browser, server: PageServer
) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    mover = ann if ann.is_to_move else bob
    tiles = mover.page.locator(".play-area .rack button")
    last = tiles.nth(6).bounding_box()
    tiles.first.click()
    mover.cell("8H").click()
    mover.page.wait_for_selector("[data-at='8H'][data-tentative]")
    assert tiles.count() == 6
    assert tiles.nth(5).bounding_box() == last


def test_a_time_is_chosen_by_name(browser: Browser, server: PageServer) -> None:
    page = browser.visit(PHONE)
    page.goto(server.url)
    page.click("#create > summary")
    page.fill("#your-name", "ann")
    page.fill("#table-name", "slow")
    page.click("summary >> text='Rules and bots'")
    page.select_option("select[name=time]", label="3 days for each turn")
    page.click("summary >> text='Every single rule'")
    assert page.input_value("#set-turn_limit") == "259200"
    page.fill("#set-turn_limit", "200000")
    page.dispatch_event("#set-turn_limit", "change")
    assert page.input_value("select[name=time]") == ""
    page.select_option("select[name=time]", label="A day for each turn")
    page.click("button >> text='Create room'")
    ann = PagePlayer(page, "ann")
    ann.wait("ann sets turn limit to 86400")
