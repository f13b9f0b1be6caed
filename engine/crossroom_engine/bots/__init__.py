"""Computer players: pure functions of what one seat may see."""

from crossroom_engine.bots.brain import BotKnowledge, Level
from crossroom_engine.bots.levels import FALLBACK_LEVEL, LEVELS

__all__ = ["FALLBACK_LEVEL", "LEVELS", "BotKnowledge", "Level"]
