"""The addresses that a server refuses, kept in a small file."""

import ipaddress
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.identity.client_address import Network, rate_limit_key

BANS_FILE: Final = "banned.txt"
"""The name of that file, beside the games."""


class BanList:
    """Networks that are refused.

    Args:
        path: Where they are kept, one a line; None: nowhere.

    Raises:
        OSError: the file cannot be read, or a line of it is no address.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._networks: set[Network] = set()
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").split():
                try:
                    self._networks.add(ipaddress.ip_network(line))
                except ValueError as error:
                    raise OSError(f"{path}: {error}") from None

    def __contains__(self, address: str) -> bool:
        if not self._networks:
            return False
        try:
            network = ipaddress.ip_network(rate_limit_key(address))
        except ValueError:
            return False
        return any(
            network.version == banned.version and banned.supernet_of(network)  # type: ignore[arg-type]
            for banned in self._networks
        )

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(map(str, self._networks)))

    def add(self, text: str) -> str:
        """Refuse an address, or a network; returns how it is kept.

        Raises:
            Refusal: ``BAD_ARGS``, it is none, or it is this machine.
            OSError: it cannot be written down.
        """
        network = _network(text)
        if network.is_loopback:
            raise Refusal("BAD_ARGS", f"{text} is this machine")
        self._save(self._networks | {network})
        return str(network)

    def remove(self, text: str) -> str:
        """Refuse it no longer; returns how it was kept.

        Raises:
            Refusal: ``BAD_ARGS``, it was not refused.
            OSError: it cannot be written down.
        """
        network = _network(text)
        if network not in self._networks:
            raise Refusal("BAD_ARGS", f"{network} is not banned; there are: {', '.join(self)}")
        self._save(self._networks - {network})
        return str(network)

    def replace_all(self, networks: Iterable[str]) -> None:
        """Refuse these, as they are kept, and no others.

        Raises:
            ValueError: one of them is none.
            OSError: they cannot be written down.
        """
        self._save({ipaddress.ip_network(network) for network in networks})

    def _save(self, networks: set[Network]) -> None:
        if self._path is not None:
            fresh = self._path.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            with os.fdopen(
                os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w"
            ) as file:
                file.writelines(f"{network}\n" for network in sorted(map(str, networks)))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        self._networks = networks


def _network(text: str) -> Network:
    """What a person means: an IPv6 address stands for its /64, as everywhere here."""
    try:
        return ipaddress.ip_network(rate_limit_key(text), strict=False)
    except ValueError:
        raise Refusal("BAD_ARGS", f"{text!r} is no address and no network") from None
