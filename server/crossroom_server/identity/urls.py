"""Hosts, ports and URLs as text."""


def host_and_port(address: object) -> tuple[str, int]:
    """Return host and port of a socket address; an IPv6 host without brackets."""
    assert isinstance(address, tuple)
    return str(address[0]), int(address[1])


def netloc(host: str, port: int) -> str:
    """Format ``host:port`` as in a URL, an IPv6 host in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def http_url(websocket_url: str) -> str:
    """Return the URL of the pages beside a websocket: ``https://...`` for ``wss://...``."""
    return websocket_url.replace("ws", "http", 1)
