"""Decides messages to the room; permission to talk has been checked before."""

from crossroom_protocol.commands import talk as talk_commands
from crossroom_protocol.events.room import Said
from crossroom_server.table.state import CommandContext, Events


def say(at: CommandContext, command: talk_commands.SayCommand) -> Events:
    """Say something."""
    return (Said(at.person.name, command.text),)


def emote(at: CommandContext, command: talk_commands.MeCommand) -> Events:
    """Say something as an action."""
    return (Said(at.person.name, command.text, me=True),)
