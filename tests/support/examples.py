"""How many examples a property test tries: all with ``pytest --full``, a fifth without."""

from hypothesis import settings


def examples(full: int) -> settings:
    """Try *full* examples with ``--full``, else a fifth of them."""
    return settings(max_examples=max(1, full * settings.default.max_examples // 100), deadline=None)
