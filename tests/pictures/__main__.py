"""`python -m tests.pictures page-desk OUT.png`: the pictures of the README, made anew."""

import sys
from pathlib import Path

from tests.pictures import page

PICTURES = {"page-desk": page.page_desk, "page-phone": page.page_phone}


def main() -> None:
    """Draw the picture that is asked for."""
    if len(sys.argv) != 3 or sys.argv[1] not in PICTURES:
        sys.exit(f"usage: python -m tests.pictures {{{','.join(PICTURES)}}} OUT.png")
    PICTURES[sys.argv[1]](Path(sys.argv[2]))


if __name__ == "__main__":
    main()
