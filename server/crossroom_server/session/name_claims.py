"""Authenticates registered names on a connection; ``client.proven`` keeps their keys."""

from crossroom_protocol.base.refusals import Refusal
from crossroom_protocol.notices import YourRegistration
from crossroom_server.identity import names
from crossroom_server.lobby.room_handle import RoomHandle
from crossroom_server.room.client import Client
from crossroom_server.session.server_state import ServerState
from crossroom_server.table.state import Person


async def prove_name(server: ServerState, client: Client, name: str, code: str) -> str:
    """Check that a client may have this name; remember the key of one that is theirs.

    Return the name; one that is theirs as they have registered it, however they write it now.

    Raises:
        Refusal: ``NAME_PROTECTED``, ``BAD_TOKEN`` or ``SLOW_DOWN``; or it is no name.
    """
    key, accounts = names.comparison_key(names.check_name(name)), server.lobby.accounts
    if code:
        async with server.guess_limiter.attempt(client.address):
            if await accounts.check_code(name, code):
                client.proven.add(key)
    elif key not in client.proven:
        await accounts.check_code(name, code)
    account = await accounts.owner_of(name) if key in client.proven else None
    return name if account is None else account.name


async def register_name(server: ServerState, client: Client, name: str) -> YourRegistration:
    """Register a name for good.

    Raises:
        Refusal: it is theirs or another's already, or ``TOO_MANY`` were registered from there.
    """
    if names.comparison_key(name) in client.proven:
        raise Refusal("BAD_ARGS", "{name} is yours already", name=name)
    server.count_registration(client.address)
    code = await server.lobby.accounts.register(name, server.lobby.now())
    client.proven.add(names.comparison_key(name))
    return YourRegistration(name=name, code=code)


async def check_name_kept(
    server: ServerState, client: Client, room: RoomHandle, person: Person
) -> None:
    """Check that *person* may keep the name; at the table they always may.

    Raises:
        Refusal: ``NAME_PROTECTED``, somebody else has registered it since.
    """
    key = names.comparison_key(person.name)
    if person.registered:
        client.proven.add(key)
    elif key not in client.proven and not await room.is_seated(person.member):
        await server.lobby.accounts.check_code(person.name, "")
