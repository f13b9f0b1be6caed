"""The sums of one player's finished games, as they are stored."""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pydantic import TypeAdapter

from crossroom_protocol.events.results import Profile

MAX_LATEST_GAMES: Final = 20
"""Games that a profile names."""
BASE_RATING: Final = 1000
"""The rating of whoever has not played."""
POINTS_PER_UNIT: Final = 24.0
"""Points of rating for one of the model's units, of which there are about 8 in a deviation."""


class Skill(NamedTuple):
    """The estimated strength of one player, its uncertainty, and the games that it comes from."""

    mu: float
    sigma: float
    games: int = 0
    won: int = 0

    @property
    def rating(self) -> int:
        """The rating that people are shown: the strength, less three deviations.

        It grows with games as well as with wins, since more games make it more certain.
        """
        return round(BASE_RATING + POINTS_PER_UNIT * (self.mu - 3 * self.sigma))


@dataclass(frozen=True)
class PlayerTotals:
    """The sums of one player.

    ``profile`` lacks ratings and latest games; ``latest`` are the numbers of those, the newest
    first, and ``skills`` are by preset.
    """

    profile: Profile
    latest: tuple[int, ...] = ()
    skills: dict[str, Skill] = field(default_factory=dict)


_JSON: Final = TypeAdapter(PlayerTotals)


def encode_totals(totals: PlayerTotals) -> str:
    """Write the sums of a player as JSON."""
    return _JSON.dump_json(totals, exclude_defaults=True).decode()


def decode_totals(text: str | bytes) -> PlayerTotals:
    """Read the sums of a player from JSON.

    Raises:
        pydantic.ValidationError: they cannot be understood.
    """
    return _JSON.validate_json(text)
