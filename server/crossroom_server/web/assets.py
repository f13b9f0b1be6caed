"""The files of the page: read once, joined and packed once, and named by what is in all of them.

A browser asks for ``/page/DIGEST/room.js``, and gets the modules that it imports with it. Another
release has another digest, so a file may be kept for ever.
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

from crossroom_server.web.bundler import joined

FOLDER: Final = Path(__file__).parents[1] / "page"
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Media types by the endings of names; files with others are not served."""
JOINED: Final = (".css", ".js")
"""Endings of the files that are served with what they import in them."""


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

    Raises:
        ValueError: scripts or style sheets there cannot be joined.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        files = [path for path in sorted(folder.iterdir()) if path.suffix in TYPES]
        sources = {p.name: p.read_text(encoding="utf-8") for p in files if p.suffix in JOINED}
        bodies = {p.name: p.read_bytes() for p in files if p.suffix not in JOINED}
        bodies |= {name: text.encode() for name, text in joined(sources).items()}
        self.files = {name: _asset(name, bodies[name]) for name in sorted(bodies)}

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
        if accepts_gzip(request):
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


def _asset(name: str, body: bytes) -> Asset:
    return Asset(TYPES[Path(name).suffix], body, gzip.compress(body, mtime=0))


def accepts_gzip(request: Request) -> bool:
    """Can whoever asks unpack an answer?"""
    offers = ",".join(request.headers.get_all("Accept-Encoding")).lower().split(",")
    return any(offer.replace(" ", "") in ("gzip", "gzip;q=1.0") for offer in offers)
