"""Latencies as a picture: SVG, which every browser shows, written without any library."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

_WIDTH, _HEIGHT, _LEFT, _TOP = 720, 360, 64, 40
_COLOURS: Final = ("#0b62a4", "#c2410c")
_NINES: Final = (0.0, 50.0, 90.0, 95.0, 99.0, 99.9, 99.99)


class Curve(NamedTuple):
    """The latencies of one server in seconds, ascending."""

    name: str
    seconds: Sequence[float]


def draw_latencies(curves: Sequence[Curve]) -> str:
    """An SVG file: latency by percentile, both drawn so that the slowest few are seen best."""
    known = [curve for curve in curves if curve.seconds]
    least = min((curve.seconds[0] for curve in known), default=1e-4)
    most = max((curve.seconds[-1] for curve in known), default=1.0)
    low, high = math.floor(math.log10(max(least, 1e-6))), math.ceil(math.log10(most))
    depth = max(3.0, max((math.log10(len(curve.seconds)) for curve in known), default=3.0))

    def across(percent: float) -> float:
        return _LEFT + _WIDTH * min(1.0, -math.log10(max(1e-9, 1 - percent / 100)) / depth)

    def down(seconds: float) -> float:
        above = (math.log10(max(seconds, 1e-6)) - low) / max(1, high - low)
        return _TOP + _HEIGHT * (1 - above)

    parts = [_text(_LEFT, 20, "until everybody in the room has been told, by percentile")]
    for power in range(low, high + 1):
        y = down(10.0**power)
        parts += [
            _line(_LEFT, y, _LEFT + _WIDTH, y),
            _text(4, y + 4, f"{10.0 ** (power + 3):g} ms"),
        ]
    for percent in _NINES:
        if -math.log10(1 - percent / 100) <= depth:
            x = across(percent)
            parts.append(_line(x, _TOP, x, _TOP + _HEIGHT))
            parts.append(_text(x - 12, _TOP + _HEIGHT + 18, f"{percent:g}"))
    for number, curve in enumerate(known):
        colour, size = _COLOURS[number % len(_COLOURS)], len(curve.seconds)
        points = " ".join(
            f"{across(100 * at / size):.1f},{down(seconds):.1f}"
            for at, seconds in enumerate(curve.seconds)
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
        parts.append(_text(_LEFT + 8, _TOP + 18 + 18 * number, curve.name, colour))
    canvas = f'width="{_LEFT + _WIDTH + 24}" height="{_TOP + _HEIGHT + 32}"'
    style = 'font-family="sans-serif" font-size="13"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {canvas} {style}>\n{body}\n</svg>\n'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {place} stroke="#ccc"/>'


def _text(x: float, y: float, text: str, colour: str = "#444") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}">{text}</text>'
