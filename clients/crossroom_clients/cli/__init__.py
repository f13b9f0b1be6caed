"""The `crossroom` command and its subcommands."""
