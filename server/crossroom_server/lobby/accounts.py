"""Names that are somebody's on this server, in every room."""

import hmac
from dataclasses import replace

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_server.identity import names
from crossroom_server.store.contract import Account, Store
from crossroom_server.store.refusals import refusing_outages


class Accounts:
    """Decides who may bear which name.

    Args:
        store: Keeps the names, with hashes of the codes that prove them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def owner_of(self, name: str) -> Account | None:
        """Whose name *name* is, or one that looks like it.

        Raises:
            Refusal: the store is out of order.
        """
        with refusing_outages():
            return await self._store.find_account(names.comparison_key(name))

    async def check_code(self, name: str, code: str) -> bool:
        """May somebody who says *code* bear *name*? True: it is theirs, False: it is nobody's.

        Raises:
            Refusal: ``NAME_PROTECTED`` without a code, ``BAD_TOKEN`` with a wrong one.
        """
        register = await self.owner_of(name)
        if register is None and code:
            raise Refusal(
                "BAD_TOKEN", "nobody has registered {name}; leave the code out", name=name
            )
        if register is None:
            return False
        if not code:
            raise name_protected(name, register)
        if not hmac.compare_digest(names.code_digest(code), register.digest):
            raise Refusal("BAD_TOKEN", "that is not the code of {name}", name=register.name)
        return True

    async def register(self, name: str, now: int) -> str:
        """Make *name* somebody's; returns the code that proves it. *now* is in ms since 1970.

        Raises:
            Refusal: ``NAME_PROTECTED``, or the store is out of order.
        """
        code, digest = names.new_code()
        with refusing_outages():
            taken = await self._store.save_account(
                names.comparison_key(name), Account(name, digest, now)
            )
        if taken is not None:
            raise name_protected(name, taken)
        return code

    async def reset_code(self, name: str) -> str:
        """A new code for a registered name, in place of the one before.

        Raises:
            Refusal: ``NOBODY`` has registered it, or the store is out of order.
        """
        claim = await self.owner_of(name)
        if claim is None:
            raise Refusal("NOBODY", "nobody has registered {name}", name=name)
        code, digest = names.new_code()
        with refusing_outages():
            await self._store.save_account(
                names.comparison_key(name), replace(claim, digest=digest), anew=True
            )
        return code


def name_protected(name: str, claim: Account) -> Refusal:
    """Why somebody cannot have *name*."""
    prose = Phrase("{name} is somebody's on this server; if it is yours: /name {name} CODE")
    if claim.name != name:
        prose = Phrase(
            "{claimed} is somebody's on this server, and {name} looks like it; if it is yours: "
            "/name {name} CODE"
        )
    return Refusal("NAME_PROTECTED", prose, name=name, claimed=claim.name)
