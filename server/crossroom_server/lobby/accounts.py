"""Names that are somebody's on this server, in every room."""

import hmac
from dataclasses import replace

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.refusals import Refusal
from crossroom_server.identity import names
from crossroom_server.store.contract import Claim, Store, Unavailable


class Register:
    """Who may bear which name.

    Args:
        store: Keeps the names, with hashes of the codes that prove them.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def holder(self, name: str) -> Claim | None:
        """Whose name *name* is, or one that looks like it.

        Raises:
            Refusal: the store is out of order.
        """
        try:
            return await self._store.find_claim(names.key(name))
        except Unavailable as error:
            raise Refusal("INTERNAL", str(error)) from None

    async def check(self, name: str, code: str) -> bool:
        """May somebody who says *code* bear *name*? True: it is theirs, False: it is nobody's.

        Raises:
            Refusal: ``NAME_PROTECTED`` without a code, ``BAD_TOKEN`` with a wrong one.
        """
        claim = await self.holder(name)
        if claim is None and code:
            raise Refusal(
                "BAD_TOKEN", "nobody has registered {name}; leave the code out", name=name
            )
        if claim is None:
            return False
        if not code:
            raise protected(name, claim)
        if not hmac.compare_digest(names.digest(code), claim.digest):
            raise Refusal("BAD_TOKEN", "that is not the code of {name}", name=claim.name)
        return True

    async def claim(self, name: str, now: int) -> str:
        """Make *name* somebody's; returns the code that proves it. *now* is in ms since 1970.

        Raises:
            Refusal: ``NAME_PROTECTED``, or the store is out of order.
        """
        code, digest = names.new_code()
        try:
            taken = await self._store.keep_claim(names.key(name), Claim(name, digest, now))
        except Unavailable as error:
            raise Refusal("INTERNAL", str(error)) from None
        if taken is not None:
            raise protected(name, taken)
        return code

    async def renew(self, name: str) -> str:
        """A new code for a registered name, in place of the one before.

        Raises:
            Refusal: ``NOBODY`` has registered it, or the store is out of order.
        """
        claim = await self.holder(name)
        if claim is None:
            raise Refusal("NOBODY", "nobody has registered {name}", name=name)
        code, digest = names.new_code()
        try:
            await self._store.keep_claim(names.key(name), replace(claim, digest=digest), anew=True)
        except Unavailable as error:
            raise Refusal("INTERNAL", str(error)) from None
        return code


def protected(name: str, claim: Claim) -> Refusal:
    """Why somebody cannot have *name*."""
    prose = Phrase("{name} is somebody's on this server; if it is yours: /name {name} CODE")
    if claim.name != name:
        prose = Phrase(
            "{claimed} is somebody's on this server, and {name} looks like it; if it is yours: "
            "/name {name} CODE"
        )
    return Refusal("NAME_PROTECTED", prose, name=name, claimed=claim.name)
