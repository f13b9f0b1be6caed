"""The soak for some seconds: people come and go, and everything they left behind is gone."""

import sys

import pytest

from tests.system.soak.__main__ import SoakReport, soak
from tests.system.soak.measured_server import Sample

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


async def test_people_come_and_go_and_nothing_is_left() -> None:
    outcome = await soak(minutes=0.04, rooms=4, seed=1, rests_after=0.5)
    assert max(sample.connections for sample in outcome.samples) > 4
    assert max(sample.rooms for sample in outcome.samples) >= 4
    assert outcome.after.stored > 20
    assert [fault for fault in outcome.faults if not fault.startswith("memory")] == []


def seen(memory: float, rooms: int = 0, tasks: int = 4) -> Sample:
    return Sample(memory, tasks, files=12, rooms=rooms, connections=0, rested=0, stored=0)


@pytest.mark.parametrize(
    ("last", "after", "complaints", "fault"),
    [
        (104.9, seen(105), [], None),
        (105.2, seen(105), [], "memory grew by 5.2 % from the second quarter to the last"),
        (90.0, seen(90, rooms=2), [], "2 rooms are left when all have gone"),
        (90.0, seen(90, tasks=5), [], "1 tasks are left when all have gone"),
        (90.0, seen(90), ["ERROR: ouch"], "it complained: ERROR: ouch"),
    ],
)
def test_what_is_said_against_a_server(
    last: float, after: Sample, complaints: list[str], fault: str | None
) -> None:
    run = [seen(memory) for memory in (50, 70, 100, 100, 300, 100, last, last)]
    faults = SoakReport(seen(45), run, after, complaints).faults
    assert faults == ([] if fault is None else [fault])
