"""A picture of the board, as large as goes."""

from collections.abc import Sequence

from rich.segment import Segment
from textual.geometry import Size as Extent
from textual.strip import Strip
from textual.widget import Widget

from crossroom_clients.tui.board_render import (
    MARGIN,
    SIZES,
    BoardScene,
    Viewport,
    draw,
    largest,
    viewport,
)
from crossroom_clients.tui.palette import Palette
from crossroom_engine.core.coordinates import Square


class BoardPicture(Widget):
    """A board to look at.

    Args:
        palette: The colours.
    """

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self.palette = palette
        self.scene: BoardScene | None = None
        self._square = SIZES[0]
        self._part = Viewport(0, 0, 0, 0)
        self._picture: list[Strip] = []

    @property
    def wanted(self) -> Sequence[Square]:
        """The squares to show where there is no room for all; the last one in any case."""
        scene = self.scene
        assert scene is not None
        fresh = scene.fresh or {scene.layout.start}
        return max(fresh), min(fresh)

    def show(self, scene: BoardScene | None) -> None:
        """Draw another scene."""
        self.scene = scene
        self._draw()

    def on_resize(self) -> None:
        """Draw as large as goes."""
        self._draw()

    def _draw(self) -> None:
        scene, (columns, rows) = self.scene, self.size
        self._picture = []
        if scene is not None and columns and rows:
            self._square = largest(scene.layout, columns, rows)
            for at in self.wanted:
                self._part = viewport(scene.layout, self._square, columns, rows, at, self._part)
            style = self.palette.style
            self._picture = [
                Strip([Segment(text, style(look)) for text, look in line])
                for line in draw(scene, self._square, self._part)
            ]
        self.refresh()

    def get_content_width(self, container: Extent, viewport: Extent) -> int:
        """As wide as the squares that fit."""
        if self.scene is None:
            return MARGIN
        size = largest(self.scene.layout, container.width, container.height)
        return MARGIN + self.scene.layout.width * size.columns

    def render_line(self, y: int) -> Strip:
        """One line of the picture."""
        ground = self.rich_style
        line = self._picture[y] if y < len(self._picture) else Strip.blank(0)
        return line.apply_style(ground).adjust_cell_length(self.size.width, ground)
