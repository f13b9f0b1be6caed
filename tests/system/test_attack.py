"""Every attack of ``python -m tests.system.attack`` at a time, for a moment."""

import sys

import pytest

from tests.system.attack.__main__ import ATTACKS, attack


@pytest.mark.skipif(sys.platform != "linux", reason="other loopbacks have one address only")
async def test_whatever_is_tried_the_next_table_plays_on() -> None:
    outcome = await attack(list(ATTACKS), 2, hasty=True)
    assert outcome.faults == []
    assert len(outcome.waits.all) > 10
