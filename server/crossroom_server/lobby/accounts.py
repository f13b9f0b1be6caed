"""The registered names, which have the same owner in every room."""

import hmac
from dataclasses import replace

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_server.identity import names
from crossroom_server.identity.codes import code_digest, new_code
from crossroom_server.store.contract import Account, Store
from crossroom_server.store.refusals import refusing_outages


class Accounts:
    """Decides who may bear which name; every method may refuse if the store is out of order.

    Args:
        store: Keeps the names, with digests of the codes that prove them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def owner_of(self, name: str) -> Account | None:
        """Return the account of *name*, or of a name that looks like it."""
        with refusing_outages():
            return await self._store.find_account(names.comparison_key(name))

    async def check_code(self, name: str, code: str) -> bool:
        """Check that *code* proves *name*; return whether the name is registered at all.

        Raises:
            Refusal: ``NAME_PROTECTED`` without a code, ``BAD_TOKEN`` with a wrong one.
        """
        account = await self.owner_of(name)
        if account is None:
            if code:
                prose = Phrase("nobody has registered {name}; leave the code out")
                raise Refusal("BAD_TOKEN", prose, name=name)
            return False
        if not code:
            raise _name_protected(name, account)
        if not hmac.compare_digest(code_digest(code), account.digest):
            raise Refusal("BAD_TOKEN", "that is not the code of {name}", name=account.name)
        return True

    async def register(self, name: str, now: int) -> str:
        """Register *name*; return the code that proves it. *now* is in ms since 1970.

        Raises:
            Refusal: ``NAME_PROTECTED``.
        """
        code, digest = new_code()
        account = Account(name, digest, now)
        with refusing_outages():
            taken = await self._store.save_account(names.comparison_key(name), account)
        if taken is not None:
            raise _name_protected(name, taken)
        return code

    async def reset_code(self, name: str) -> str:
        """Return a new code for a registered name, in place of the one before.

        Raises:
            Refusal: ``NOBODY`` has registered it.
        """
        account = await self.owner_of(name)
        if account is None:
            raise Refusal("NOBODY", "nobody has registered {name}", name=name)
        code, digest = new_code()
        account, key = replace(account, digest=digest), names.comparison_key(name)
        with refusing_outages():
            await self._store.save_account(key, account, anew=True)
        return code


def _name_protected(name: str, account: Account) -> Refusal:
    prose = Phrase("{name} is registered on this server; if it is yours: /name {name} CODE")
    if account.name != name:
        prose = Phrase(
            "{claimed} is registered on this server, and {name} looks like it; if it is yours: "
            "/name {name} CODE"
        )
    return Refusal("NAME_PROTECTED", prose, name=name, claimed=account.name)
