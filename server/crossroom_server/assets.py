"""The files of the page: read once, packed once, and named by what is in all of them.

A browser asks for ``/page/DIGEST/table.js``. Another release has another digest, so a file may be
kept for ever, and modules that import each other always are of one release.
"""

import gzip
import hashlib
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

FOLDER: Final = Path(__file__).parent / "page"
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Media types by the endings of names; files with others are not served."""


@dataclass(frozen=True)
class Asset:
    """One file: its media type and bytes, and the same bytes packed."""

    kind: str
    body: bytes
    packed: bytes


class Assets:
    """The files of one folder.

    Args:
        folder: Where they are. Nothing below it is looked at.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self.files = {
            path.name: _asset(path) for path in sorted(folder.iterdir()) if path.suffix in TYPES
        }

    @cached_property
    def root(self) -> str:
        """The path of the files, relative to the server's: ``page/3f9a1c20b7d5``."""
        digest = hashlib.sha256()
        for name, asset in self.files.items():
            digest.update(f"{name}\0{len(asset.body)}\0".encode() + asset.body)
        return f"page/{digest.hexdigest()[:12]}"

    def answer(self, path: str, request: Request) -> Response | None:
        """The file at *path*, packed if the browser can unpack it; None if there is none."""
        folder, _, name = path.rpartition("/")
        asset = self.files.get(name)
        if asset is None or folder != f"/{self.root}":
            return None
        headers = Headers(_HEADERS)
        headers["Content-Type"] = asset.kind
        headers["ETag"] = f'"{self.root}"'
        body = asset.body
        if _accepts_gzip(request):
            headers["Content-Encoding"], body = "gzip", asset.packed
        headers["Content-Length"] = str(len(body))
        return Response(HTTPStatus.OK.value, HTTPStatus.OK.phrase, headers, body)


_HEADERS: Final = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept-Encoding",
    "Connection": "close",
}


def _asset(path: Path) -> Asset:
    body = path.read_bytes()
    return Asset(TYPES[path.suffix], body, gzip.compress(body, mtime=0))


def _accepts_gzip(request: Request) -> bool:
    offers = ",".join(request.headers.get_all("Accept-Encoding")).lower().split(",")
    return any(offer.replace(" ", "") in ("gzip", "gzip;q=1.0") for offer in offers)
