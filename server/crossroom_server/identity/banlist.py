"""The networks that the host has banned, in a small file."""

import ipaddress
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.identity.client_address import Network, is_loopback, rate_limit_key

BANS_FILE: Final = "banned.txt"
"""Its name, beside the games."""


class BanList:
    """The networks that this server refuses.

    Args:
        path: The file to keep them in, one a line; None keeps them in memory.

    Raises:
        OSError: the file cannot be read, or a line of it is no network.
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
        """Ban an address or a network; return it as stored.

        Raises:
            Refusal: ``BAD_ARGS``, it is neither, or it is this machine.
            OSError: the file cannot be written.
        """
        network = _network(text)
        if network.is_loopback or is_loopback(text):  # ::1 stands for a network that is more
            raise Refusal("BAD_ARGS", f"{text} is this machine")
        self._save(self._networks | {network})
        return str(network)

    def remove(self, text: str) -> str:
        """Lift a ban; return it as it was stored.

        Raises:
            Refusal: ``BAD_ARGS``, it was not banned.
            OSError: the file cannot be written.
        """
        network = _network(text)
        if network not in self._networks:
            raise Refusal("BAD_ARGS", f"{network} is not banned; there are: {', '.join(self)}")
        self._save(self._networks - {network})
        return str(network)

    def replace_all(self, networks: Iterable[str]) -> None:
        """Ban these networks, and no others.

        Raises:
            ValueError: one of them is no network.
            OSError: the file cannot be written.
        """
        self._save({ipaddress.ip_network(network) for network in networks})

    def _save(self, networks: set[Network]) -> None:
        if self._path is not None:
            fresh = self._path.with_suffix(".new")
            fresh.unlink(missing_ok=True)
            handle = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(handle, "w") as file:
                file.writelines(f"{network}\n" for network in sorted(map(str, networks)))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        self._networks = networks


def _network(text: str) -> Network:
    """Read an address or network as typed: an IPv6 address stands for its /64, as in all limits."""
    try:
        return ipaddress.ip_network(rate_limit_key(text), strict=False)
    except ValueError:
        raise Refusal("BAD_ARGS", f"{text!r} is not an address or network") from None
