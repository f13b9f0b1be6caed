"""List the keys."""

from typing import Final

from crossroom_engine.core.phrases import Phrase
from crossroom_protocol.base.translate import gettext

KEYS: Final = (
    ("F1", Phrase("help"), "help"),
    ("F2", Phrase("shuffle"), "shuffle"),
    ("F3", Phrase("exchange"), "exchange"),
    ("F4", Phrase("pass"), "pass_turn"),
    ("F5", Phrase("challenge"), "challenge"),
    ("F6", Phrase("bag"), "unseen"),
    ("F9", Phrase("people"), "people"),
    ("^D", Phrase("leave"), "leave"),
)
"""The keys at the bottom: what is written there, and the action."""

HELP: Final = Phrase(
    """\
ON THE BOARD
arrows          move the cursor; Space turns it: across or down
letters         lay that tile, or a blank if you have no such tile;
                tiles that lie there already are stepped over
1 to 9          lay the tile at that place of your rack
? or *          lay a blank, and choose its letter
Backspace       take the last tile back; Delete: that at the cursor
Escape          take all back
Enter           play; with nothing laid, turn the cursor
mouse           click a square, a tile of the rack, a tile that you laid

ON THE LINE
Tab             from board to line and back; completes a /command
text            is said to the room; / begins a command (/help)
up, down        what you typed before
Ctrl+up, down   scroll the log

ANYWHERE
F2              shows your rack in another order
F3, F4, F5      exchange, pass, challenge; you are asked first
Ctrl+Y, Ctrl+N  yes or no to what is asked: /ready, an offer
F6              the tiles that you have not seen
PgUp, PgDn      look back move by move (also F7); End: back to now
/games          open a finished game, step through it, save it as GCG
F8              dark, light, contrast, colour-blind, sixteen colours
F9              who is here: whisper; mute, send away, ban, for who may
Ctrl+D          leave; your seat stays yours

ON A SQUARE
2L 3L 2W 3W     double, triple letter or word; ** the first square
small letters   are blanks; underlined tiles are not played yet
"""
)


def keys_line() -> str:
    """The keys at the bottom, as markup."""
    return " ".join(
        f"[$accent b]{key}[/] [@click=app.{deed}]{gettext(name)}[/]" for key, name, deed in KEYS
    )


def help_lines() -> tuple[str, ...]:
    """The keys, a line each."""
    return tuple(gettext(HELP).splitlines())
