"""The pages of finished games, of players and of rooms."""

import io
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from html.parser import HTMLParser
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from PIL import Image
from websockets.asyncio.client import connect

from crossroom_clients.cli.main import main
from crossroom_engine.game.draw_verification import verify_draws
from crossroom_engine.records.check import check_record
from crossroom_engine.records.gcg_read import read_gcg
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.encoding.game_json import read_events
from crossroom_server.app import App
from crossroom_server.lobby.lexica import LexicaOnDisk
from crossroom_server.lobby.lobby import Lobby
from crossroom_server.store.contract import Unavailable
from crossroom_server.store.memory import MemoryStore
from crossroom_server.store.sqlite.store import SqliteStore
from crossroom_server.table.page_ids import page_id
from crossroom_server.table.replay_steps import last_board, replay_steps
from crossroom_server.table.state import Sources
from crossroom_server.web import board_image
from crossroom_server.web.archive import Archive
from crossroom_server.web.board_image import CARD_PX
from crossroom_server.web.room_card import RoomCards
from crossroom_server.web.score_graph import score_graph
from tests.integration.test_http import fetch
from tests.support.log_entries import restore_old_file
from tests.support.room_driver import start_game
from tests.support.server import LOOPBACK, NO_FOLDER, run_server

VOID = {"meta", "link", "input", "br", "img"}
URL = "http://host:8765"
LOADED = ("css/game.css", "core/apply_theme.js", "archive/game.js")


