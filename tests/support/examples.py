"""How many examples a property test tries: the share that ``pytest --examples`` gives."""

from hypothesis import settings


def examples(full: int) -> settings:
    """Try *full* examples with ``--examples 100``, else that share of them."""
    share = settings.get_profile("crossroom").max_examples / 100
    return settings(max_examples=max(1, round(full * share)), deadline=None)
