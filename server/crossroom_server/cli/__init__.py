"""The subcommands of `crossroom` that run or look after a server."""
