"""Refuses who talks too soon where talk is slow, or is muted."""

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.table.permissions import Permissions


def check_talk(permissions: Permissions, member: str, name: str, now: int, came: int = 0) -> None:
    """Check that somebody may talk at *now*; slow talk does not bind staff.

    Coming in (at *came*) counts like talking, so that a new name does not shorten the wait.

    Raises:
        Refusal: ``MUTED`` or ``SLOW_DOWN``.
    """
    permissions.check_not_muted(member, name, now)
    wait = max(permissions.last_spoke_at.get(name, 0), came) + permissions.slow * 1000 - now
    if wait > 0 and permissions.staff_role(member) is None:
        raise Refusal("SLOW_DOWN", "talk is slow here; wait {wait} s", wait=-(-wait // 1000))
