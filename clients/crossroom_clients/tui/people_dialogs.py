"""The people at the table, in front of it: whispering to one, and keeping others in order."""

from collections.abc import Sequence
from typing import Final

from rich.cells import set_cell_size

from crossroom_clients.tui.actions import TableActions
from crossroom_clients.tui.dialogs import ChoiceDialog, MenuDialog, TextDialog
from crossroom_clients.tui.input_line import CommandLine
from crossroom_clients.tui.people import (
    STAFF_ROLES,
    PersonAction,
    PersonInfo,
    actions_for,
    everybody,
)
from crossroom_protocol.base.translate import gettext

BANS: Final = "/bans"
MAX_NAME_COLUMNS: Final = 24
"""Columns of the names in the list, at most."""


class PeopleActions(TableActions):
    """The half of the table that asks about people."""

    def action_people(self) -> None:
        """Show who is here; choosing somebody shows what may be done about them."""
        room = self.state.room
        if room is None:
            self.refuse(gettext("there is nobody at the door; enter a room first"))
            return
        all_here = everybody(room)
        if not all_here:
            self.push_screen(
                TextDialog(gettext("people"), [gettext("There is nobody here to choose.")])
            )
            return
        more = [(BANS, gettext("banned and muted"))] if room.role in STAFF_ROLES else []

        def chosen(name: str | None) -> None:
            if name == BANS:
                self.run_worker(self.send(BANS))
            for person in all_here:
                if person.name == name:
                    self._offer_actions(person)

        self.push_screen(MenuDialog(gettext("people"), [*_listed(all_here), *more]), chosen)

    def _offer_actions(self, person: PersonInfo) -> None:
        room = self.state.room
        offered = actions_for(room, person) if room is not None else []
        if not offered:
            self.refuse(gettext("there is nothing to do about {name}", name=person.name))
            return

        def chosen(text: str | None) -> None:
            for doing in offered:
                if doing.text == text:
                    self._begin(doing)

        choices = [(doing.text, doing.text) for doing in offered]
        told = (", ".join(person.facts),)
        self.push_screen(
            ChoiceDialog(person.name, told, [("", gettext("go back")), *choices]), chosen
        )

    def _begin(self, doing: PersonAction) -> None:
        if not doing.choices:
            self.query_one(CommandLine).begin(doing.line)
            return

        def act(line: str | None) -> None:
            if line:
                self.run_worker(self.send(line))

        choices = [("", gettext("no, go back")), *doing.choices]
        self.push_screen(ChoiceDialog(doing.title, (doing.told,), choices), act)


def _listed(people: Sequence[PersonInfo]) -> list[tuple[str, str]]:
    """A line for each, the names one below the other."""
    wide = min(max(len(person.name) for person in people), MAX_NAME_COLUMNS) + 2
    return [
        (person.name, set_cell_size(person.name, wide) + ", ".join(person.facts))
        for person in people
    ]
