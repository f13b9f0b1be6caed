"""Results of finished games, and the records of those who played them."""

from dataclasses import dataclass

from crossroom_engine.core.events import EndReason


@dataclass(frozen=True)
class PlayerResult:
    """One player of a finished game, in the order of the seats.

    ``left``: out of the game before it was over. ``registered``: when the game began, the name was
    theirs on this server. ``bot`` is the level of a bot; ``program``: they said that they are a
    program, and count for nobody. ``turns`` counts those used; ``bingos``
    are plays of a whole rack, ``best`` is the main word of the play with the most points. Plays
    that were taken back count nowhere.
    """

    name: str
    score: int
    won: bool = False
    left: bool = False
    registered: bool = False
    bot: str | None = None
    turns: int = 0
    bingos: int = 0
    best: str = ""
    best_points: int = 0
    program: bool = False


@dataclass(frozen=True)
class FinishedGame:
    """A game that is over: number ``game`` of its room, entries ``first`` to ``last`` of its log.

    ``page`` is what its address ends in, after ``/g/``; ``began`` and ``ended`` are in ms since
    1970. ``counts``: it had a result. ``rated``: it also changes ratings. ``listed``: the room was
    not locked when it ended, so that pages which anybody may see name it.
    """

    page: str
    room: str
    game: int
    first: int
    last: int
    began: int
    ended: int
    preset: str
    lexicon: str
    why: EndReason
    players: tuple[PlayerResult, ...]
    counts: bool = True
    rated: bool = False
    listed: bool = True


@dataclass(frozen=True)
class Rating:
    """A player's strength under one preset, and the ``place`` that has among all, from 1."""

    preset: str
    rating: int
    games: int
    place: int
    of: int


@dataclass(frozen=True)
class Profile:
    """The record of a registered player in all games that count.

    ``shared`` are games won together with others, which ``won`` does not count. ``points`` and
    ``turns`` are sums, ``highest`` is the score of the best game. ``latest`` are games that anybody
    may know of, the newest first.
    """

    name: str
    games: int = 0
    won: int = 0
    shared: int = 0
    with_bots: int = 0
    points: int = 0
    turns: int = 0
    highest: int = 0
    bingos: int = 0
    best: str = ""
    best_points: int = 0
    ratings: tuple[Rating, ...] = ()
    latest: tuple[FinishedGame, ...] = ()


@dataclass(frozen=True)
class RankedPlayer:
    """One line of the list of the strongest."""

    name: str
    rating: int
    games: int
    won: int
