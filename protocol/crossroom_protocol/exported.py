"""Reading a game that ``/export json`` wrote."""

import json
from typing import Final

from pydantic import TypeAdapter, ValidationError

from crossroom_engine.errors import BadText
from crossroom_engine.events import Event
from crossroom_protocol.room_events import GameEvent

NOT_OURS: Final = "this JSON is no game that was exported here"

_EVENTS: Final[TypeAdapter[tuple[Event, ...]]] = TypeAdapter(tuple[GameEvent, ...])


def read_events(text: str) -> tuple[Event, ...]:
    """The events of a game. Whether they fit each other is not looked at.

    Raises:
        BadText: there are none.
    """
    try:
        return _EVENTS.validate_python(json.loads(text)["events"])
    except ValidationError as error:
        first = error.errors()[0]
        problem = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        problem = str(error)
    raise BadText(f"{NOT_OURS}: {problem}")
