"""Things that happen in a game, and the line that tells of each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from crossroom_engine.core.events import Event
from crossroom_engine.core.tiles import TileSet
from tests.support.game_driver import GameDriver

HORN: Final = ("HORNITS", "FARMCAT", "PASTEIO")
"""Racks, for up to three players."""

Act: TypeAlias = Callable[[GameDriver], list[Event]]


class Scenario(NamedTuple):
    """What was done before, what is done, by whom, and how a watcher or a seat hears of it."""

    before: Sequence[Act]
    act: Act
    by: int | None
    line: str
    to: int | None = None
    setup: Mapping[str, Any] = {}


def horn(table: GameDriver) -> list[Event]:
    return table.play(0, "8F", "HORN")


def phony(table: GameDriver) -> list[Event]:
    return table.play(0, "8F", "NORTH")


def bob_challenges(table: GameDriver) -> list[Event]:
    return table.challenge(1)


def bob_accepts(table: GameDriver) -> list[Event]:
    return table.accept(1)


def bob_passes(table: GameDriver) -> list[Event]:
    return table.pass_(1)


def bob_resigns(table: GameDriver) -> list[Event]:
    return table.resign(1)


DIGRAPHS: Final = TileSet.from_csv("digraphs", "A,12,1\nCH,4,5\nLL,4,8\nO,9,1\n?,2,0\n")
THREE: Final = {"racks": HORN}
LAST: Final = {"racks": ("HORN", "FA"), "bag": ""}
FINISH: Final = (
    "game over: ann has no tiles left; bob loses 5 for A F; ann gets 5 for going out; "
    "final scores ann 19, bob -5; ann wins"
)
SCENARIOS: Final = {
    "a play, told to its player": Scenario(
        (),
        horn,
        0,
        "ann plays 8F HORN for 14: ann 14, bob 0; you draw E J N Y; bag 82; "
        "bob to move (turn 2); bob may /challenge",
        to=0,
    ),
    "a play, told to another": Scenario(
        (),
        horn,
        0,
        "ann plays 8F HORN for 14: ann 14, bob 0; bag 82; bob to move (turn 2); /challenge is open",
        to=1,
    ),
    "a play with a blank and all tiles": Scenario(
        (),
        lambda table: table.play(0, "8F", "HOrN"),
        0,
        "ann plays 8F HOrN (a blank for R) for 62, all 4 tiles at once: ann 62, bob 0; bag 88; "
        "bob to move (turn 2); /challenge is open",
        setup={"racks": ("HO?N", "FARM"), "rack": 4},
    ),
    "a play with crossing words": Scenario(
        (),
        lambda table: table.play(0, "9G", "MOB"),
        0,
        "ann plays 9G MOB with NOT and BE for 23: ann 23, bob 0; bag 86; "
        "bob to move (turn 2); /challenge is open",
        setup={"racks": ("MOBAAAA", "AAAA"), "board": {"8H": "N", "10H": "TE"}},
    ),
    "a play where words are checked at once": Scenario(
        (),
        horn,
        0,
        "ann plays 8F HORN for 14: ann 14, bob 0; bag 82; bob to move (turn 2)",
        setup={"challenge": "void"},
    ),
    "a play that takes a blank back": Scenario(
        (),
        lambda table: table.play(0, "F8", ".aB", "8G"),
        0,
        "ann plays F8 CaB (a blank for A) for 12, swapping A for the blank on 8G: "
        "ann 12, bob 0; bag 88; bob to move (turn 2)",
        setup={
            "preset": "race",
            "reclaim": "any",
            "racks": ("TOBACAA", "AAA"),
            "board": {"8F": "CaT"},
        },
    ),
    "a play with tiles of several letters": Scenario(
        (),
        lambda table: table.play(0, "8H", "[CH]A[ll]"),
        0,
        "ann plays 8H CHAll (a blank for LL) for 12, all 3 tiles at once: ann 12, bob 0; "
        "you draw A A A A CH LL O; bag 20; bob to move (turn 2); bob may /challenge",
        to=0,
        setup={"tiles": DIGRAPHS, "racks": ("A[CH]?", "A"), "words": "[CH]A[LL]", "players": 2},
    ),
    "a play that empties the bag": Scenario(
        (),
        horn,
        0,
        "ann plays 8F HORN for 14: ann 14, bob 0; the bag is empty, tiles on racks: ann 5, bob 2; "
        "bob to move (turn 2); /challenge is open",
        setup={"racks": ("HORNITS", "FA"), "bag": "AA"},
    ),
    "an exchange, told to its player": Scenario(
        (),
        lambda table: table.exchange(0, "IT?"),
        0,
        "ann exchanges ? I T and draws E K N; bag 86; bob to move (turn 2)",
        to=0,
        setup={"racks": ("HORNIT?", "FARMCAT")},
    ),
    "an exchange, told to another": Scenario(
        (),
        lambda table: table.exchange(0, "I"),
        0,
        "ann exchanges 1 tile; bag 86; bob to move (turn 2)",
        to=1,
    ),
    "a pass": Scenario((), lambda table: table.pass_(0), 0, "ann passes; bob to move (turn 2)"),
    "passes in a row": Scenario(
        [lambda table: table.pass_(0)],
        bob_passes,
        1,
        "bob passes; 2 turns in a row without points (6 end the game); ann to move (turn 3)",
    ),
    "a challenge upheld, told to the one who played": Scenario(
        [phony],
        bob_challenges,
        1,
        "bob challenges NORTH: not in the word list; "
        "ann takes it back, puts A E J N Y back into the bag and loses the turn; "
        "ann 0, bob 0; bag 86; bob to move (turn 2)",
        to=0,
    ),
    "a challenge upheld, told to a watcher": Scenario(
        [phony],
        bob_challenges,
        1,
        "bob challenges NORTH: not in the word list; ann takes it back and loses the turn; "
        "ann 0, bob 0; bag 86; bob to move (turn 2)",
    ),
    "a challenge of several words": Scenario(
        [lambda table: table.play(0, "9G", "MOB")],
        bob_challenges,
        1,
        "bob challenges MOB, NOT and BE: NOT and BE are not in the word list; "
        "ann takes it back and loses the turn; ann 0, bob 0; bag 89; bob to move (turn 2)",
        setup={
            "racks": ("MOBAAAA", "AAAA"),
            "board": {"8H": "N", "10H": "TE"},
            "words": "MOB AT",
        },
    ),
    "a challenge in vain, double, by the next player": Scenario(
        [horn],
        bob_challenges,
        1,
        "bob challenges HORN: in the word list, the play stands; bob loses this turn; "
        "ann to move (turn 3)",
    ),
    "a challenge in vain, double, by another": Scenario(
        [horn],
        lambda table: table.challenge(2),
        2,
        "cat challenges HORN: in the word list, the play stands; cat will lose the next turn; "
        "bob to move (turn 2)",
        setup=THREE,
    ),
    "the turn that this costs": Scenario(
        [horn, lambda table: table.challenge(2)],
        bob_passes,
        1,
        "bob passes; cat loses this turn; 2 turns in a row without points (9 end the game); "
        "ann to move (turn 3)",
        setup=THREE,
    ),
    "a challenge in vain, free": Scenario(
        [horn],
        bob_challenges,
        1,
        "bob challenges HORN: in the word list, the play stands; bob to move (turn 2)",
        setup={"challenge": "free"},
    ),
    "a challenge in vain, five": Scenario(
        [horn],
        bob_challenges,
        1,
        "bob challenges HORN: in the word list, the play stands; ann gets 5 points for it; "
        "ann 19, bob 0; bob to move (turn 2)",
        setup={"challenge": "five"},
    ),
    "a challenge in vain, ten": Scenario(
        [horn],
        bob_challenges,
        1,
        "bob challenges HORN: in the word list, the play stands; ann gets 10 points for it; "
        "ann 24, bob 0; bob to move (turn 2)",
        setup={"challenge": "ten"},
    ),
    "a challenge in vain, triple": Scenario(
        [horn],
        bob_challenges,
        1,
        "bob challenges HORN: in the word list, the play stands; "
        "bob loses the game by this challenge, and 7 tiles go back into the bag; bag 82; "
        "cat to move (turn 3)",
        setup={**THREE, "challenge": "triple"},
    ),
    "the target": Scenario(
        (),
        horn,
        0,
        "ann plays 8F HORN for 14: ann 14, bob 0; "
        "ann has reached the target, and this round is the last; bag 82; bob to move (turn 2)",
        setup={"preset": "race", "target": 10},
    ),
    "the end of the round": Scenario(
        [horn],
        bob_passes,
        1,
        "bob passes; game over: the last round is complete; ann is left with E I J N S T Y; "
        "bob is left with A A C F M R T; final scores ann 14, bob 0; ann wins",
        setup={"preset": "race", "target": 10},
    ),
    "a play that goes out": Scenario(
        (),
        horn,
        0,
        "ann plays 8F HORN for 14, all 4 tiles at once: ann 14, bob 0; "
        "ann has no tiles left, so this ends the game unless it is challenged: "
        "bob may /challenge or /accept within 20 seconds; "
        "the bag is empty, tiles on racks: ann 0, bob 2",
        setup=LAST,
    ),
    "a play that goes out, nobody to challenge it": Scenario(
        (),
        horn,
        0,
        "ann plays 8F HORN for 14, all 4 tiles at once; " + FINISH,
        setup={**LAST, "challenge": "void"},
    ),
    "the last word of one of two": Scenario(
        [horn],
        bob_accepts,
        1,
        "bob accepts; waiting for cat: /accept or /challenge",
        setup={"racks": ("HORN", "FA", "A"), "bag": ""},
    ),
    "the last word": Scenario([horn], bob_accepts, 1, "bob accepts; " + FINISH, setup=LAST),
    "no last word": Scenario(
        [horn],
        lambda table: table.wait(20),
        None,
        "bob did not challenge in time; " + FINISH,
        setup=LAST,
    ),
    "the last word, a challenge in vain": Scenario(
        [horn],
        bob_challenges,
        1,
        "bob challenges HORN: in the word list, the play stands; " + FINISH,
        setup=LAST,
    ),
    "resigning, three players": Scenario(
        (),
        bob_resigns,
        1,
        "bob resigns, and 7 tiles go back into the bag; bag 86; ann to move (turn 1)",
        setup=THREE,
    ),
    "a challenge at the end, when somebody has left": Scenario(
        [lambda table: table.play(0, "8F", "NORTH"), bob_resigns],
        lambda table: table.challenge(2),
        2,
        "cat challenges NORTH: not in the word list; ann takes it back and loses the turn; "
        "the rack of bob goes into the bag; ann 0, bob 0, cat 0; bag 2; cat to move (turn 2)",
        setup={"racks": ("NORTH", "FA", "IT"), "bag": ""},
    ),
    "an end after somebody has left": Scenario(
        [horn, bob_resigns],
        lambda table: table.accept(2),
        2,
        "cat accepts; game over: ann has no tiles left; bob loses 5 for A F; cat loses 2 for I T; "
        "ann gets 7 for going out; final scores ann 21, bob -5, cat -2; ann wins",
        setup={"racks": ("HORN", "FA", "IT"), "bag": ""},
    ),
    "resigning, two players": Scenario(
        [horn],
        bob_resigns,
        1,
        "bob resigns; game over: nobody else is in the game; ann is left with E I J N S T Y; "
        "bob is left with A A C F M R T; final scores ann 14, bob 0; ann wins",
    ),
    "the end, told to a player": Scenario(
        [horn],
        bob_resigns,
        1,
        "bob resigns; game over: nobody else is in the game; ann is left with E I J N S T Y; "
        "bob is left with A A C F M R T; final scores ann 14, bob 0; ann wins; "
        "/ready for another game",
        to=1,
    ),
    "a play, told to its player, three players": Scenario(
        (),
        horn,
        0,
        "ann plays 8F HORN for 14: ann 14, bob 0, cat 0; you draw A E L O; bag 75; "
        "bob to move (turn 2); bob or cat may /challenge",
        to=0,
        setup=THREE,
    ),
    "resigning before anybody has moved": Scenario(
        (), bob_resigns, 1, "bob resigns; game over: cancelled, as nobody had moved"
    ),
    "out of time before anybody has moved": Scenario(
        (),
        lambda table: table.wait(661),
        None,
        "ann is out of time; game over: cancelled, as nobody had moved",
        setup={"clock": 60, "early_exit": "cancels"},
    ),
    "too many turns without points": Scenario(
        [lambda table: table.pass_(0)],
        bob_passes,
        1,
        "bob passes; game over: too many turns without points; ann loses 10 for H I N O R S T; "
        "bob loses 10 for Q; final scores ann -10, bob -10; ann and bob share the win",
        setup={"racks": ("HORNITS", "Q"), "scoreless_limit": 2},
    ),
    "overtime": Scenario(
        [lambda table: table.wait(130), lambda table: table.pass_(0)],
        bob_passes,
        1,
        "bob passes; game over: too many turns without points; ann loses 10 for H I N O R S T; "
        "bob loses 10 for Q; ann loses 20 for overtime; final scores ann -30, bob -10; bob wins",
        setup={"racks": ("HORNITS", "Q"), "scoreless_limit": 2, "clock": 60},
    ),
    "out of time": Scenario(
        [horn],
        lambda table: table.wait(661),
        None,
        "bob is out of time and loses; game over: nobody else is in the game; "
        "ann is left with E I J N S T Y; bob is left with A A C F M R T; "
        "final scores ann 14, bob 0; ann wins",
        setup={"clock": 60},
    ),
    "a turn taken back, told to its player": Scenario(
        [horn],
        lambda table: table.undo(0),
        None,
        "ann takes the latest turn back and puts E J N Y back into the bag; ann 0, bob 0; bag 86; "
        "ann to move (turn 1)",
        to=0,
    ),
    "a turn taken back, told to another": Scenario(
        [horn],
        lambda table: table.undo(0),
        None,
        "ann takes the latest turn back; ann 0, bob 0; bag 86; ann to move (turn 1)",
        to=1,
    ),
    "away for too long": Scenario(
        [horn],
        lambda table: table.forfeit(1),
        None,
        "bob has been away for too long and loses, and 7 tiles go back into the bag; bag 82; "
        "cat to move (turn 3)",
        setup=THREE,
    ),
    "away for too long, two players": Scenario(
        [horn],
        lambda table: table.forfeit(1),
        None,
        "bob has been away for too long and loses; game over: nobody else is in the game; "
        "ann is left with E I J N S T Y; bob is left with A A C F M R T; "
        "final scores ann 14, bob 0; ann wins",
    ),
    "an end by agreement": Scenario(
        [horn],
        lambda table: table.abort(),
        None,
        "game over: ended by agreement, without a result",
    ),
    "an adjournment by agreement": Scenario(
        (),
        lambda table: table.adjourn("agreed"),
        None,
        "the game is adjourned; it goes on when all are back and say /ready",
    ),
    "an adjournment for want of a player": Scenario(
        (),
        lambda table: table.adjourn("absent"),
        None,
        "ann stays away, so the game is adjourned; it goes on when all are back and say /ready",
    ),
    "the clock stops": Scenario((), lambda table: table.adjourn(), None, "the clock is stopped"),
    "the clock runs": Scenario(
        [lambda table: table.adjourn()],
        lambda table: table.continue_(),
        None,
        "the clock runs again; ann to move (turn 1)",
        setup={"clock": 60},
    ),
    "the game goes on": Scenario(
        [lambda table: table.adjourn()],
        lambda table: table.continue_(),
        None,
        "the game goes on; ann to move (turn 1)",
    ),
}


def run_scenario(scene: Scenario) -> tuple[GameDriver, list[Event]]:
    table = GameDriver(**{"racks": HORN[:2], **scene.setup})
    for act in scene.before:
        act(table)
    return table, scene.act(table)
