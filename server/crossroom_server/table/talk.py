"""Decides what people say to the room. Whether they may talk has been checked before."""

from crossroom_protocol.commands.talk import MeCommand, SayCommand
from crossroom_protocol.events.room import Said
from crossroom_server.table.state import CommandContext, Events


def say(at: CommandContext, command: SayCommand) -> Events:
    """Say something."""
    return (Said(at.person.name, command.text),)


def emote(at: CommandContext, command: MeCommand) -> Events:
    """Say what one does."""
    return (Said(at.person.name, command.text, me=True),)
