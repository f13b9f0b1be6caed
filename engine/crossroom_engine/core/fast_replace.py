"""Copy a frozen dataclass with changes, fast: a game does that many times a move."""

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from dataclasses import replace  # so that the names and types of the changes are checked
else:
    T = TypeVar("T")

    def replace(value: T, /, **changes: object) -> T:
        """Do as :func:`dataclasses.replace` does, in a tenth of the time.

        Fields are copied, and ``__init__`` is not called: only for dataclasses without
        ``__post_init__``, slots and cached properties.

        Raises:
            TypeError: there is no such field.
        """
        fields = value.__dict__
        merged = {**fields, **changes}
        if len(merged) > len(fields):
            raise TypeError(f"{type(value).__name__} has no {changes.keys() - fields.keys()}")
        changed = object.__new__(value.__class__)
        object.__setattr__(changed, "__dict__", merged)
        return changed


__all__ = ["replace"]
