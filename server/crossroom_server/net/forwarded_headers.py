"""Whom a request comes from when a proxy brings it: believed of proxies that are listed, only."""

import logging
from collections import Counter
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, Final

from crossroom_server.identity.client_address import Network, read_ip

if TYPE_CHECKING:
    from websockets.datastructures import Headers

log = logging.getLogger(__name__)

FORWARDING_HEADERS: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Real-IP")
"""What proxies write into requests."""
MAX_UNLISTED: Final = 8
"""Unlisted proxies that are remembered: anybody can pretend to be one."""
_MOST_HOPS: Final = 32


class Proxies:
    """The proxies in front of this server.

    Args:
        networks: Their addresses.
    """

    def __init__(self, networks: Iterable[Network] = ()) -> None:
        self._networks = tuple(networks)
        self.unlisted: Counter[str] = Counter()
        """Requests that were forwarded by somebody who is not listed, by address."""

    def __contains__(self, address: str) -> bool:
        ip = _ip(address)
        return ip is not None and any(ip in network for network in self._networks)

    def client_address(self, peer: str, headers: "Headers") -> str:
        """The address of whoever sent a request that *peer* has brought.

        Each proxy appends to ``X-Forwarded-For`` whom it has the request from. So the list is read
        from its end, and the first address that is none of our proxies is the client's: what stands
        before it is anybody's word. ``X-Real-IP`` counts where there is no such list.
        """
        if peer not in self:
            return peer
        hops = ",".join(headers.get_all("X-Forwarded-For")).split(",")[-_MOST_HOPS:]
        if hops == [""]:
            hops = headers.get_all("X-Real-IP")[-1:]
        client = peer
        for hop in reversed(hops):
            ip = _ip(hop.strip())
            if ip is None:  # it was one of ours who wrote that; it can be said to be the client
                break
            client = str(ip)
            if client not in self:
                break
        return client

    def note_forwarding(self, peer: str, headers: "Headers") -> None:
        """Count a request that *peer* claims to bring for somebody else, if it is not believed.

        Logged once for each machine nearby, which is likely a proxy that the host forgot to list.
        """
        if peer in self or not any(name in headers for name in FORWARDING_HEADERS):
            return
        if peer not in self.unlisted:
            if len(self.unlisted) >= MAX_UNLISTED:
                return
            ip = _ip(peer)
            if ip is not None and ip.is_private:
                log.warning(
                    "%s forwards requests and is not believed; if it is your proxy, start the "
                    "server with --proxy %s",
                    peer,
                    peer,
                )
        self.unlisted[peer] += 1

    def is_secure(self, peer: str, headers: "Headers") -> bool:
        """Does a proxy say that the client speaks TLS with it?"""
        last = ",".join(headers.get_all("X-Forwarded-Proto")).rpartition(",")[2]
        return peer in self and last.strip().lower() in ("https", "wss")


def _ip(text: str) -> IPv4Address | IPv6Address | None:
    """Read an address as proxies write it, perhaps with a port."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    return read_ip(text)
