"""The scores of a game as lines that climb: a picture in SVG, which needs no script."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from crossroom_server.web.templating import render

WIDTH, HEIGHT = 420, 240
LEFT, RIGHT, TOP, BOTTOM = 40, 404, 16, 212
"""Edges of the plot, in the units of the picture; labels stand around it."""

DASHES: Final = ("", "9 5", "2 5", "12 4 2 4")
"""Stroke patterns by seat: lines are told apart without colour, too."""

_GRID_STEPS: Final = (25, 50, 100, 200, 250, 500, 1000)


def score_graph(names: Sequence[str], scores: Sequence[Sequence[int]]) -> Markup:
    """Draw the scores.

    Args:
        names: The players, by seat.
        scores: The scores of all seats, once at the beginning and once after each step.
    """
    low = min(min(column) for column in scores)
    high = max(1, *(max(column) for column in scores))
    scale = _Scale(len(scores) - 1, low, high)
    return render(
        "score_graph.svg",
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=RIGHT,
        top=TOP,
        bottom=BOTTOM,
        final_scores=", ".join(
            f"{name} {score}" for name, score in zip(names, scores[-1], strict=True)
        ),
        grid=[
            (score, f"{scale.y(score):.1f}")
            for score in range(scale.low, scale.high + 1, scale.grid_step)
        ],
        lines=[
            " ".join(
                f"{scale.x(step):.1f},{scale.y(column[seat]):.1f}"
                for step, column in enumerate(scores)
            )
            for seat in range(len(names))
        ],
        dashes=DASHES,
    )


class _Scale:
    """Return the coordinates in the picture of a number of steps and a score."""

    def __init__(self, steps: int, low: int, high: int) -> None:
        step = next((step for step in _GRID_STEPS if (high - low) / step <= 5), _GRID_STEPS[-1])
        self.low = min(0, low // step * step)
        self.high = -(-high // step) * step
        self.grid_step = step
        self._steps = max(1, steps)

    def x(self, step: int) -> float:
        return LEFT + (RIGHT - LEFT) * step / self._steps

    def y(self, score: int) -> float:
        return BOTTOM - (BOTTOM - TOP) * (score - self.low) / (self.high - self.low)
