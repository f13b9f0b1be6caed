"""Make the font of board images: ``python -m tools.font_subset OpenSans-Regular.ttf``.

It needs ``fonttools``, and a font of the Debian package ``fonts-open-sans``, which installs it as
``/usr/share/fonts/truetype/open-sans/OpenSans-Regular.ttf``. The file kept here is of version 1.11.
"""

import argparse
from pathlib import Path

from fontTools import subset

from crossroom_server.web.board_font import CODE_POINTS, FONT_FILE


def make_subset(source: Path, target: Path = FONT_FILE) -> None:
    """Copy the characters of :data:`CODE_POINTS`, without hints and layout features."""
    options = subset.Options(
        hinting=False,
        layout_features=[],
        drop_tables=["FFTM", "GDEF", "GPOS", "GSUB", "kern"],
        notdef_outline=True,
        name_IDs=["*"],
        recalc_timestamp=False,
    )
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[point for points in CODE_POINTS for point in points])
    subsetter.subset(font)
    subset.save_font(font, str(target), options)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="OpenSans-Regular.ttf")
    make_subset(parser.parse_args().source)
    print(f"{FONT_FILE.name}: {FONT_FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
