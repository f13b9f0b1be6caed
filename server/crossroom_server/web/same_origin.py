"""The check that a browser opened a websocket from a page of this server, and of no other site."""

from urllib.parse import urlsplit

from websockets.http11 import Request


def is_same_origin(request: Request, host: str | None, url: str | None) -> bool:
    """Tell whether a request comes from a page of ours; programs name no origin, and may come.

    Args:
        request: With the headers of the browser.
        host: The host that was asked for.
        url: The address that the server is known by, if the host of it set one.
    """
    origins = request.headers.get_all("Origin")
    if not origins:
        return True
    try:
        origin = urlsplit(origins[0]).netloc.lower()
        own = {(host or "").lower(), urlsplit(url or "").netloc.lower()}
    except ValueError:
        return False
    return len(origins) == 1 and origin != "" and origin in own
