"""`python -m crossroom_clients` is `crossroom`."""

import sys

from crossroom_clients.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
