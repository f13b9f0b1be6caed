"""A load is measured until there is something to measure."""

import asyncio

from crossroom_clients.bench.load import Crowd
from crossroom_clients.bench.rooms import ChatRoom


class SlowRoom(ChatRoom):
    """A room whose server tells a remark after a time that is longer than what is measured."""

    def say(self, due: float) -> None:
        asyncio.get_running_loop().call_later(0.2, self._tell)

    def _tell(self) -> None:
        self.findings.deliveries += 1
        self.findings.octets += 50


async def test_a_slow_server_has_a_figure_too() -> None:
    result = await Crowd([SlowRoom([], 0)]).flat_out(0.01, moves=False, warm_up=0)
    assert result.findings.deliveries == 1
    assert result.seconds > 0.1
