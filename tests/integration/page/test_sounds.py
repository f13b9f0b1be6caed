"""What is heard, where sounds are on."""

from collections.abc import Callable
from typing import Any, Final

from tests.support.browser import DESK, PHONE, Browser, PagePlayer, PageServer

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


LISTENING: Final = """
    const Real = AudioContext;
    window.AudioContext = class extends Real {
        constructor() {
            super();
            window.ear = new AnalyserNode(this, {fftSize: 8192, smoothingTimeConstant: 0});
            ear.connect(super.destination);
        }
        get destination() { return window.ear ?? super.destination; }
    };
    window.loudest = () => {
        const levels = new Float32Array(ear.frequencyBinCount);
        ear.getFloatFrequencyData(levels);
        const level = Math.max(...levels);
        return [levels.indexOf(level) * ear.context.sampleRate / ear.fftSize, level];
    };
"""
"""An ear between a page and the speakers: the loudest tone now, in hertz and decibels."""


def heard(page: Any, is_awaited: Callable[[float], bool]) -> tuple[float, float]:
    """The loudest tone as soon as it is as loud as that, in hertz and decibels."""
    for _ in range(1500):
        hertz, decibels = page.evaluate("window.ear ? loudest() : [0, 0]")
        if is_awaited(decibels or -1_000):
            return hertz, decibels
        page.wait_for_timeout(20)
    raise AssertionError("it was never heard")


def test_a_browser_really_makes_the_tone(browser: Browser, server: PageServer) -> None:
    page = browser.visit(DESK)
    page.add_init_script(LISTENING)
    PagePlayer(page, "ann").sit(f"{server.url}/t/kitchen")
    page.click("text=Menu")
    page.check("dialog >> text=Sounds")
    hertz, decibels = heard(page, lambda level: level > -60)
    assert abs(hertz - 660) < 15
    assert decibels < -15, "nobody is startled"
    assert page.evaluate("ear.context.state") == "running"
    heard(page, lambda level: level < -90)


def test_moves_and_turns_are_heard_by_whoever_turned_sounds_on(
    browser: Browser, server: PageServer
) -> None:
    pages = browser.visit(PHONE), browser.visit(DESK)
    for page in pages:
        page.add_init_script(PAPER_SPEAKERS)
    ann, bob = (
        PagePlayer(page, name).sit(f"{server.url}/t/kitchen")
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
    bob.page.wait_for_function("tones.length > 3")
    begins, plays, turn = 440, 440, 660
    assert bob.page.evaluate("tones.map(([hertz]) => hertz)") == [660, begins, plays, turn]
    assert ann.page.evaluate("tones") == [], "they are off by default"
