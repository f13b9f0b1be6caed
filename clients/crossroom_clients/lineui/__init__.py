"""The line client of the terminal."""
