"""Looking back at a game, and what the table learns from notices; nothing is drawn."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from crossroom_clients.connection.json_codec import JsonCodec, NoticeMessage
from crossroom_clients.connection.reconnecting import NotSent
from crossroom_clients.tui.history import History
from crossroom_clients.tui.placement import TentativePlay
from crossroom_clients.tui.score_preview import ScorePreview
from crossroom_clients.tui.state import TableState
from crossroom_engine.core.coordinates import Square
from crossroom_engine.core.events import Drew, Event, Exchanged, Started, Withdrawn
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.encoding.codecs import encode
from crossroom_protocol.events.room import Moved, Said
from crossroom_protocol.notices import (
    Done,
    Note,
    ReaderSettings,
    Recalled,
    Refused,
    ReplayedEntry,
    Tried,
)
from tests.support.game_driver import GameDriver


def table() -> GameDriver:
    return GameDriver("official", ["CATXIII", "DOGSOOO"], "E" * 20)


def started(of: GameDriver) -> Moved:
    event = Started(of.rules, ("ann", "bob"), "tiny", "", of.now)
    return Moved(1, None, (event,))


def remember(of: GameDriver, *moves: Sequence[Event]) -> History:
    history = History()
    for seq, move in enumerate([started(of).events, *moves], 1):
        history.record(seq, Moved(1, 0, tuple(move)), f"line {seq}")
        history.record(seq, Moved(1, 0, tuple(move)), "told again")
    return history


def test_racks_are_those_of_then() -> None:
    game = table()
    draws = (Drew(0, ("C", "A", "T", "X", "I", "I", "?")), Drew(1, ("_",) * 7))
    play = (*game.play(0, "8H", "CAT"), Drew(0, ("E", "E", "E")))
    history = History()
    history.record(1, Moved(1, None, (*started(game).events, *draws)), "begins")
    history.record(2, Moved(1, 0, play), "plays")
    history.record(3, Moved(1, 1, (Exchanged(1, ("_", "_"), ("_", "_")),)), "exchanges")
    history.record(4, Moved(1, 0, (Exchanged(0, ("X", "?"), ("O", "U")),)), "exchanges")
    racks = [sorted(moment.racks[0]) for moment in history.moments]
    own = [step.tiles for step in play if isinstance(step, Drew)]
    assert racks[0] == sorted("CATXII?")
    assert racks[1] == racks[2] == sorted([*"XII?", *(tile for tiles in own for tile in tiles)])
    assert "X" not in racks[3]
    assert {"O", "U"} <= set(racks[3])
    assert [moment.used for moment in history.moments[1:]] == [
        ("C", "A", "T"),
        ("_", "_"),
        ("X", "?"),
    ]
    assert all(len(moment.racks[1]) == 7 for moment in history.moments)


def test_a_play_that_is_withdrawn_gives_its_tiles_back() -> None:
    game = table()
    history = History()
    rack = ("C", "A", "T", "X", "I", "I", "?")
    history.record(1, Moved(1, None, (*started(game).events, Drew(0, rack))), "begins")
    history.record(2, Moved(1, 0, tuple(game.play(0, "8H", "CAT"))), "plays")
    history.record(3, Moved(1, 1, (Withdrawn(0, 10, ()),)), "challenges")
    assert sorted(history.moments[-1].racks[0]) == sorted(rack)


def test_every_moment_is_the_board_and_the_scores_of_then() -> None:
    game = table()
    moves = [game.play(0, "8H", "CAT")]
    first = game.game.board, tuple(game.scores)
    moves += [game.exchange(1, "OO"), game.pass_(0)]
    moves += [game.pass_(1)]
    history = remember(game, *moves)
    assert [moment.line for moment in history.moments] == [f"line {seq}" for seq in range(1, 6)]
    assert not history.moments[0].board
    for moment in history.moments[1:]:
        assert (moment.board, moment.scores) == first
        assert moment.laid == {Square(7, 7), Square(7, 8), Square(7, 9)}, "still the latest play"


def test_a_play_that_was_challenged_is_gone() -> None:
    game = table()
    history = remember(game, game.play(0, "8H", "CAX"), game.challenge(1))
    before, after = history.moments[1:]
    assert before.board
    assert before.scores[0] > 0
    assert not after.board
    assert after.scores == tuple(game.scores) == (0, 0)
    assert after.laid == frozenset()


def test_a_turn_taken_back_is_as_it_was_before_it() -> None:
    game = table()
    played = [game.play(0, "8H", "CAT"), game.play(1, "9G", "DOG")]
    board, scores = game.game.board, tuple(game.scores)
    more = [game.undo(1), game.play(1, "9G", "DOG")]
    history = remember(game, *played, *more)
    assert len(list(history.moments[3].board.items())) == 3
    assert history.moments[3].scores == (history.moments[1].scores[0], 0)
    assert (history.moments[4].board, history.moments[4].scores) == (board, scores)


def test_what_was_before_the_newest_game_is_forgotten() -> None:
    game = table()
    history = remember(game, game.play(0, "8H", "CAT"))
    history.record(9, started(game), "another game")
    assert [moment.line for moment in history.moments] == ["another game"]


def test_without_a_beginning_there_is_nothing_to_look_back_at() -> None:
    history = History()
    history.record(7, Moved(1, 0, tuple(table().play(0, "8H", "CAT"))), "")
    assert history.moments == []


def test_what_is_recalled_goes_before_what_was_heard() -> None:
    game = table()
    moves = [started(game).events, game.play(0, "8H", "CAT"), game.pass_(1)]
    pasts = [
        ReplayedEntry(
            seq=seq, at=0, event=Moved(1, 0, tuple(move)), plain=(f"* #{seq} it happens",)
        )
        for seq, move in enumerate(moves, 4)
    ]
    talk = ReplayedEntry(seq=3, at=0, event=Said("bob", "hi"), plain=(": #3 bob: hi",))
    state = TableState()
    state.update(Recalled(entries=(talk, *pasts)), (), 0)
    assert [moment.seq for moment in state.history.moments] == [4, 5, 6]
    assert state.history.moments[1].line == "it happens"
    state.browse(-1)
    assert state.moment == 1
    state.browse(-9)
    assert state.moment == 0
    state.browse(9)
    assert state.moment is None


# JSON, as the connection hears it.


def heard(notice: Any, label: str | None = None) -> NoticeMessage | None:
    return JsonCodec().decode(encode(notice, ReaderSettings("json"), label)[0])


def test_a_notice_has_the_tags_and_lines_of_the_other_spellings() -> None:
    told = heard(Refused(code="BAD_PLAY", command="play", text="no"), "7")
    assert told is not None
    assert (told.mark, told.text, told.label) == ("!", "BAD_PLAY play: no", "7")
    assert told.tags["code"] == "BAD_PLAY"
    told = heard(Note(about="who", lines=("alice", "bob")))
    assert told is not None
    assert told.lines == ("- alice", "- bob")


def test_what_a_newer_server_adds_is_passed_over() -> None:
    known = JsonCodec().decode(
        '{"tell":"note","about":"x","lines":["hi"],"mood":"good","plain":["- hi"]}'
    )
    assert known is not None
    assert isinstance(known.notice, Note)
    unknown = JsonCodec().decode('{"tell":"sung","seq":5,"plain":["* #5 la la"]}')
    assert unknown is not None
    assert (unknown.notice, unknown.text, unknown.tags) == (None, "#5 la la", {"seq": "5"})


def test_a_line_is_said_as_json_or_not_at_all() -> None:
    assert JsonCodec().encode("7", "/play 8h WORd", in_room=True) == (
        '{"id": "7", "do": "play", "at": "8H", "word": "WORd", "swap": null, "turn": null}'
    )
    assert '"text": "hi"' in JsonCodec().encode("7", "hi", in_room=True)
    assert '"show": true' in JsonCodec().encode("7", "!board", in_room=True)
    with pytest.raises(Refusal, match="palace"):
        JsonCodec().encode("7", "/palace", in_room=True)


# Asking what tiles would earn.


class SlowConnection:
    """A connection to a server that answers when it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, asyncio.Future[Any]]] = []
        self.is_lost = False

    async def send(self, line: str, *, typed: bool) -> asyncio.Future[Any]:
        assert not typed
        if self.is_lost:
            raise NotSent("not connected")
        self.asked.append((line, asyncio.get_running_loop().create_future()))
        return self.asked[-1][1]


