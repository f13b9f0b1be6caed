"""Word lists: reading, building and finding them, and how languages spell."""
