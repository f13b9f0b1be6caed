"""One connection: its lines read, and routed to the lobby or a room."""
