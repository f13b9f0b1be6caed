"""What is typed after a line that was not sent replaces it."""

from prompt_toolkit import PromptSession
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from crossroom_clients.lineui.terminal import select_all


async def prompted(default: str, typed: str) -> str:
    with create_pipe_input() as keys:
        keys.send_text(typed)
        session: PromptSession[str] = PromptSession(input=keys, output=DummyOutput())
        return await session.prompt_async(
            "> ", default=default, pre_run=lambda: select_all(session.default_buffer)
        )


async def test_typing_replaces_the_line() -> None:
    assert await prompted("good morning", "/lock sesame\r") == "/lock sesame"


async def test_enter_alone_sends_it_again() -> None:
    assert await prompted("good morning", "\r") == "good morning"


async def test_an_empty_line_is_as_ever() -> None:
    assert await prompted("", "hello\r") == "hello"
