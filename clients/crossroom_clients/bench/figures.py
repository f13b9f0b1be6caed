"""Figures of a bench: from what a load came to, as they are named and written.

Each has a key for programs, which stays and ends in its unit, and a label for people.
"""

import math
import os
import platform
from collections.abc import Sequence
from typing import Final, Literal

from crossroom_clients.bench.load import LoadPlan, LoadResult

PERCENTILES: Final = {"p50": 50.0, "p95": 95.0, "p99": 99.0, "p99_9": 99.9, "max": 100.0}

LABELS: Final = {
    "idle_connection_kb": "memory for an idle connection, KB",
    "room_kb": "memory for a room with a game, KB",
    "latency_p50_ms": "until all are told, p50, ms",
    "latency_p95_ms": "until all are told, p95, ms",
    "latency_p99_ms": "until all are told, p99, ms",
    "latency_p99_9_ms": "until all are told, p99.9, ms",
    "latency_max_ms": "until all are told, most, ms",
    "deliveries_per_s": "  deliveries a second",
    "delivery_cpu_us": "  server processor time for each, µs",
    "talk_deliveries_per_s": "deliveries a second at most, rooms of {people}",
    "talk_delivery_cpu_us": "  server processor time for each, µs",
    "talk_server_processors": "  processors used by the server",
    "talk_load_processors": "  processors used by the load",
    "crowd_deliveries_per_s": "deliveries a second at most, rooms of {crowd}",
    "crowd_delivery_cpu_us": "  server processor time for each, µs",
    "crowd_server_processors": "  processors used by the server",
    "crowd_load_processors": "  processors used by the load",
    "moves_per_s": "durable moves a second",
    "move_cpu_us": "  server processor time for a move, µs",
    "moves_server_processors": "  processors used by the server",
    "moves_load_processors": "  processors used by the load",
}
"""The label of each figure by its key; ``people`` and ``crowd`` are those of the plan."""


def latency_figures(result: LoadResult) -> dict[str, float]:
    """Return percentiles of the latencies, and what the server did meanwhile."""
    waits = sorted(result.findings.latencies)
    told = {f"latency_{name}_ms": 1000 * percentile(waits, p) for name, p in PERCENTILES.items()}
    told["deliveries_per_s"] = result.findings.deliveries / result.seconds
    told["delivery_cpu_us"] = 1e6 * per(result.server, result.findings.deliveries)
    return told


def fan_out_figures(
    results: Sequence[LoadResult], where: Literal["talk", "crowd"]
) -> dict[str, float]:
    """Sum up how much was delivered at full speed over all these runs.

    ``talk`` is in the rooms of the plan, ``crowd`` in its full rooms.
    """
    deliveries = sum(one.findings.deliveries for one in results)
    seconds, server = sum(one.seconds for one in results), sum(one.server for one in results)
    return {
        f"{where}_deliveries_per_s": deliveries / seconds,
        f"{where}_delivery_cpu_us": 1e6 * per(server, deliveries),
        f"{where}_server_processors": server / seconds,
        f"{where}_load_processors": sum(one.load for one in results) / seconds,
    }


def move_figures(moves: LoadResult) -> dict[str, float]:
    """Return how many moves were made at full speed, and what they took."""
    number = moves.findings.moves
    return {
        "moves_per_s": number / moves.seconds,
        "move_cpu_us": 1e6 * per(moves.server, number),
        "moves_server_processors": moves.server / moves.seconds,
        "moves_load_processors": moves.load / moves.seconds,
    }


def label(key: str, plan: LoadPlan) -> str:
    """Return the label of the figure with that *key*."""
    return LABELS[key].format(people=plan.people + plan.watchers, crowd=plan.crowd)


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
