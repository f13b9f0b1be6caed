"""The store in PostgreSQL, for one server or for several nodes."""
