"""The people at the table, in front of it: whispering to one, and keeping others in order."""

from collections.abc import Sequence
from typing import Final

from rich.cells import set_cell_size

from crossroom_clients.tui.actions import Asking
from crossroom_clients.tui.dialogs import Choice, Menu, Reading
from crossroom_clients.tui.input_line import CommandLine
from crossroom_clients.tui.people import KEEPERS, Doing, Person, doings, everybody
from crossroom_protocol.base.translate import gettext

BANS: Final = "/bans"
NAMES: Final = 24
"""Columns of the names in the list, at most."""


class Meeting(Asking):
    """The half of the table that asks about people."""

    def action_people(self) -> None:
        """Show who is here; choosing somebody shows what may be done about them."""
        room = self.situation.room
        if room is None:
            self.refuse(gettext("there is nobody at the door; enter a room first"))
            return
        all_here = everybody(room)
        if not all_here:
            self.push_screen(
                Reading(gettext("people"), [gettext("Nobody is here whom one could name.")])
            )
            return
        more = [(BANS, gettext("banned and muted"))] if room.role in KEEPERS else []

        def chosen(name: str | None) -> None:
            if name == BANS:
                self.run_worker(self.send(BANS))
            for person in all_here:
                if person.name == name:
                    self._meet(person)

        self.push_screen(Menu(gettext("people"), [*_listed(all_here), *more]), chosen)

    def _meet(self, person: Person) -> None:
        room = self.situation.room
        offered = doings(room, person) if room is not None else []
        if not offered:
            self.refuse(gettext("there is nothing to do about {name}", name=person.name))
            return

        def chosen(text: str | None) -> None:
            for doing in offered:
                if doing.text == text:
                    self._begin(doing)

        choices = [(doing.text, doing.text) for doing in offered]
        told = (", ".join(person.facts),)
        self.push_screen(Choice(person.name, told, [("", gettext("go back")), *choices]), chosen)

    def _begin(self, doing: Doing) -> None:
        if not doing.choices:
            self.query_one(CommandLine).begin(doing.line)
            return

        def act(line: str | None) -> None:
            if line:
                self.run_worker(self.send(line))

        choices = [("", gettext("no, go back")), *doing.choices]
        self.push_screen(Choice(doing.title, (doing.told,), choices), act)


def _listed(people: Sequence[Person]) -> list[tuple[str, str]]:
    """A line for each, the names one below the other."""
    wide = min(max(len(person.name) for person in people), NAMES) + 2
    return [
        (person.name, set_cell_size(person.name, wide) + ", ".join(person.facts))
        for person in people
    ]
