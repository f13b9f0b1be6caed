"""The server: rooms, sessions, storage."""
