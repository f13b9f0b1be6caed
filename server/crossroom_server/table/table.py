"""Decides commands at a table and applies log entries to it, as pure functions.

Like in the engine, deciding may refuse, :func:`apply` may not. A room
(:mod:`crossroom_server.room.room`) stores the events decided here before anybody is told.
"""

from collections.abc import Container, Sequence
from functools import reduce

from crossroom_engine.core.errors import CorruptLog, IllegalMove
from crossroom_engine.core.events import Event, Started
from crossroom_engine.core.fast_replace import replace
from crossroom_engine.core.moves import Move, OfficialMove
from crossroom_engine.game.game import Game, initial_game
from crossroom_engine.game.game import apply as apply_event
from crossroom_engine.game.referee import DecisionContext, decide_official, start_game
from crossroom_engine.game.referee import decide as decide_move
from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.commands.analysis import HintCommand
from crossroom_protocol.commands.table import (
    BotCommand,
    ReadyCommand,
    SetCommand,
    SitCommand,
    WatchCommand,
)
from crossroom_protocol.events.moderation import ModerationEvent
from crossroom_protocol.events.room import (
    Agreed,
    HintTaken,
    LogEntry,
    Moved,
    NameRegistered,
    ProgramDeclared,
    Renamed,
    RoomEvent,
    RulesChanged,
    Said,
    SeatLeft,
    SeatTaken,
)
from crossroom_server.table import permissions
from crossroom_server.table.move_parsing import C, ReadMove, read_move, refusal_hints
from crossroom_server.table.offers import apply_offer, end_offers
from crossroom_server.table.rated_games import is_rated
from crossroom_server.table.rule_settings import check_lexicon_fits, with_setting
from crossroom_server.table.state import (
    CommandContext,
    Events,
    Person,
    SeatState,
    Sources,
    Table,
    with_seat,
)


def apply(table: Table, entry: LogEntry) -> Table:
    """Return the table after *entry*.

    Raises:
        CorruptLog: the entry does not fit; the log is damaged or the program is wrong.
    """
    after = _apply(table, entry.what)
    began = entry.seq if after.games > table.games else table.began
    return replace(
        after, seq=entry.seq, began=began, permissions=permissions.apply(table.permissions, entry)
    )


def _apply(table: Table, what: RoomEvent) -> Table:
    match what:
        case SeatTaken(_, member, name, bot, registered):
            seat_state = SeatState(member, name, bot, registered=registered)
            return replace(table, seats=(*table.seats, seat_state))
        case SeatLeft(seat):
            return replace(table, seats=(*table.seats[:seat], *table.seats[seat + 1 :]))
        case Renamed(seat, _, name, registered):
            return with_seat(table, seat, name=name, registered=registered)
        case NameRegistered(seat):
            return with_seat(table, seat, registered=True)
        case ProgramDeclared(seat):
            return with_seat(table, seat, program=True)
        case Agreed(seat, _, ready):
            return with_seat(table, seat, agreed=ready)
        case RulesChanged(rules=rules):
            seats = tuple(replace(seat_state, agreed=False) for seat_state in table.seats)
            return replace(table, rules=rules, seats=seats)
        case Said() | HintTaken():
            return table
        case Moved(game=number, events=events):
            return _moved(replace(table, games=number), events)
        case _ if isinstance(what, ModerationEvent):
            return table
        case _:
            return apply_offer(table, what)


def _moved(table: Table, events: Sequence[Event]) -> Table:
    game, record, members = table.game, table.record, table.members
    told: list[Event] = []
    for event in events:
        if isinstance(event, Started):
            game, record, told = initial_game(event), (), []
            members = tuple(seat_state.member for seat_state in table.seats)
            table = replace(table, starting_seats=table.seats)
        elif game is None:
            raise CorruptLog(f"{event.kind} before the first game")
        else:
            game = apply_event(game, event)
        told.append(event)
    record = (*record, *told)
    return end_offers(replace(table, game=game, record=record, members=members))


def take_seat(at: CommandContext, _: SitCommand) -> Events:
    """Take the next free seat; see :func:`sit`."""
    return sit(at.table, at.person)


