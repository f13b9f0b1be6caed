"""Formats log messages, as lines for people or as JSON for programs.

A message about a room or a peer passes its fields as one mapping::

    log.info("%(address)s: cut off, %(why)s", {"address": address, "why": why})

Never logged: resume codes, racks, the bag, passwords, and chat.
"""

import json
import logging
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

LEVELS: Final = ("debug", "info", "warning", "error")


class OneLineFormatter(logging.Formatter):
    """Formats a message as one line, whatever peers put into it; tracebacks follow, indented."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """See :meth:`logging.Formatter.formatMessage`."""
        return _printable(super().formatMessage(record))

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """See :meth:`logging.Formatter.formatException`."""
        lines = super().formatException(ei).splitlines()
        return "\n".join(f"    {_printable(line)}" for line in lines)


class JsonFormatter(logging.Formatter):
    """Formats a message as a JSON object: time (UTC), level, logger, message, and its fields.

    ``trace`` is the traceback, if there is one.
    """

    def format(self, record: logging.LogRecord) -> str:
        """See :meth:`logging.Formatter.format`."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told: dict[str, object] = dict(record.args) if isinstance(record.args, Mapping) else {}
        told |= {
            "time": when.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps(told, default=str)


FORMATS: Final[dict[str, logging.Formatter]] = {
    "text": OneLineFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"),
    "json": JsonFormatter(),
}


def log_to_stderr(level: str, form: str = "text") -> None:
    """Log to standard error from *level* up, in one of the :data:`FORMATS`."""
    handler = logging.StreamHandler()
    handler.setFormatter(FORMATS[form])
    logging.basicConfig(level=level.upper(), handlers=[handler])
    # At debug level it logs every frame, and with them the secrets of the players.
    logging.getLogger("websockets").setLevel(logging.WARNING)


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
