"""Reading a game that was written down: by ``/export json``, or as GCG."""

import json
from typing import Final

from pydantic import TypeAdapter, ValidationError

from crossroom_engine.core.errors import BadText, CorruptLog
from crossroom_engine.core.events import Event
from crossroom_engine.records.gcg import Record
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_engine.records.gcg_write import record_from_events
from crossroom_protocol.events.room import GameEvent

NOT_AN_EXPORT: Final = "this JSON is no game that was exported here"

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
    raise BadText(f"{NOT_AN_EXPORT}: {problem}")


def read_record(text: str) -> Record:
    """Read GCG, or JSON as ``/export json`` writes it.

    Raises:
        BadText: it is neither.
    """
    return _read_export(text) if text.lstrip().startswith("{") else read_gcg(text)


def _read_export(text: str) -> Record:
    events = read_events(text)
    try:
        return record_from_events(events)
    except (ValueError, KeyError, TypeError, RecursionError, CorruptLog) as error:
        raise BadText(f"{NOT_AN_EXPORT}: {error}") from None
