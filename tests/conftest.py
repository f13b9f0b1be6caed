"""Options and fixtures for all tests."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="rewrite the transcripts")
