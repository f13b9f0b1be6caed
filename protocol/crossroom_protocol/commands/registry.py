"""Every command there is, by its name.

The modules of this package declare the commands, one class each. From a class come its line syntax
(the fields in order; see :mod:`crossroom_protocol.commands.parser`), its JSON form and schema, its
help and its entry in the reference (the docstring), and a test (the example).
"""

from functools import reduce
from operator import or_
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from pydantic import Field, TypeAdapter

from crossroom_protocol.commands import (
    analysis,
    connection,
    moderation,
    moves,
    offers,
    profiles,
    queries,
    table,
    talk,
)
from crossroom_protocol.commands.base import Command, name_of

_MODULES: Final = (
    moves,
    queries,
    table,
    talk,
    moderation,
    analysis,
    connection,
    offers,
    profiles,
)
"""In the order of the help."""


def _declared(module: ModuleType) -> list[type[Command]]:
    """Return the commands of a module, in its order."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type)]
    return [k for k in kinds if issubclass(k, Command) and k.__module__ == module.__name__]


COMMANDS: Final[dict[str, type[Command]]] = {
    name_of(kind): kind for module in _MODULES for kind in _declared(module)
}
"""Every command by its name."""

NAMES: Final[dict[str, str]] = {
    name: do for do, kind in COMMANDS.items() for name in (do, *kind.aliases)
}
"""Every name and alias, with the name of the command it stands for."""

if TYPE_CHECKING:
    AnyCommand: TypeAlias = Command
else:
    AnyCommand = Annotated[reduce(or_, COMMANDS.values()), Field(discriminator="do")]

COMMAND: Final[TypeAdapter[Command]] = TypeAdapter(AnyCommand)
"""Validates a command, and writes it as JSON."""
