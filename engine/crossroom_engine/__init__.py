"""The rules of the crossword game and its words: pure, typed, no I/O but its own word lists."""
