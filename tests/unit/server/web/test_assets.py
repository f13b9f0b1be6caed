"""The files of the page, and the documents it asks for."""

import gzip
import json
import re
from collections.abc import AsyncIterator
from dataclasses import fields
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin

import pytest
from websockets.asyncio.client import connect

from crossroom_engine.core.rules import PRESETS, Ruleset, settings
from crossroom_protocol.text.rules_text import PRESET_SUMMARIES, rules_lines
from crossroom_server.app import App
from crossroom_server.web.assets import FOLDER, TYPES, Assets
from crossroom_server.web.form_options import form_options
from tests.integration.test_http import fetch
from tests.support.server import LOOPBACK, run_server

BUDGET = 150_000
"""Bytes of everything that a page loads, as it goes over the wire."""


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


class LoadedFiles(HTMLParser):
    """The files that a page names."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("link", "script"):
            self.links += [value or "" for key, value in attrs if key in ("href", "src")]


def test_all_files_are_served_and_make_no_markup_of_text() -> None:
    assert {path.suffix for path in FOLDER.rglob("*") if path.is_file()} == TYPES.keys()
    for path in FOLDER.rglob("*.js"):
        source = path.read_text(encoding="utf-8")
        for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert danger not in source
        assert not re.search(r"https?://(?!www\.w3\.org)", source)


@pytest.mark.parametrize("path", ["/", "/t/kitchen"])
async def test_a_page_with_all_it_loads_is_within_its_budget(app: App, path: str) -> None:
    page = (await fetch(app, path)).body
    links = LoadedFiles(page).links
    files = [await fetch(app, urljoin(path, link), **{"Accept-Encoding": "gzip"}) for link in links]
    assert {file.status for file in files} == {200}
    assert len(files) == 6, "each is a connection of its own"
    extra = (await fetch(app, "/choices.json")).body.encode()
    sizes = [int(file.headers["content-length"]) for file in files]
    assert sum([*sizes, len(page.encode()), len(extra)]) < BUDGET


async def test_a_file_may_be_kept_for_ever_as_its_address_changes_with_it(app: App) -> None:
    root = Assets().root
    plain = await fetch(app, f"/{root}/room/room.js")
    packed = await fetch(app, f"/{root}/room/room.js", **{"Accept-Encoding": "br, gzip, deflate"})
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert plain.headers["content-type"] == "text/javascript; charset=utf-8"
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])
    assert plain.body == Assets().files["room/room.js"].body.decode()


@pytest.mark.parametrize("path", ["", "/room/room.js", "/0123456789ab/room/room.js", "/../site.py"])
async def test_other_files_are_not_served(app: App, path: str) -> None:
    assert (await fetch(app, f"/page{path}")).status == 404
    assert (await fetch(app, f"/{Assets().root}/../room/room.js")).status == 404


def test_another_content_is_another_address(tmp_path: Path) -> None:
    roots = set()
    for name, body in (("a.svg", "1"), ("a.svg", "2"), ("b.svg", "2"), ("b.js", "2")):
        (tmp_path / name).write_text(body)
        roots.add(Assets(tmp_path).root)
    assert len(roots) == 4
    assert gzip.decompress(Assets(tmp_path).files["a.svg"].compressed) == b"2"


def test_every_setting_is_offered_with_every_value_it_may_have() -> None:
    offer = form_options(("english", "club"))
    assert [it["name"] for it in offer["settings"]] == [spec.name for spec in settings()]
    for setting in offer["settings"]:
        values = [option["value"] for option in setting.get("options", [])]
        values += [str(setting[end]) for end in ("low", "high") if end in setting]
        values += ["off"] if setting.get("off") else []
        for value in values:
            fits = [r for r in PRESETS.values() if _overridden(r, setting["name"], value)]
            assert fits, (setting["name"], value)
        assert setting["name"] == "layout" or len(values) > 1


def _overridden(rules: Ruleset, name: str, value: str) -> bool:
    try:
        rules.override(name, value)
    except ValueError:
        return False
    return True


def test_values_are_told_in_the_words_of_the_rules() -> None:
    offer = form_options(("english",))
    for name, rules in PRESETS.items():
        (words,) = [it["words"] for it in offer["presets"] if it["name"] == name]
        assert words
        assert words[0] == PRESET_SUMMARIES[name]
        assert set(words[1:]) <= set(rules_lines(rules))
    (challenge,) = [it for it in offer["settings"] if it["name"] == "challenge"]
    words = {option["value"]: " ".join(option["words"]) for option in challenge["options"]}
    assert "its player gets 10 points" in words["ten"]
    assert len(set(words.values())) == len(words)


def test_presets_are_what_set_makes_of_their_values() -> None:
    for preset in form_options(())["presets"]:
        rules = PRESETS["official"]
        order = sorted(fields(Ruleset), key=lambda spec: spec.name != "players")
        for spec in order:
            if spec.name in preset["values"]:
                rules = rules.override(spec.name, preset["values"][spec.name])
        assert {spec.name: getattr(rules, spec.name) for spec in settings()} == {
            spec.name: getattr(PRESETS[preset["name"]], spec.name) for spec in settings()
        }


async def test_the_list_of_rooms_is_a_document_too(app: App) -> None:
    assert json.loads((await fetch(app, "/rooms.json")).body) == []
    async with connect(f"ws://{LOOPBACK}:{app.port}/t/attic", max_queue=None) as ann:
        await ann.send("/name ann")
        while "takes seat" not in str(await ann.recv()):
            pass
        (room,) = json.loads((await fetch(app, "/rooms.json")).body)
        wanted = {"name": "attic", "people": 1, "seated": 1, "playing": False, "locked": False}
        assert room == wanted


async def test_the_qr_code_of_a_room_is_a_picture(app: App) -> None:
    answer = await fetch(app, "/t/kitchen/qr.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.body.startswith("<svg")
    assert "script" not in answer.body
    assert answer.body != (await fetch(app, "/t/attic/qr.svg")).body
    assert (await fetch(app, "/t/a_b/qr.svg")).status == 404
