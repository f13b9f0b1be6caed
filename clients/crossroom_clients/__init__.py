"""Ways to sit at a table from a terminal, and the `crossroom` command."""
