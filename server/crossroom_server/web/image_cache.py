"""Keeps the pictures that were drawn last: drawing one keeps a processor busy."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

_MAX_IMAGES: Final = 64


class ImageCache:
    """Draws pictures, one at a time, and keeps the 64 that were asked for last."""

    def __init__(self) -> None:
        self._images: OrderedDict[Hashable, bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def get(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        """Return the picture called *key*, from *draw*, called in a thread, if there is none."""
        if key not in self._images:
            async with self._drawing:
                if key not in self._images:  # somebody else has waited for it
                    self._images[key] = await asyncio.to_thread(draw)
        image = self._images[key]
        self._images.move_to_end(key)
        if len(self._images) > _MAX_IMAGES:
            self._images.popitem(last=False)
        return image
