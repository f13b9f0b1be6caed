"""What happens while somebody does something else: drags, types, chooses, or has a wrong clock."""

from tests.browser import DESK, PHONE, Browser, Player, Server
from tests.page.lines import Lines
from tests.page.sitting import sit_down

AN_HOUR_AHEAD = "{ const real = Date.now; Date.now = () => real() + 3_600_000; }"


def resign(player: Player) -> None:
    player.page.click("text=Menu")
    player.page.click("dialog >> text='Resign'")
    player.page.click("dialog button.main")


def test_a_clock_that_is_wrong_here_spoils_no_clock_of_the_game(
    browser: Browser, server: Server
) -> None:
    ann, bob = sit_down(browser, server)
    for player in (ann, bob):
        player.page.add_init_script(AN_HOUR_AHEAD)
        player.page.reload()
        player.begun()
        clocks = player.page.locator(".clock").all_inner_texts()
        assert all(clock.startswith(("0:0", "0:1", "0:2")) and len(clock) == 4 for clock in clocks)


def test_what_is_said_over_a_slow_line_is_said_once(browser: Browser, server: Server) -> None:
    page = browser.visit(PHONE)
    lines = Lines(page)
    ann = Player(page, "ann").sit(f"{server.url}/t/kitchen")
    lines.muffled = True
    talk = ".talk input"
    page.fill(talk, "hello")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.type(talk, "are you")
    lines.release()
    ann.wait("hello")
    page.type(talk, " there")
    page.keyboard.press("Enter")
    ann.wait("are you there")
    assert [line for line in ann.log if line.startswith("ann:")] == [
        "ann: hello",
        "ann: are you there",
    ]
    lines.muffled = True
    page.fill(talk, "lost")
    page.keyboard.press("Enter")
    lines.hear("say", times=3)
    lines.cut()
    page.wait_for_selector("body[data-line=lost]")
    assert page.input_value(talk) == "lost"


def test_what_a_challenge_risks_is_known_before_anybody_asks(
    browser: Browser, server: Server
) -> None:
    page = browser.visit(DESK)
    lines = Lines(page)
    bob = Player(browser.visit(PHONE), "bob").sit(f"{server.url}/t/kitchen")
    ann = Player(page, "ann").sit(f"{server.url}/t/kitchen")
    for player in (ann, bob):
        player.ready()
    bob.begun()
    bob.tap(play := bob.best()[0])
    bob.send(play)
    page.wait_for_selector(".buttons .challenge:not([hidden])")
    lines.hear("rules")
    page.wait_for_timeout(300)
    lines.muffled = True
    page.click(".buttons .challenge")
    page.wait_for_selector("dialog >> text=is not in the list")


def test_a_tile_in_the_hand_when_the_game_ends_is_put_nowhere(
    browser: Browser, server: Server
) -> None:
    ann, bob = sit_down(browser, server, DESK, DESK)
    ann.page.locator(".stage .rack button").first.hover()
    ann.page.mouse.down()
    ann.cell("8H").hover()
    ann.page.wait_for_selector(".ghost")
    resign(bob)
    ann.page.wait_for_selector(".result")
    ann.page.mouse.up()
    ann.page.wait_for_timeout(200)
    assert not ann.page.locator(".ghost, [data-held], .lifted, .target").count()
    assert " on 8H" not in ann.page.inner_text("[aria-live=polite]")


def test_a_blank_that_is_being_named_when_the_game_ends_is_put_nowhere(
    browser: Browser, server: Server
) -> None:
    ann, bob = sit_down(browser, server)
    bob.page.locator(".rack button[aria-label=blank]").click()
    bob.cell("8H").click()
    bob.page.wait_for_selector("dialog .key")
    resign(ann)
    bob.wait("ann resigns")
    bob.page.click("dialog .key >> text='E'")
    bob.page.wait_for_timeout(200)
    assert not bob.page.locator("[data-held]").count()
    assert " on 8H" not in bob.page.inner_text("[aria-live=polite]")
