"""Values of the game: tiles, boards, rules, moves, events and the dice."""
