"""Before and beside a game: who comes in, who they are, what is said and remembered."""

import re
from typing import Any

import pytest

from tests.integration.page.page_games import sit_down
from tests.support.browser import DESK, PHONE, Browser, PagePlayer, PageServer, violations


def test_a_locked_table_asks_for_its_password(browser: Browser, server: PageServer) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.evaluate("window.scrollTo(0, 0)")
    ann.page.click("text=Menu")
    ann.page.click("dialog >> text='Lock the room'")
    ann.page.fill("dialog input", "sesame")
    ann.page.click("dialog .main")
    ann.wait("locks the room")
    cat = browser.visit(PHONE)
    cat.goto(f"{server.url}/t/kitchen")
    cat.fill("dialog input", "wrong")
    cat.click("dialog .main")
    cat.fill("dialog:has-text('does not open') input", "sesame")
    cat.click("dialog .main")
    cat.fill("dialog:has-text('Your name') input", "cat")
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
    dan.fill("dialog:has-text('Your name') input", "dan")
    dan.click("dialog .main")
    ann.wait("dan takes seat 3")
    assert "#" not in dan.url


def test_a_registered_name_asks_for_its_code(browser: Browser, server: PageServer) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    other = prove_name(browser, f"{server.url}/t/attic", register(ann.page))
    other.wait_for_selector(".seats b:has-text('ann')")


def test_a_registered_name_takes_its_seat_along_to_a_phone(
    browser: Browser, server: PageServer
) -> None:
    ann, _ = sit_down(browser, server, DESK, DESK)
    code, rack = register(ann.page), sorted(ann.rack)
    ann.page.keyboard.press("Escape")
    phone = PagePlayer(prove_name(browser, f"{server.url}/t/kitchen", code), "ann")
    phone.page.wait_for_selector(".rack:not([hidden]) button")
    assert sorted(phone.rack) == rack
    ann.page.wait_for_selector("dialog:has-text('Playing in another tab')")


def register(page: Any) -> str:
    """Make the name of a page theirs; return its code."""
    page.click("text=Menu")
    page.click("dialog >> text='Register my name'")
    page.click("dialog button.main")
    (code,) = re.findall(r"\w{4}(?:-\w{4})+", page.inner_text("dialog .lines"))
    return str(code)


def prove_name(browser: Browser, address: str, code: str) -> Any:
    """Come in as ann on a phone that has only the code."""
    page = browser.visit(PHONE)
    page.goto(address)
    page.fill("dialog input", "ann")
    page.click("dialog .main")
    page.fill("dialog:has-text('registered here') input", code)
    page.click("dialog .main")
    return page


