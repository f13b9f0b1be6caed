"""Offers between players and their answers, reminders, and unfinished games."""

from typing import Literal

from crossroom_protocol.commands.base import AgreementCommand, Name


class UndoCommand(AgreementCommand):
    """Ask to take back your turn, before the next player has moved; all others must agree.

    Tiles drawn go back into the bag, points are taken off, and it is your turn again.
    """

    aliases = ("takeback",)
    example = "/undo"
    no_abbreviation = True
    do: Literal["undo"] = "undo"


class AbortCommand(AgreementCommand):
    """Ask to end the game without a result; all others must agree.

    Bots agree to everything, and whoever has been away for too long is not asked.
    """

    example = "/abort"
    no_abbreviation = True
    do: Literal["abort"] = "abort"


class AdjournCommand(AgreementCommand):
    """Ask to stop here and play on another time; all others must agree.

    The clock stops. The game goes on when all are back and have said /ready.
    """

    example = "/adjourn"
    no_abbreviation = True
    do: Literal["adjourn"] = "adjourn"


class AgreeCommand(AgreementCommand):
    """Agree to what another player offers: /undo, /abort or /adjourn."""

    example = "/agree"
    no_abbreviation = True
    do: Literal["agree"] = "agree"


class DeclineCommand(AgreementCommand):
    """Decline what another player offers, or take your own offer back."""

    example = "/decline"
    do: Literal["decline"] = "decline"


class NudgeCommand(AgreementCommand):
    """Remind the player the game is waiting for; once a minute at most."""

    example = "/nudge"
    do: Literal["nudge"] = "nudge"


class StoredCommand(AgreementCommand):
    """List your unfinished games, or those of NAME.

    /resume with the code of that room comes back to one; /ready goes on with it if it is adjourned.
    Games in locked rooms are not listed.
    """

    example = "/stored"
    requires = "anywhere"
    do: Literal["stored"] = "stored"
    name: Name = ""
