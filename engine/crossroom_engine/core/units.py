"""Units of time: seconds (``_S``) and milliseconds (``_MS``)."""

from typing import Final

MINUTE_S: Final = 60
HOUR_S: Final = 60 * MINUTE_S
DAY_S: Final = 24 * HOUR_S

MINUTE_MS: Final = 1000 * MINUTE_S
DAY_MS: Final = 1000 * DAY_S
