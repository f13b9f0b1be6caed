"""Everything a room's log can hold beside the engine's events."""
