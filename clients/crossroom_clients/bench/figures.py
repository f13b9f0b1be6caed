"""Figures of a bench: from what a load came to, as they are named and written."""

import math
import os
import platform
from collections.abc import Sequence
from typing import Final

from crossroom_clients.bench.load import LoadResult

PERCENTILES: Final = (50.0, 95.0, 99.0, 99.9, 100.0)


def latency_figures(result: LoadResult) -> dict[str, float]:
    """Return percentiles of the latencies, in ms, and what the server did meanwhile."""
    waits = sorted(result.findings.latencies)
    named = {100.0: "most"}
    told = {
        f"until all are told, {named.get(p, f'p{p:g}')}, ms": 1000 * percentile(waits, p)
        for p in PERCENTILES
    }
    told["  deliveries a second"] = result.findings.deliveries / result.seconds
    told["  server processor time for each, µs"] = 1e6 * per(
        result.server, result.findings.deliveries
    )
    return told


def fan_out_figures(results: Sequence[LoadResult], people: int) -> dict[str, float]:
    """Sum up how much was delivered at full speed, in rooms of so many, over all these runs."""
    deliveries, where = sum(one.findings.deliveries for one in results), f"rooms of {people}"
    seconds, server = sum(one.seconds for one in results), sum(one.server for one in results)
    return {
        f"deliveries a second at most, {where}": deliveries / seconds,
        f"  server processor time for each, µs, {where}": 1e6 * per(server, deliveries),
        f"  processors used by the server, {where}": server / seconds,
        f"  processors used by the load, {where}": sum(one.load for one in results) / seconds,
    }


def percentile(ordered: Sequence[float], p: float) -> float:
    """The least of the *ordered* values that is not exceeded by *p* percent of them."""
    if not ordered:
        return math.nan
    return ordered[max(0, math.ceil(len(ordered) * p / 100) - 1)]


def per(some: float, number: int) -> float:
    """So much for each; not a number if there is none."""
    return some / number if number else math.nan


def machine() -> dict[str, object]:
    """Describe this machine."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "load_average": load,
    }


def format_number(number: float) -> str:
    """A number in about three digits."""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"
