"""The durable log of every room, and what is stored beside it."""
