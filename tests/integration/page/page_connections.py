"""The lines of a page, which a test can break, keep back and answer itself."""

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_WATCH = """
    window.lineLost = new Promise((done) => new MutationObserver(() => {
        if (document.body.dataset.connection === 'lost') done();
    }).observe(document.body, { attributeFilter: ['data-connection'] }));
    0
"""
"""The page is back so soon that whoever looks from outside may miss that it was away."""


class PageConnections:
    """All connections that a page opens from now on.

    ``commands`` are the commands it has sent. While ``holding_commands``, they are kept back; while
    ``holding_notices``, what the server says is. ``answer`` may answer in the server's place.
    """

    def __init__(self, page: Any) -> None:
        self.holding_notices = self.holding_commands = False
        self.answer: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda command: None
        self.commands: list[dict[str, Any]] = []
        self._opened: list[Any] = []
        self._kept: list[tuple[Any, str]] = []
        self._page = page
        page.route_web_socket("**", self._carry)

    def _carry(self, line: Any) -> None:
        far = line.connect_to_server()
        self._opened.append(line)

        def ask(text: str) -> None:
            self.commands.append(command := json.loads(text))
            if (answer := self.answer(command)) is not None:
                line.send(json.dumps({**answer, "id": command["id"]}))
            elif self.holding_commands:
                self._kept.append((far, text))
            else:
                far.send(text)

        def tell(text: str) -> None:
            if self.holding_notices:
                self._kept.append((line, text))
            else:
                line.send(text)

        line.on_message(ask)
        line.on_close(lambda code, reason: far.close(code=1000))
        far.on_message(tell)

    def wait_for_command(self, do: str, times: int = 1) -> None:
        """Wait until the page has asked for this."""
        for _ in range(500):
            if [command["do"] for command in self.commands].count(do) >= times:
                return
            self._page.wait_for_timeout(20)
        raise AssertionError(f"{do} was asked too rarely")

    def cut(self) -> None:
        """Break the line; what was kept back is lost with it."""
        self._page.evaluate(_WATCH)
        self._kept.clear()
        self._opened[-1].close(code=1012)

    def wait_until_lost(self) -> None:
        """Wait until the page has noticed that the line was cut."""
        self._page.evaluate("lineLost")

    def release(self) -> None:
        """Let both hear what was kept back, and what comes."""
        self.holding_notices = self.holding_commands = False
        for to, text in self._kept:
            to.send(text)
        self._kept.clear()


def refused_notice(code: str) -> dict[str, Any]:
    """What a server says that cannot do what was asked."""
    return {"tell": "refused", "code": code, "command": "", "text": "not now", "plain": []}
