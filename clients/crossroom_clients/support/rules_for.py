"""Fit rules to a word list."""

from crossroom_engine.core.rules import Ruleset
from crossroom_engine.words.lexicon import Lexicon


def rules_for_lexicon(lexicon: Lexicon, rules: Ruleset) -> Ruleset:
    """These rules, with the tiles that the list was made for, if it says which.

    Raises:
        BadRules: nobody knows those tiles.
    """
    return rules.override("tiles", lexicon.info.get("tiles", rules.tiles.name))
