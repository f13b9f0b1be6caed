"""One resilient connection to a server, its seat and its codec."""
