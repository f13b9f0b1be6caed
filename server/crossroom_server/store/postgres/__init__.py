"""The store in a PostgreSQL database, for a single server or a cluster."""