def sit(table: Table, person: Person, bot: str | None = None) -> Events:
    """Take the next free seat.

    Raises:
        Refusal: ``GAME_ON`` or ``ROOM_FULL``.
    """
    if table.seat_of(person.member) is not None:
        raise Refusal("BAD_ARGS", "you have a seat; /watch gives it up")
    if table.playing is not None:
        if bot is not None:
            raise Refusal("GAME_ON", "a game is being played; add bots when it is over")
        raise Refusal("GAME_ON", "a game is being played; sit down when it is over")
    if len(table.seats) >= table.rules.players:
        raise Refusal(
            "ROOM_FULL", "all {players} seats are taken; you may watch", players=table.rules.players
        )
    taken = SeatTaken(len(table.seats), person.member, person.name, bot, person.registered)
    return (taken,)


def seat_bot(table: Table, person: Person, level: str, sources: Sources) -> Events:
    """Give a bot the next free seat; the game begins if all others were ready.

    Raises:
        Refusal: ``GAME_ON`` or ``ROOM_FULL``.
    """
    seated = sit(table, person, level)
    after = _apply(table, seated[0])
    return (*seated, _begin(after, sources)) if after.all_ready else seated


def check_may_arrange(table: Table, person: Person) -> None:
    """Check that *person* may arrange this table: where people sit, only they and staff may.

    Raises:
        Refusal: ``NEED_SEAT``.
    """
    people = {seat_state.member for seat_state in table.seats if seat_state.bot is None}
    is_staff = table.permissions.staff_role(person.member) is not None
    if people and person.member not in people and not is_staff:
        raise Refusal("NEED_SEAT", "only players choose the rules and the bots")


def watch(at: CommandContext, _: WatchCommand) -> Events:
    """Give one's seat up; see :func:`stand_up`."""
    return leave_seat(at.table, at.seat)


def leave_seat(table: Table, seat: int) -> Events:
    """Give up a seat, or take a bot's away.

    Raises:
        Refusal: ``GAME_ON``.
    """
    if table.playing is not None:
        if table.playing.players[seat].retired:
            raise Refusal("GAME_ON", "you are out of this game; your seat is free when it is over")
        raise Refusal("GAME_ON", "seats are kept until the game is over; /resign yes gives it up")
    return (SeatLeft(seat, table.seats[seat].name),)


def free_seats(table: Table, present: Container[str]) -> Events:
    """Free the seats of all people whose ``member`` is not *present*; none while a game is on."""
    if table.playing is not None:
        return ()
    # From the last to the first: the seats behind move up.
    return tuple(
        SeatLeft(seat, seat_state.name)
        for seat, seat_state in reversed(list(enumerate(table.seats)))
        if seat_state.bot is None and seat_state.member not in present
    )


def rename(table: Table, seat: int, person: Person) -> Events:
    """Take over the name of *person*, or mark it as registered, which may happen any time.

    Raises:
        Refusal: ``GAME_ON``.
    """
    seat_state = table.seats[seat]
    if seat_state.name == person.name:
        proved = person.registered and not seat_state.registered
        return (NameRegistered(seat, seat_state.name),) if proved else ()
    if table.playing is not None:
        raise Refusal("GAME_ON", "names cannot change during a game")
    return (Renamed(seat, seat_state.name, person.name, person.registered),)


def make_move(read: ReadMove[C, Move], at: CommandContext, command: C) -> Events:
    """Make the move that *read* finds in a command; see :func:`move`.

    Raises:
        Refusal: ``NEED_SEAT``, ``STALE_TURN``, or the notation cannot be read.
    """
    seat = at.seat
    return move(at.table, seat, read_move(read, command, at.table), at.sources)


def move(table: Table, seat: int, move: Move, sources: Sources) -> tuple[Moved, ...]:
    """Make a move in the game.

    Raises:
        Refusal: ``NO_GAME``, ``NO_LEXICON``, or whatever the rules say.
    """
    game = table.game
    if game is None:
        raise Refusal("NO_GAME", "no game has begun; /ready when you agree to the rules (/r)")
    try:
        events = decide_move(game, seat, move, _context(game, sources))
    except IllegalMove as error:
        raise Refusal(
            error.code,
            "{prose}{hints}",
            prose=error.prose,
            hints=refusal_hints(game, seat, move, error),
        ) from None
    return (Moved(table.games, seat, events),)


