"""Keep track of a game by the tags of the server's lines, and draw the bar that shows it."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from crossroom_clients.connection.resume_state import LEFT_NOTE
from crossroom_protocol.base.translate import gettext

Fragments: TypeAlias = list[tuple[str, str]]
"""Pieces of a line, each with the class of its style."""


@dataclass
class GameStatus:
    """The newest that is known. Seats count from 0; ``rack`` is in the order last shown."""

    game: bool = False
    phase: str = ""
    adjourned: bool = False
    turn: int = 0
    on: int = 0
    you: int | None = None
    players: list[str] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    bag: int = 0
    rack: list[str] = field(default_factory=list)
    _number: str = ""

    def update(self, tags: Mapping[str, str], text: str = "") -> None:
        """Learn from one line: its tags, and its text where the tags say that it shows the rack."""
        if "protocol" in tags or tags.get("about") == LEFT_NOTE:
            self.game = False
        if "game" in tags:
            self.game = True
            self.phase, self.turn = tags["phase"], int(tags["turn"])
            self.on, self.bag = int(tags["on"]), int(tags["bag"])
            self.adjourned = "adjourned" in tags
            if "you" in tags:
                self.you = int(tags["you"])
            elif "protocol" in tags or "state" in tags or tags["game"] != self._number:
                self.you = None
            self._number = tags["game"]
            self.players = tags["players"].split(",")
            self.scores = [int(score) for score in tags["scores"].split(",")]
        if "rack" in tags:
            self._set_rack(re.findall(r"\[[^]]*\]|.", tags["rack"]))
        elif tags.get("about") == "rack" and sorted(text.split()) == sorted(self.rack):
            self.rack = text.split()

    def _set_rack(self, tiles: list[str]) -> None:
        if sorted(tiles) != sorted(self.rack):
            self.rack = tiles

    @property
    def is_playing(self) -> bool:
        """Is there a game that is not over?"""
        return self.game and self.phase != "over"

    @property
    def is_yours(self) -> bool:
        """Is it your turn, and does the game go on?"""
        return self.game and self.phase == "playing" and not self.adjourned and self.you == self.on

    def bar(self, room: str | None, width: int) -> Fragments:
        """One line about it: the *room*, turn, rack, scores, bag.

        Where *width* columns do not hold all, parts are left out whole: the bag first, then the
        room, the scores, the rack.
        """
        place = ("class:bar.room", room or gettext("at the door"))
        if not self.game:
            return _line([place])
        scores, bag = (
            ("class:bar", self._scores()),
            ("class:bar", gettext("bag {bag}", bag=self.bag)),
        )
        parts: Fragments = [place, self._turn(), scores, bag]
        less = [bag, place, scores]
        if self.you is not None and self.rack and self.phase != "over":
            rack = ("class:bar.rack", " ".join(self.rack))
            parts.insert(2, rack)
            less.append(rack)
        while less and _columns(_line(parts)) > width:
            parts.remove(less.pop(0))
        return _line(parts)

    def _turn(self) -> tuple[str, str]:
        if self.phase == "over":
            return "class:bar", gettext("game over")
        if self.adjourned:
            return "class:bar", gettext("adjourned")
        if self.phase == "last_word":
            return "class:bar", gettext("the last word")
        if self.is_yours:
            return "class:bar.yours", gettext("your turn {turn}", turn=self.turn)
        return "class:bar", gettext(
            "{name} to move ({turn})", name=self.players[self.on], turn=self.turn
        )

    def _scores(self) -> str:
        names = (
            gettext("you") if seat == self.you else name for seat, name in enumerate(self.players)
        )
        return ", ".join(f"{name} {score}" for name, score in zip(names, self.scores, strict=True))


def _line(parts: Fragments) -> Fragments:
    line: Fragments = []
    for style, text in parts:
        line += [("class:bar", " │ " if line else " "), (style, text)]
    return line


def _columns(line: Fragments) -> int:
    """Count the columns of a line in a terminal, where some letters take two."""
    text = "".join(piece for _, piece in line)
    return len(text) + sum(unicodedata.east_asian_width(symbol) in "FW" for symbol in text)
