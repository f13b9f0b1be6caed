"""Command-line flags and progress that server and clients share."""