def take_hint(at: CommandContext, _: HintCommand) -> Events:
    """Ask for the best plays, on turn (RULES 8.4)."""
    table, seat, game = at.table, at.seat, at.table.game
    if game is None:
        raise Refusal("NO_GAME", "no game has begun; /ready when you agree to the rules (/r)")
    if game.phase == "over":
        raise Refusal("GAME_OVER", "the game is over; /analyze shows what could have been")
    if game.rules.hints == "off":
        raise Refusal(
            "NO_HINTS",
            "this game is played without hints; before a game, /set hints on allows them",
        )
    if game.phase == "last_word":
        raise Refusal("WRONG_PHASE", "the last play has been made; /accept or /challenge")
    if seat != game.on_turn:
        name = game.players[game.on_turn].name
        raise Refusal("NOT_YOUR_TURN", "it is {name}'s turn; hints are for your own", name=name)
    return (HintTaken(seat, table.seats[seat].name),)


def apply_official(table: Table, move: OfficialMove, sources: Sources) -> tuple[Moved, ...]:
    """Make a move of the server: check the clock, stop it, start it. May be nothing.

    Raises:
        Refusal: there is no such turn to take back.
    """
    if table.playing is None:
        return ()
    try:
        events = decide_official(table.playing, move, _context(table.playing, sources))
    except IllegalMove as error:
        raise Refusal(error.code, error.prose) from None
    return (Moved(table.games, None, events),) if events else ()


def _context(game: Game, sources: Sources) -> DecisionContext:
    lexicon = sources.lexica.get(game.lexicon, game.digest)
    return DecisionContext(lexicon, sources.random, sources.now())


def declare_program(at: CommandContext, _: BotCommand) -> Events:
    """Say that somebody at the table is a program.

    A game that has begun is rated all the same: else whoever is about to lose would say so.
    """
    seat_state = at.table.seats[at.seat]
    return () if seat_state.program else (ProgramDeclared(at.seat, seat_state.name),)


def agree(at: CommandContext, command: ReadyCommand) -> Events:
    """Agree to begin, or take that back; the game begins when all have agreed."""
    table, seat, ready = at.table, at.seat, command.answer == "yes"
    seat_state = table.seats[seat]
    if table.playing is not None:
        raise Refusal("GAME_ON", "the game is being played already")
    said = () if seat_state.agreed == ready else (Agreed(seat, seat_state.name, ready),)
    # Also when they have said so before: whoever was waited for may have left.
    if ready and reduce(_apply, said, table).all_ready:
        return (*said, _begin(table, at.sources))
    if not said:
        raise ready_unchanged(ready=ready)
    return said


def ready_unchanged(*, ready: bool) -> Refusal:
    """Return the refusal for somebody who is *ready* already, or was not."""
    if ready:
        return Refusal("BAD_ARGS", "you have agreed already; waiting for the others")
    return Refusal("BAD_ARGS", "you are not ready")


def _begin(table: Table, sources: Sources) -> Moved:
    rules, lexicon = table.rules, sources.lexica.get(table.rules.lexicon)
    check_lexicon_fits(rules, lexicon)
    names = tuple(seat_state.name for seat_state in table.seats)
    context = DecisionContext(lexicon, sources.random, sources.now())
    rated = is_rated(table.seats, rules)
    due = _due_first(table)
    events = start_game(rules, names, context, sources.seed(), rated=rated, due=due)
    return Moved(table.games + 1, None, events)


def _due_first(table: Table) -> int | None:
    """Return the seat that the game before lets begin (RULES 1.2); None: nobody of it sits here."""
    if table.game is None:
        return None
    seats = {seat_state.member: at for at, seat_state in enumerate(table.seats)}
    players = range(len(table.members))
    order = [(table.game.first + 1 + step) % len(players) for step in players]
    if table.rules.first_player == "loser":
        result = table.game.players
        order = sorted(players, key=lambda seat: (not result[seat].retired, result[seat].score))
    return next((seats[member] for at in order if (member := table.members[at]) in seats), None)


def change_rules(at: CommandContext, command: SetCommand) -> Events:
    """Change one rule, or take a preset."""
    table, setting = at.table, command.setting.lower().replace("-", "_")
    if table.playing is not None:
        raise Refusal("GAME_ON", "the rules stay as they are until the game is over")
    check_may_arrange(table, at.person)
    rules = with_setting(table.rules, setting, command.value)
    if len(table.seats) > rules.players:
        raise Refusal("BAD_SETTING", "{chairs} people sit at the table", chairs=len(table.seats))
    at.sources.lexica.get(rules.lexicon)
    return (RulesChanged(at.person.name, setting, command.value, rules),)
