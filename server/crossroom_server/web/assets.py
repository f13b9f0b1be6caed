"""Serves the files of the page: bundled and compressed once, under a digest of them all.

A browser asks for ``/page/DIGEST/room/room.js``, and gets the modules that it imports with it. Any
change makes another digest, so browsers may cache a file for ever.
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

from crossroom_server.web.bundler import bundle

FOLDER: Final = Path(__file__).parent / "static"
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Media types by file extension; files with other extensions are not served."""
BUNDLED: Final = (".css", ".js")
"""Extensions of the files that are served with everything that they import."""


@dataclass(frozen=True)
class Asset:
    """One file: its media type and bytes, and the same bytes compressed."""

    media_type: str
    body: bytes
    compressed: bytes


class Assets:
    """The files of one folder and those below it, by their paths in it.

    Raises:
        ValueError: scripts or style sheets there cannot be bundled.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        sources, bodies = dict[str, str](), dict[str, bytes]()
        for file in sorted(folder.rglob("*")):
            path = file.relative_to(folder).as_posix()
            if file.suffix in BUNDLED:
                sources[path] = file.read_text(encoding="utf-8")
            elif file.suffix in TYPES:
                bodies[path] = file.read_bytes()
        bodies |= {path: text.encode() for path, text in bundle(sources).items()}
        self.files = {path: _asset(path, bodies[path]) for path in sorted(bodies)}

    @cached_property
    def root(self) -> str:
        """Path of the files, relative to the server's root: ``page/3f9a1c20b7d5``."""
        digest = hashlib.sha256()
        for path, asset in self.files.items():
            digest.update(f"{path}\0{len(asset.body)}\0".encode() + asset.body)
        return f"page/{digest.hexdigest()[:12]}"

    def respond(self, path: str, request: Request) -> Response | None:
        """Return the file at *path*, compressed if the browser accepts that; None if none is."""
        prefix = f"/{self.root}/"
        asset = self.files.get(path.removeprefix(prefix))
        if asset is None or not path.startswith(prefix):
            return None
        headers = Headers(_HEADERS)
        headers["Content-Type"] = asset.media_type
        body = asset.body
        if accepts_gzip(request):
            headers["Content-Encoding"], body = "gzip", asset.compressed
        headers["Content-Length"] = str(len(body))
        return Response(HTTPStatus.OK.value, HTTPStatus.OK.phrase, headers, body)


_HEADERS: Final = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Vary": "Accept-Encoding",
    "Connection": "close",
}


def _asset(path: str, body: bytes) -> Asset:
    return Asset(TYPES[Path(path).suffix], body, gzip.compress(body, mtime=0))


def accepts_gzip(request: Request) -> bool:
    """Tell whether the client accepts gzip."""
    offers = ",".join(request.headers.get_all("Accept-Encoding")).lower().split(",")
    return any(offer.replace(" ", "") in ("gzip", "gzip;q=1.0") for offer in offers)