class PageOutline(HTMLParser):
    """What matters of a page: every tag is closed, what it loads and where it leads, its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.attributes: set[str] = set()
        self.text: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {key: value or "" for key, value in attrs}
        self.attributes |= named.keys()
        self.ids += [named["id"]] if "id" in named else []
        target = named.get("href", named.get("src"))
        if target is not None:
            (self.links if tag == "a" else self.loaded).append(target)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.setdefault(self._open[-1] if self._open else "", []).append(data)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    path = tmp_path / "rooms.db"
    restore_old_file(path, "finished")
    with closing(SqliteStore(path)) as store:
        yield store


@pytest.fixture
async def archive(store: SqliteStore) -> Archive:
    lobby = Lobby(store, Sources(LexicaOnDisk(NO_FOLDER), Random(1), lambda: 0))
    return Archive(lobby, store, "page/3f9a")


async def shown(archive: Archive, path: str) -> str:
    found = await archive.find(path, URL)
    assert found is not None
    return found.body.decode()


async def address(store: SqliteStore, number: int) -> str:
    (page,) = [g.page for g in await store.finished_in("kitchen", 9) if g.game == number]
    return page


async def test_a_page_is_whole_without_a_script(archive: Archive, store: SqliteStore) -> None:
    page = await shown(archive, f"/g/{await address(store, 1)}")
    outline = PageOutline(page)
    assert outline.text["title"] == ["ann 76, bob 146 · crossroom"]
    assert "bob wins (ann resigned). Official rules, word list english." in page
    letters = [text for text in outline.text["b"] if len(text) == 1]
    assert sorted(letters) == sorted("PALACES" + "ETALOID" + "HOTBOOD")
    for what in ("8D PALACES", "D8 PETALOID", "F4 HOTBLOOD", "exchange A", "resigned"):
        assert what in outline.text["span"], what
    assert page.count("HOTBLOOD</span>") == 1, "what was taken back is not there"
    assert '<svg class="graph"' in page
    assert "Scores, turn by turn; at the end ann 76, bob 146" in page
    assert '<div class="controls" id="controls" hidden>' in page


async def test_a_page_loads_what_is_ours_and_nothing_else(
    archive: Archive, store: SqliteStore
) -> None:
    for path in (f"/g/{await address(store, 1)}", "/r/kitchen"):
        outline = PageOutline(await shown(archive, path))
        ours = {f"../page/3f9a/{name}" for name in LOADED}
        assert set(outline.loaded) <= ours
        assert all("//" not in link and not link.startswith("/") for link in outline.links)
        assert "style" not in outline.attributes | set(outline.text)
        assert not {name for name in outline.attributes if name.startswith("on")}
        assert len(outline.ids) == len(set(outline.ids))


async def test_the_steps_lead_to_the_last_board(archive: Archive, store: SqliteStore) -> None:
    page = await shown(archive, f"/g/{await address(store, 1)}")
    (script,) = [text for text in PageOutline(page).text["script"] if text.startswith("[")]
    board: dict[tuple[int, int], str] = {}
    told = json.loads(script)
    for step in told:
        for row, col in step["lifted"]:
            del board[row, col]
        for row, col, letter, _ in step["put"]:
            board[row, col] = letter
    record = read_events(await shown(archive, f"/g/{await address(store, 1)}.json"))
    last = {(at.row, at.col): letter.letter for at, letter in last_board(record).items()}
    assert board == last
    assert told[-1]["scores"] == [76, 146]
    assert [step["what"] for step in told] == [step.row.what for step in replay_steps(record)]


async def test_a_play_that_was_withdrawn_comes_and_goes() -> None:
    driver = await start_game("ann", "bob")
    game = (await driver.table()).game
    assert game is not None
    phony = "".join(game.players[0].rack).replace("?", "a")
    await driver.type("ann", f"/play 8D {phony}")
    await driver.type("bob", "/challenge")
    await driver.type("bob", "/resign yes")
    laid, _challenged, withdrawn, _resigned = replay_steps((await driver.table()).record)
    assert len(laid.put) == 7
    assert laid.is_play
    assert sorted(withdrawn.lifted) == sorted(at for at, _ in laid.put)
    assert withdrawn.scores == (0, 0)
    await driver.lobby.close()


async def test_records_can_be_had_as_others_read_them(archive: Archive, store: SqliteStore) -> None:
    page = await address(store, 1)
    gcg = await shown(archive, f"/g/{page}.gcg")
    assert not check_record(read_gcg(gcg)).findings
    text = await shown(archive, f"/g/{page}.txt")
    assert "F4 HOTBLOOD" in text
    assert " 8 = . . P A L A C E S" in text
    events = read_events(await shown(archive, f"/g/{page}.json"))
    assert [event.kind for event in events][-1] == "ended"


async def test_the_picture_is_one(archive: Archive, store: SqliteStore) -> None:
    found = await archive.find(f"/g/{await address(store, 1)}.png", URL)
    assert found is not None
    assert found.media_type == "image/png"
    image = Image.open(io.BytesIO(found.body)).convert("RGB")
    side = 15 * board_image.CELL_PX
    assert image.width > side
    assert image.height > side
    again = await archive.find(f"/g/{await address(store, 1)}.png", URL)
    assert again is not None
    assert again.body is found.body, "drawn once"


@pytest.mark.parametrize("form", ["gcg", "json"])
async def test_the_same_picture_is_drawn_of_a_record(
    archive: Archive, store: SqliteStore, tmp_path: Path, form: str
) -> None:
    page = await address(store, 1)
    record, out = tmp_path / f"game.{form}", tmp_path / "game.png"
    record.write_text(await shown(archive, f"/g/{page}.{form}"), encoding="utf-8")
    assert main(["picture", str(record), str(out)]) == 0
    found = await archive.find(f"/g/{page}.png", URL)
    assert found is not None
    assert out.read_bytes() == found.body


async def test_games_of_a_locked_room_are_shown_to_whoever_has_the_address(
    archive: Archive, store: SqliteStore
) -> None:
    listed = await shown(archive, "/r/kitchen")
    secret = await address(store, 4)
    assert secret not in listed
    assert await address(store, 1) in listed
    assert await address(store, 2) in listed
    page = await shown(archive, f"/g/{secret}")
    assert "Only whoever has the address finds this page." in page
    assert "kitchen" not in page


async def test_nothing_is_shown_of_a_game_that_goes_on(
    archive: Archive, store: SqliteStore
) -> None:
    log = await store.read("kitchen")
    running = [e.what.events for e in log if getattr(e.what, "game", 0) == 5]  # type: ignore[union-attr]
    record = tuple(event for events in running for event in events)
    guess = page_id("kitchen", 5, record)
    for path in (f"/g/{guess}", f"/g/{guess}.json", "/g/kitchen", "/g/5", "/g/", "/g/a.png"):
        assert await archive.find(path, URL) is None, path
    assert "BRUNG" not in await shown(archive, "/r/kitchen")


async def test_players_and_rooms_that_are_not_there(archive: Archive) -> None:
    for path, code in (("/p/ann", "NOBODY"), ("/p/<b>", "BAD_NAME"), ("/r/a_b", "NO_ROOM")):
        with pytest.raises(Refusal) as no:
            await archive.find(path, URL)
        assert no.value.code == code
    assert "No game has ended here that anybody may see." in await shown(archive, "/r/attic")


def test_lines_of_scores_below_zero_and_without_moves_are_drawn() -> None:
    for scores in ([(0, 0)], [(0, 0, 0, 0), (-12, 0, 3, 900)]):
        names = ["ann", "<b>", "cat", "dan"][: len(scores[0])]
        picture = score_graph(names, scores)
        PageOutline(picture)
        assert "<b>" not in picture
        assert picture.count("<polyline") == len(names)


# Over the wire.


@pytest.fixture
async def app() -> AsyncIterator[App]:
    async with run_server() as app:
        yield app


async def play(app: App, *first: str, said: Sequence[str] = ("/pass",)) -> str:
    """A short game in the room `attic`, which Bob resigns; returns the path of its page.

    Ann says what is *first*, and what is *said* she and Bob say in turn; `{rack}` are her tiles.
    """
    async with (
        connect(f"ws://{LOOPBACK}:{app.port}/t/attic", max_queue=None) as ann,
        connect(f"ws://{LOOPBACK}:{app.port}/t/attic", max_queue=None) as bob,
    ):
        for line in ("/name ann", *first):
            await ann.send(line)
        for line in ("/name bob", "/set first_player seat", "/ready"):
            await bob.send(line)
        while "bob is ready" not in str(await bob.recv()):
            pass
        await ann.send("/ready")
        while not (rack := str(await ann.recv())).startswith("= rack"):
            pass
        while "game 1 begins" not in str(await bob.recv()):
            pass
        tiles = rack.removeprefix("= rack ").partition("   ")[0].replace("?", "a").replace(" ", "")
        for line, speaker, hearer in zip(said, cycle((ann, bob)), cycle((bob, ann)), strict=False):
            await speaker.send(line.format(rack=tiles))
            while not str(await hearer.recv()).startswith("* #"):
                pass
        await bob.send("/resign yes")
        while "saved" not in (told := str(await ann.recv())):
            pass
    return "/" + told.removesuffix(", and it is rated").split("/", 3)[3]


async def test_a_game_has_its_page_as_soon_as_it_is_over(app: App) -> None:
    path = await play(app, "/register")
    answer = await fetch(app, path)
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    outline = PageOutline(answer.body)
    assert "../p/ann" in outline.links
    assert "../p/bob" not in outline.links, "nobody's name, nobody's page"
    for loaded in outline.loaded:
        file = await fetch(app, f"/{loaded.removeprefix('../')}")
        assert file.status == 200
    profile = await fetch(app, "/p/ann")
    assert "1 game, 1 won" in profile.body
    assert path.removeprefix("/") in profile.body
    assert path.removeprefix("/") in (await fetch(app, "/r/attic")).body


async def test_what_there_is_not_is_not_found(app: App) -> None:
    for path in ("/g/aaaaaaaaaaaaaaaaaaaa", "/g/aaaaaaaaaaaaaaaaaaaa.png", "/p/ann", "/r/a_b"):
        answer = await fetch(app, path)
        assert answer.status == 404, path
        assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_a_store_out_of_order_is_no_reason_to_say_that_a_game_is_not_there(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = await play(app)

    async def broken(*_: object) -> None:
        raise Unavailable("the disk of the server fails")

    monkeypatch.setattr(MemoryStore, "find_finished", broken)
    answer = await fetch(app, path)
    assert answer.status == 503
    assert "the disk of the server fails" in answer.body


async def test_a_record_from_a_page_can_be_checked_for_fairness(app: App) -> None:
    answer = await fetch(app, f"{await play(app)}.json")
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    report = verify_draws(read_events(answer.body))
    assert not report.findings
    assert report.draws


async def test_previews_of_a_room_and_of_a_game_are_cards(app: App) -> None:
    room = await fetch(app, "/t/kitchen")
    assert (
        f'property="og:image" content="http://{LOOPBACK}:{app.port}/t/kitchen/card.png"'
        in room.body
    )
    path = await play(app)
    game = await fetch(app, path)
    assert f'content="http://{LOOPBACK}:{app.port}{path}/card.png"' in game.body
    for card in ("/t/kitchen/card.png", f"{path}/card.png"):
        assert (await fetch(app, card)).headers["content-type"] == "image/png"


async def test_the_card_of_a_room_shows_its_board_unless_it_is_locked() -> None:
    driver = await start_game("ann", "bob")
    cards = RoomCards(driver.lobby)
    empty = await cards.find("attic")
    assert await cards.find("cellar") is empty, "one card for all there is nothing to see in"
    before = await cards.find("kitchen")
    assert Image.open(io.BytesIO(before)).size == CARD_PX
    game = (await driver.table()).game
    assert game is not None
    rack = "".join(tile for tile in game.players[0].rack if tile != "?")
    await driver.type("ann", f"/play 8H {rack[:2]}")
    after = await cards.find("kitchen")
    assert len({empty, before, after}) == 3
    await driver.type("ann", "/lock sesame")
    locked = await cards.find("kitchen")
    assert locked is empty
