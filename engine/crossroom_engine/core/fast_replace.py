"""The next value of a frozen dataclass: what a game does at every event, many times a move."""

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from dataclasses import replace  # so that the names and types of the changes are checked
else:
    T = TypeVar("T")

    def replace(value: T, /, **changes: object) -> T:
        """Like :func:`dataclasses.replace`, in a tenth of the time.

        It copies the fields instead of calling ``__init__``, so it is for dataclasses that have no
        ``__post_init__``, no slots and no cached properties.

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