def trying() -> tuple[ScorePreview, SlowConnection, TentativePlay, list[Any]]:
    slow, answers, tentative = SlowConnection(), list[Any](), TentativePlay()
    tentative.update(("....",) * 4, "ABCD")
    return ScorePreview(slow, tentative, answers.append), slow, tentative, answers  # type: ignore[arg-type]


def tried(points: int) -> Tried:
    return Tried(at="", word="", spot="", text="", words=("AB",), points=points, good=None)


async def test_only_what_lies_there_now_is_asked_for_one_at_a_time() -> None:
    asks, slow, tentative, answers = trying()
    for key in "abc":
        tentative.type(key)
        asks.request()
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.4)
    assert [line for line, _ in slow.asked] == ["/try 1A ABC"]
    tentative.type("d")
    asks.request()
    await asyncio.sleep(0.3)
    assert len(slow.asked) == 1, "not before the first is answered"
    asks.receive(tried(6))
    slow.asked[0][1].set_result(heard(Done()))
    await asyncio.sleep(0.3)
    assert [line for line, _ in slow.asked] == ["/try 1A ABC", "/try 1A ABCD"]
    assert set(answers) == {None}, "an answer that comes too late is none"
    asks.receive(tried(9))
    slow.asked[1][1].set_result(heard(Done()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert answers[-1] == tried(9)


async def test_a_refusal_is_an_answer_and_a_lost_connection_is_none() -> None:
    asks, slow, tentative, answers = trying()
    tentative.type("a")
    asks.request()
    await asyncio.sleep(0.3)
    no = Refused(code="BAD_PLAY", command="try", text="too short")
    slow.asked[0][1].set_result(heard(no))
    await asyncio.sleep(0.05)
    assert answers[-1] == no
    slow.is_lost = True
    tentative.type("b")
    asks.request()
    await asyncio.sleep(0.3)
    assert answers[-1] is None
    slow.is_lost = False
    asks.request()
    await asyncio.sleep(0.3)
    assert slow.asked[-1][0] == "/try 1A AB"
    asks.stop()
