"""Client addresses: reading them, and grouping those that belong to one client."""

import ipaddress
from typing import Final, TypeAlias

_COUNTED: Final = ((64, 1), (56, 4), (48, 16))
"""Bits of the IPv6 networks that limits count, and how many times a limit holds for each."""

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


def read_ip(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address without its zone, IPv4 unwrapped from IPv6; None if it is not one."""
    try:
        ip = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return mapped or ip


def read_network(text: str) -> Network:
    """Read a network in CIDR notation, or a single address.

    Raises:
        ValueError: it is neither.
    """
    return ipaddress.ip_network(text, strict=False)


def rate_limit_key(address: str) -> str:
    """Return the unit that limits count: an IPv4 address, or the /64 of an IPv6 address."""
    ip = read_ip(address)
    if isinstance(ip, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return address if ip is None else str(ip)


def rate_limit_keys(address: str) -> tuple[tuple[str, int], ...]:
    """Return what limits count, each with how many times the limit holds for it.

    Who has a /48 has 65,536 networks of 64 bits, so that the wider ones count, too, more generously
    because several customers of a provider may share them.
    """
    ip = read_ip(address)
    if not isinstance(ip, ipaddress.IPv6Address):
        return ((rate_limit_key(address), 1),)
    return tuple(
        (str(ipaddress.ip_network((ip, bits), strict=False)), times) for bits, times in _COUNTED
    )


def is_loopback(address: str) -> bool:
    """Is this an address of the machine itself (its users, tests, or a proxy with own limits)?"""
    ip = read_ip(address)
    return ip is not None and ip.is_loopback
