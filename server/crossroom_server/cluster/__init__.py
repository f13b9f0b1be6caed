"""Several nodes as one server: one room, one owner; people connect to any node."""
