"""Games to record: one played by two bots here and written down, some made up by hand, and random
ones under any rules."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, reduce
from random import Random
from typing import Any

from crossroom_engine.core import data
from crossroom_engine.core.errors import IllegalMove
from crossroom_engine.core.events import Event, Seat
from crossroom_engine.core.moves import Accept, CallTime, Challenge, Exchange, Move, Pass, Resign
from crossroom_engine.core.rules import PRESETS
from crossroom_engine.game.game import Game, apply, replay
from crossroom_engine.game.referee import DecisionContext, decide, decide_official, start_game
from crossroom_engine.movegen import plays
from crossroom_engine.words import catalog
from crossroom_engine.words.lexicon import Lexicon

GAME = """\
#character-encoding UTF-8
#title A game of two bots
#player1 Ada Ada
#player2 Ben Ben Bot
>Ada: FGOTUWX 8H FOX +26 26
>Ben: AGIINOU 9G NAOI +23 23
>Ada: DEGHTUW 10E THEW +29 55
>Ada: ?ADDGUW (challenge) +5 60
>Ben: EEGISUY K6 GUY +24 47
>Ada: ?ADDGUW 11D WoAD +25 85
>Ben: DEEEIRS 12G SEEDIER +73 120
>Ada: DDGHTTU -DHT +0 85
>Ben: AEELMRV 6I VE. +9 129
>Ada: DGNOPTU L9 OUT.N +5 90
>Ada: DGNOPTU --  -5 85
>Ben: AEGKLMR K11 M.RE +12 141
>Ada: DGNOPTU 14H OUT.N +7 92
>Ada: DGNOPTU --  -7 85
>Ben: AAGIJKL M9 JAG.A +42 183
>Ada: DGNOPTU - +0 85
>Ben: ?AEIIKL 15K sKAIL +45 228
>Ada: DGNOPTU 12A PUTON +32 117
>Ben: AEIILTU A10 TI.ULA +24 252
>Ada: DEEGNQT 14A .EGEND +24 141
>Ben: EINRSSV L1 VISNES +34 286
>Ada: CCINQRT -CIR +0 141
>Ben: BEEFLLR 2H FEBR.LE +36 322
>Ada: CDNOPQT 1G COP +40 181
>Ben: ACEILUZ 4J AI.E +4 326
>Ada: ADNQRTT N8 QAT +27 208
>Ada: ADNRRTY (challenge) +5 213
>Ben: BCILSUZ -CLS +0 326
>Ada: ADNRRTY 1L .ARY +34 247
>Ben: BHIORUZ O5 ZORI +72 398
>Ada: CDIMNRT 3L .MIT +27 274
>Ben: BHILOTU 3B HOLIBUT +82 480
>Ada: CDNOORS 15D DOORNS +37 311
>Ada: C (challenge) +5 316
>Ben: N 6N N. +4 484
>Ben:  (C) +6 490
>Ben:  (time) -10 480
"""
"""Exchanges, a pass, withdrawn plays, challenges in vain, a play that goes out, overtime."""

SIX_ZEROES = """\
#player1 Ada Ada
#player2 Ben Ben
>Ada: AEGNRTW 8D GNAWER +24 24
>Ben: IIUUVVW -IUUVVW +0 0
>Ada: DIILNTU - +0 24
>Ben: AAEIIOT H4 TIAO. +6 6
>Ben: AAEIIOT -- -6 0
>Ada: DIILNTU -DILU +0 24
>Ben: AAEIIOT -3 +0 0
>Ada: CIINTTY - +0 24
>Ada: CIINTTY (CIINTTY) -12 12
>Ben: EELMNOO (EELMNOO) -9 -9
"""

TRIO = """\
#player1 Ada Ada
#player2 Ben Ben
#player3 Cat Cat
>Ada: HORN?AE 8F HORN +14 14
>Ben: FAMEEIO H6 FA.M +9 9
>Cat: PASTEII 10F PASTE +25 25
>Ada: MOBAEI? 9H .OB +16 30
#rack2 EEIOBIT
"""
"""The worked example of the rules, up to the fourth turn, at a table of three."""


@cache
def word_lists() -> tuple[Lexicon, Lexicon]:
    """A small list, and one of words that are not in it."""
    tiles = PRESETS["official"].tiles
    words = [
        word for word in catalog.open_lexicon("english-common") if len(word) in (2, 3, 4, 5, 7)
    ]
    return (
        Lexicon.from_words("small", words[::5], tiles),
        Lexicon.from_words("phony", words[1::40], tiles),
    )


def random_game(seed: int, preset: str, players: int, **changes: Any) -> tuple[list[Event], Game]:
    """Play at random, with half a set of tiles: phonies, challenges, exchanges, resignations."""
    random, now = Random(seed), 10**12
    tiles = data.tileset("english-short")
    rules = replace(PRESETS[preset], tiles=tiles, players=4, **changes)
    names = ("ann", "bob b", "Bob: B", "dan")[:players]
    log = list(start_game(rules, names, DecisionContext(word_lists()[0], random, now)))
    game = replay(log)
    while game.phase != "over":
        now += random.choice([1_000, 5_000, 40_000, 100_000])
        context = DecisionContext(word_lists()[0], random, now)
        events = decide_official(game, CallTime(), context) or _first_legal(game, context)
        log += events
        game = reduce(apply, events, game)
    return log, game


def _first_legal(game: Game, context: DecisionContext) -> tuple[Event, ...]:
    for seat, move in _wishes(game, context.random):
        try:
            return decide(game, seat, move, context)
        except IllegalMove:
            continue
    raise AssertionError("nobody can do anything")


def _wishes(game: Game, random: Random) -> Iterator[tuple[Seat, Move]]:
    seat, rack = game.on_turn, game.players[game.on_turn].rack
    if game.open_play is not None and random.random() < 0.4:
        yield random.choice([s for s in game.active if s != game.open_play.seat]), Challenge()
    if game.phase == "last_word":
        yield from ((other, Accept()) for other in game.awaited)
    if random.random() < 0.01:
        yield random.choice(game.active), Resign()
    if random.random() < 0.08:
        yield seat, Pass()
    if random.random() < 0.12 and rack:
        yield seat, Exchange(tuple(sorted(random.sample(rack, random.randint(1, len(rack))))))
    blanks = [square for square, letter in game.board.items() if letter.blank]
    reclaimable = () if game.rules.reclaim == "off" else blanks
    words, phonies = word_lists()
    known = phonies if game.rules.may_challenge and random.random() < 0.2 else words
    if found := plays(game.rules, game.board, rack, known, reclaimable):
        some = random.sample(found, min(4, len(found)))
        yield seat, max(some, key=lambda play: (len(play.swaps), play.points)).move
    yield seat, Pass()
