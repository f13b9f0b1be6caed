"""A room's table as pure functions: seats, permissions, offers and moderation."""
