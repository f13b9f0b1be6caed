"""The rules at work: decide a move, apply its events, and view a game from a seat."""
