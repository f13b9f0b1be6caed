"""Handlers of the commands that need more of a room than its table."""

import asyncio
from collections.abc import Sequence

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.base.translate import current_language, gettext, using_language
from crossroom_protocol.commands.analysis import ExportCommand, RecallCommand
from crossroom_protocol.commands.connection import LinkCommand
from crossroom_protocol.commands.offers import NudgeCommand
from crossroom_protocol.commands.table import BotCommand, InviteCommand
from crossroom_protocol.commands.talk import NameCommand, TellCommand
from crossroom_protocol.notices import Happened, Note, ReaderSettings, Recalled, ReplayedEntry
from crossroom_protocol.text.render import replayed_entry
from crossroom_server.room.inactivity import reminder
from crossroom_server.room.log_replay import ENTRIES_AT_ONCE
from crossroom_server.room.parts import Asked, RoomParts
from crossroom_server.room.seat_links import seat_link
from crossroom_server.table import moderation
from crossroom_server.table.queries import export_record, invitation
from crossroom_server.table.table import check_may_arrange


async def take_name(room: RoomParts, asked: Asked, command: NameCommand) -> None:
    """Give somebody a name, or another."""
    await room.membership.take_name(asked.client, command.name)
    await room.clock.await_players()


async def seat_bot(room: RoomParts, asked: Asked, command: BotCommand) -> None:
    """Seat a bot."""
    check_may_arrange(room.table, asked.person)
    await room.membership.seat_bot(command.what)


async def remove_bot(room: RoomParts, asked: Asked, command: BotCommand) -> None:
    """Free the seat of a bot."""
    check_may_arrange(room.table, asked.person)
    await room.membership.remove_bot(command.what)


async def whisper(room: RoomParts, asked: Asked, command: TellCommand) -> None:
    """Send a private message to one person here.

    Raises:
        Refusal: ``MUTED``, or ``NOBODY`` is called so.
    """
    person = asked.person
    room.table.permissions.check_not_muted(person.member, person.name, room.sources.now())
    here = room.audience.find_here(command.to)
    if here is None:
        raise Refusal("NOBODY", "nobody here is called {to}; /who shows them", to=command.to)
    hearer, whom = here
    heard = gettext("{name} tells you: {text}", name=person.name, text=command.text)
    room.audience.tell(hearer, Note(about="tell", lines=(heard,)))
    said = gettext("you tell {name}: {text}", name=whom.name, text=command.text)
    room.audience.tell(asked.client, Note(about="tell", lines=(said,)), asked.request.label)


async def nudge(room: RoomParts, asked: Asked, _: NudgeCommand) -> None:
    """Remind the players for whom the game waits."""
    line = reminder(room.table, asked.person, room.inactivity, room.audience.members)
    room.audience.note("nudge", line)
    room.audience.prompt_all(room.table)


async def invite(room: RoomParts, asked: Asked, _: InviteCommand) -> None:
    """Show an invitation to the room; where it is locked, with a token.

    Raises:
        Refusal: the room is locked, and not theirs to open.
    """
    token = ""
    made = moderation.new_invitation(room.table, asked.known, room.sources.now())
    if made is not None:
        if asked.request.shown:
            raise Refusal("BAD_ARGS", "an invitation is for one person, not for the whole room")
        invited, token = made
        await room.log.commit((invited,))
    room.audience.tell_who_shows(asked.client, asked.request)
    for reader in room.audience if asked.request.shown else [asked.client]:
        with using_language(reader.style.language):
            told = invitation(reader.base_url, room.name, token)  # as each has reached us
        room.audience.tell(reader, told, asked.request.label if reader is asked.client else None)


async def link_seat(room: RoomParts, asked: Asked, _: LinkCommand) -> None:
    """Show a link that takes the seat of whoever asks to another device.

    Raises:
        Refusal: ``BAD_ARGS``, it would be shown to the whole room.
    """
    if asked.request.shown:
        raise Refusal("BAD_ARGS", "a link to your seat is for you alone, not for the whole room")
    token = room.membership.new_link(asked.person)
    with using_language(asked.client.style.language):
        told = seat_link(asked.client.base_url, room.name, token)
    room.audience.tell(asked.client, told, asked.request.label)


async def recall(room: RoomParts, asked: Asked, command: RecallCommand) -> None:
    """Replay the last entries of the log.

    Raises:
        Unavailable, CorruptLog: the log cannot be read.
    """
    client, request = asked.client, asked.request
    told = await room.log.recall(command.last, None if request.shown else client)
    readers = room.audience if request.shown else [client]
    entries = {
        language: await _worded(told, client.style, language)
        for language in {reader.style.language for reader in readers}
    }
    room.audience.tell_answer(
        client, request, lambda: [Recalled(entries=entries[current_language()])]
    )


async def export_earlier(room: RoomParts, asked: Asked, command: ExportCommand) -> None:
    """Write down a game of this room that is over, by its number.

    Raises:
        Refusal: ``NO_GAME`` of that number is over here; ``BAD_ARGS``, it is not analyzed.
        Unavailable, CorruptLog: the log cannot be read.
    """
    if command.form == "analysis":
        raise Refusal("BAD_ARGS", "analysis is for the newest game alone: /export analysis")
    found = await room.log.finished_game(command.game)
    if found is None:
        prose = Phrase("no game {game} has ended in this room; /games lists those that have")
        raise Refusal("NO_GAME", prose, game=command.game)
    game, record = found
    names = [player.name for player in game.players]
    room.audience.tell_answer(
        asked.client, asked.request, lambda: [export_record(names, record, command.form)]
    )


async def _worded(
    told: Sequence[Happened], style: ReaderSettings, language: str
) -> tuple[ReplayedEntry, ...]:
    """Return entries as they are recalled, and let other rooms have their turn meanwhile."""
    entries: list[ReplayedEntry] = []
    for start in range(0, len(told), ENTRIES_AT_ONCE):
        with using_language(language):
            entries += (
                replayed_entry(happened, style)
                for happened in told[start : start + ENTRIES_AT_ONCE]
            )
        await asyncio.sleep(0)
    return tuple(entries)
