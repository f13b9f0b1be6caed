"""HTTP: the page, finished games, profiles, health and metrics."""
