"""The host's console: how `crossroom admin` and the server on the same machine find each other.

A server keeps a socket in its data folder that only its user may open. One line goes in, the words
of a command; lines come out, ``- text`` each, and at the end one ``.`` or ``! CODE text``. Then the
server hangs up.

Where there are no such sockets, or the path is too long for one, the server listens on a port of
the loopback, and a file that only its user may read has ``PORT TOKEN``; the token goes in first, on
a line by itself.
"""

from typing import Final

SOCKET_NAME: Final = "admin.sock"
"""The socket in the data folder."""
PORT_FILE_NAME: Final = "admin.port"
"""The file in the data folder, where a port takes the place of the socket."""

CONSOLE_COMMANDS: Final = {
    "rooms": "the open rooms, and who is in them; of those at other nodes, where they are",
    "status": "how the server is: version, health, load, memory, disk, proxies it does not know",
    "nodes": "the servers that share the rooms with this one, and when they were heard of",
    "look ROOM [N]": "what a watcher sees there: who, the board, the last N entries of the log",
    "in ROOM COMMAND": "kick, ban, unban, mute, unmute, lock, unlock, role, set slow: as the host",
    "close ROOM": "send everybody out; the room is stored, and opens again for whoever comes",
    "announce TEXT": "tell everybody on this server",
    "ban ADDRESS": "refuse an address or a network (203.0.113.0/24), and hang up on it",
    "unban ADDRESS": "take that back",
    "bans": "the addresses that are refused",
    "invite [DAYS [NOTE]]": "a link that lets friends into a private server, for 30 days or DAYS",
    "invitations": "the invitations that are valid: number, end, note",
    "uninvite NUMBER": "end an invitation; whoever is here stays",
    "recode NAME": "a new code for a registered name, for whoever has lost theirs",
    "forget NAME [ROOM]": "delete what is kept of a registered name, or of a guest's in a room",
    "page [off]": "a link to a page with these commands, for 12 hours; off ends all such links",
    "drain [off]": "begin no games, let no newcomers in, and stop when no game is being played",
    "help": "these commands",
}
"""Everything the console understands, and what it does."""

UNLISTED_PROXY: Final = "forwards requests and is not listed with --proxy"
"""What ``status`` says of an address; `crossroom doctor` looks for it."""