@pytest.mark.parametrize(
    ("entry", "told"), [("My games", "not counted"), ("Ratings", "has a rating")]
)
def test_what_is_remembered_is_shown_in_whole_lines(
    browser: Browser, server: PageServer, entry: str, told: str
) -> None:
    ann = PagePlayer(browser.visit(PHONE), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.click("text=Menu")
    ann.page.click(f"dialog button:has-text('{entry}')")
    ann.page.wait_for_selector(f"dialog :text('{told}')")
    cut = "(e) => e.scrollWidth > e.clientWidth"
    assert not ann.page.locator("dialog .lines").evaluate(cut)


def test_what_is_meant_for_the_server_is_not_told_to_the_table(
    browser: Browser, server: PageServer
) -> None:
    ann = PagePlayer(browser.visit(PHONE), "ann").sit(f"{server.url}/t/kitchen")
    for text in ("/resume abcd-efgh-jklm", "good evening", "//play 8H AT"):
        ann.page.fill(".chat input", text)
        ann.page.click(".chat button")
        if text.startswith("/r"):
            ann.page.wait_for_selector("[aria-live=polite] >> text=Commands are for terminals")
            ann.page.click("dialog .close")
            assert ann.page.input_value(".chat input") == ""
    ann.wait("good evening")
    ann.wait("/play 8H AT")
    assert not [line for line in ann.log if "resume" in line]


def test_wishes_outlive_a_refused_name_and_names_may_have_spaces(
    browser: Browser, server: PageServer
) -> None:
    page = browser.visit(DESK)
    page.goto(server.url)
    page.click("#create > summary")
    page.fill("#your-name", "7up")
    page.fill("#table-name", "kitchen")
    page.click(".start summary")
    page.select_option("#bot-count", "1")
    page.click(".start button")
    page.wait_for_selector("dialog input")
    page.fill("dialog input", "Anna Maria")
    page.click("dialog button.main")
    page.wait_for_selector(".seats >> text=Anna-Maria")
    page.wait_for_selector(".seats >> text=bot")


@pytest.mark.parametrize(("width", "height"), [(390, 664), (360, 640)])
def test_talk_is_seen_on_a_phone_above_the_rack(
    browser: Browser, server: PageServer, width: int, height: int
) -> None:
    ann, bob = sit_down(browser, server, {"width": width, "height": height}, DESK)
    bob.page.fill(".chat input", "good evening")
    bob.page.keyboard.press("Enter")
    line = ann.page.locator(".talk-line >> text=good evening")
    ann.wait("good evening")
    line.wait_for()
    play = ann.page.locator(".move-buttons .main").bounding_box()
    assert play["y"] + play["height"] <= height, "it is still in sight"
    assert ann.page.title().startswith("(1) ")
    line.click()
    ann.page.wait_for_selector(".talk-line", state="hidden")


def test_a_seat_follows_to_another_device_by_the_menu(browser: Browser, server: PageServer) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.click("text=Menu")
    ann.page.click("dialog >> text=Play on another device")
    code = ann.page.locator("dialog .lines p").last.inner_text()
    other = browser.visit(PHONE)
    other.goto(f"{server.url}/t/kitchen")
    other.click("dialog >> text='Just watch'")
    other.click("text=Menu")
    other.click("dialog >> text=Come back to my seat")
    other.fill("dialog input", code)
    other.click("dialog button.main")
    other.wait_for_selector("[data-do=ready]")


def test_a_link_brings_the_seat_to_a_phone_once(browser: Browser, server: PageServer) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.click("text=Menu")
    ann.page.click("dialog >> text=Play on another device")
    assert not violations(ann.page, "dialog")
    link = ann.page.input_value("dialog input")
    assert link.startswith(f"{server.url}/t/kitchen#seat-")
    phone, thief = browser.visit(PHONE), browser.visit(PHONE)
    phone.goto(link)
    phone.wait_for_selector("[data-do=ready]")
    assert "#" not in phone.url
    ann.page.wait_for_selector("text=Your seat is in use in another tab or on another device.")
    phone.reload()
    phone.wait_for_selector("[data-do=ready]")
    thief.goto(link)
    thief.wait_for_selector("dialog >> text=This link was used, or is older than ten minutes")
    thief.click("dialog button")
    thief.wait_for_selector("dialog:has-text('Your name')")


def open_people(player: PagePlayer) -> Any:
    """The list of people, open."""
    player.page.click("text=Menu")
    player.page.click("dialog button:has-text('People')")
    player.page.wait_for_selector(".people")
    return player.page


def test_people_are_listed_with_what_one_may_do_about_them(
    browser: Browser, server: PageServer
) -> None:
    ann, bob, cat = (
        PagePlayer(browser.visit(size), name).sit(f"{server.url}/t/kitchen")
        for name, size in (("ann", PHONE), ("bob", DESK), ("cat", DESK))
    )
    ann.wait("cat takes seat 3")

    page = open_people(ann)
    assert page.locator(".people li").all_inner_texts() == [
        "ann\nyou, owner, seated",
        "bob\nseated",
        "cat\nseated",
    ]
    assert not violations(page, "dialog")
    page.focus(".people li:nth-child(2) button")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog h2:has-text('bob')")
    assert not violations(page, "dialog")
    page.click("dialog button:text-is('Mute')")
    page.click("dialog >> text=For ten minutes")
    ann.wait("ann mutes bob for a while")

    page = open_people(bob)
    page.click(".people button:has-text('cat')")
    page.fill("dialog input", "psst")
    page.click("dialog .main")
    page.wait_for_selector(".status:has-text('muted you')")
    page = open_people(cat)
    assert page.locator("dialog > button").count() == 0, "bans are for those who keep order"
    page.click(".people button:has-text('bob')")
    page.fill("dialog input", "are you there?")
    page.click("dialog .main")
    bob.wait("cat tells you: are you there?")
    assert not [line for line in ann.log if "there?" in line]

    page = open_people(ann)
    page.click(".people button:has-text('cat')")
    page.click("dialog button:text-is('Make a moderator')")
    page.click("dialog .main")
    cat.wait("ann makes cat a moderator")
    page = open_people(cat)
    page.click(".people button:has-text('bob')")
    assert "Make owner" not in page.inner_text("dialog .menu")
    page.click("dialog button:text-is('Ban')")
    page.click("dialog .main")
    bob.page.wait_for_selector("dialog:has-text('You have no seat')")
    page = open_people(cat)
    assert "owner" in page.inner_text(".people li >> nth=0")
    assert page.locator(".people li >> nth=0 >> button").count() == 1
    page.click("dialog >> text=Banned and muted")
    page.wait_for_selector("dialog .lines >> text=bob")
    page.fill("dialog input", "bob")
    page.click("dialog >> text=Let in")
    ann.wait("cat lets bob come in again")


@pytest.mark.parametrize("how", ["Send away", "Ban"])
def test_who_is_sent_away_is_not_shown_as_here_any_more(
    browser: Browser, server: PageServer, how: str
) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    for player in (ann, bob):
        player.ready()
    for player in (ann, bob):
        player.begun()
    cat = browser.visit(DESK)
    cat.goto(f"{server.url}/t/kitchen")
    cat.fill("dialog input", "cat")
    cat.click("dialog button.main")
    bob.page.wait_for_selector(".note:has-text('Watching: cat')")
    page = open_people(ann)
    page.click(".people button:has-text('cat')")
    page.click(f"dialog button:text-is('{how}')")
    page.click("dialog .main")
    for player in (ann, bob):
        player.page.wait_for_selector(".note:has-text('Watching')", state="detached")


def test_addresses_that_are_said_are_links(browser: Browser, server: PageServer) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    ann.page.fill(".chat input", "see https://example.org/a?b=1, or http://example.net.")
    ann.page.keyboard.press("Enter")
    bob.page.wait_for_selector(".log a")
    links = bob.page.locator(".log a")
    assert [links.nth(at).get_attribute("href") for at in range(links.count())] == [
        "https://example.org/a?b=1",
        "http://example.net",
    ]


def test_the_address_is_copied_where_the_browser_has_only_the_old_way(
    browser: Browser, server: PageServer
) -> None:
    page = browser.visit(DESK)
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    ann = PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    ann.page.click(".bar >> text=Invite")
    ann.page.click("dialog >> text='Copy'")
    ann.page.wait_for_selector("dialog >> text='Copied'")


def test_a_wrong_code_of_a_seat_is_told(browser: Browser, server: PageServer) -> None:
    page = browser.visit(DESK)
    page.goto(f"{server.url}/t/kitchen")
    page.click("dialog >> text='Just watch'")
    page.click("text=Menu")
    page.click("dialog >> text='Come back to my seat'")
    page.fill("dialog input", "aaaa-bbbb-cccc")
    page.click("dialog .main")
    page.wait_for_selector("dialog:has-text('this code is not known here')")


def test_who_finds_no_free_seat_is_offered_none(browser: Browser, server: PageServer) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    ann.wait("bob takes seat 2")
    ann.page.click("[data-do=rules]")
    ann.page.click("dialog summary")
    ann.page.fill("#set-players", "2")
    ann.page.click("dialog .main")
    bob.wait("sets players to 2")
    cat = browser.visit(DESK)
    cat.goto(f"{server.url}/t/kitchen")
    cat.click("dialog >> text='Just watch'")
    cat.wait_for_selector(".waiting-room >> text='Join the talk'")


def test_texts_of_the_server_name_what_one_presses(browser: Browser, server: PageServer) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    mover, other = (ann, bob) if ann.is_to_move else (bob, ann)
    mover.tap(mover.any_two())
    mover.page.click(".move-buttons .main")
    other.wait("you may challenge it")
    assert "/challenge" not in other.page.inner_text(".log")


@pytest.mark.parametrize("way", ["Play the computer", "Play with friends"])
def test_one_tap_and_the_name_begin(browser: Browser, server: PageServer, way: str) -> None:
    page = browser.visit(PHONE)
    page.goto(server.url)
    page.click(f"button >> text='{way}'")
    page.fill("dialog:has-text('Your name') input", "ann")
    page.click("dialog .main")
    if way == "Play the computer":
        page.wait_for_selector(".player >> text=casual-bot")
    else:
        page.wait_for_selector("[data-do=ready]")


def test_the_first_page_shows_a_game_that_is_being_played(
    browser: Browser, server: PageServer
) -> None:
    sit_down(browser, server, DESK, DESK)
    page = browser.visit(DESK)
    page.goto(server.url)
    page.wait_for_selector("#live img")
    size = "(image) => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"
    assert page.locator("#live img").evaluate(size) == [1200, 630]
    assert not violations(page)


def test_the_menu_ends_with_what_ends_the_game(browser: Browser, server: PageServer) -> None:
    ann, _ = sit_down(browser, server, DESK, DESK)
    ann.page.click("text=Menu")
    labels = ann.page.locator("dialog .menu button").all_inner_texts()
    assert labels[-2:] == ["Abort", "Resign"]
    assert ann.page.locator("dialog h3").all_inner_texts() == [
        "The game",
        "The room",
        "You",
        "Give up",
    ]


def test_who_comes_late_is_asked_for_a_name_once(browser: Browser, server: PageServer) -> None:
    sit_down(browser, server, DESK, DESK)
    cat = browser.visit(DESK)
    cat.goto(f"{server.url}/t/kitchen")
    cat.fill("dialog input", "cat")
    cat.click("dialog >> text='Join the talk'")
    cat.wait_for_selector("dialog", state="detached")
    cat.wait_for_selector("text=You are watching")
    cat.wait_for_selector("[data-do=sit]", state="detached")
    cat.reload()
    cat.wait_for_selector("text=You are watching")
    cat.wait_for_timeout(300)
    assert not cat.locator("dialog, [data-do=sit]").count()


def test_a_button_that_is_pressed_while_somebody_comes_is_clicked(
    browser: Browser, server: PageServer
) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    box = ann.page.locator("[data-do=ready]").bounding_box()
    ann.page.mouse.move(box["x"] + 9, box["y"] + 9)
    ann.page.mouse.down()
    bob = PagePlayer(browser.visit(DESK), "bob").sit(f"{server.url}/t/kitchen")
    ann.wait("bob takes seat 2")
    ann.page.mouse.up()
    bob.wait("ann is ready")
    ann.page.wait_for_selector(".seats >> text=bob")


def test_who_finds_their_name_taken_comes_back_at_once(
    browser: Browser, server: PageServer
) -> None:
    ann = PagePlayer(browser.visit(DESK), "ann").sit(f"{server.url}/t/kitchen")
    ann.page.click("text=Menu")
    ann.page.click("dialog >> text=Play on another device")
    code = ann.page.inner_text("dialog .lines p:last-child")
    page = browser.visit(PHONE)
    page.goto(f"{server.url}/t/kitchen")
    page.fill("dialog input", "ann")
    page.click("dialog .main")
    page.wait_for_selector("dialog >> text=Somebody here is called ann; choose another name")
    page.click("dialog >> text='Come back to my seat'")
    page.fill("dialog input", code)
    page.click("dialog .main")
    page.wait_for_selector("[data-do=ready]")
