"""How many examples a property test tries: all with ``pytest --full``, a fifth without."""

from hypothesis import settings


def examples(full: int) -> settings:
    """Try *full* examples with ``--full``, else a fifth of them."""
    share = settings.get_profile("crossroom").max_examples / 100
    return settings(max_examples=max(1, round(full * share)), deadline=None)
