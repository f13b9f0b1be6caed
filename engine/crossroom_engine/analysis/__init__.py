"""Positions judged: look-ahead, endgames, reviews of games and training."""
