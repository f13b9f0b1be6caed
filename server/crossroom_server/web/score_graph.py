"""The scores of a game as lines that climb: a picture in SVG, which needs no script."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from crossroom_protocol.base.translate import gettext

WIDTH, HEIGHT = 420, 240
LEFT, RIGHT, TOP, BOTTOM = 40, 16, 16, 28
"""Room for what is written around the lines, in the units of the picture."""

_STEPS: Final = (25, 50, 100, 200, 250, 500, 1000)
_DASHES: Final = ("", "9 5", "2 5", "12 4 2 4")
"""Lines are told apart without colour, too."""


def graph(names: Sequence[str], scores: Sequence[Sequence[int]]) -> str:
    """The picture.

    Args:
        names: The players, by seat.
        scores: The scores of all seats, once at the beginning and once after each step.
    """
    low = min(min(column) for column in scores)
    high = max(1, *(max(column) for column in scores))
    scale = _Scale(len(scores) - 1, low, high)
    told = ", ".join(f"{name} {score}" for name, score in zip(names, scores[-1], strict=True))
    spoken = gettext("Scores, turn by turn; at the end {scores}", scores=told)
    lines = "".join(
        _line(seat, [column[seat] for column in scores], scale) for seat in range(len(names))
    )
    return (
        f'<svg class="graph" id="graph" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(spoken)}" '
        f'data-left="{LEFT}" data-right="{WIDTH - RIGHT}">'
        f"{''.join(_grid(scale))}{lines}"
        f'<line id="cursor" class="cursor" x1="{WIDTH - RIGHT}" x2="{WIDTH - RIGHT}" y1="{TOP}" '
        f'y2="{HEIGHT - BOTTOM}"/></svg>'
    )


def key(seat: int) -> str:
    """A short piece of the line of one seat, to stand beside the player's name."""
    return (
        '<svg class="legend" viewBox="0 0 28 8" aria-hidden="true">'
        f'<line stroke="var(--seat{seat})" x1="0" x2="28" y1="4" y2="4"{_dash(seat)}/></svg>'
    )


class _Scale:
    """Where a number of steps and a score lie in the picture."""

    def __init__(self, steps: int, low: int, high: int) -> None:
        self.grain = next((step for step in _STEPS if (high - low) / step <= 5), _STEPS[-1])
        self.low = min(0, low // self.grain * self.grain)
        self.high = -(-high // self.grain) * self.grain
        self._steps = max(1, steps)

    def x(self, step: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * step / self._steps

    def y(self, score: int) -> float:
        share = (score - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def _grid(scale: _Scale) -> Iterator[str]:
    for score in range(scale.low, scale.high + 1, scale.grain):
        y = f"{scale.y(score):.1f}"
        yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
        yield f'<text x="{LEFT - 6}" y="{y}" dy="0.32em" text-anchor="end">{score}</text>'
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 6}" text-anchor="middle">{gettext("moves")}</text>'


def _line(seat: int, scores: Sequence[int], scale: _Scale) -> str:
    points = " ".join(
        f"{scale.x(step):.1f},{scale.y(score):.1f}" for step, score in enumerate(scores)
    )
    return f'<polyline stroke="var(--seat{seat})" points="{points}"{_dash(seat)}/>'


def _dash(seat: int) -> str:
    return f' stroke-dasharray="{_DASHES[seat]}"' if _DASHES[seat] else ""
