"""The room: an actor around a table, with its members, timers and bots."""
