"""The list of banned addresses: what it holds, refuses and forgets."""

from pathlib import Path

import pytest

from crossroom_protocol.base.refusals import Refusal
from crossroom_server.identity.banlist import BanList


@pytest.fixture
def bans(tmp_path: Path) -> BanList:
    return BanList(tmp_path / "banned")


def test_nobody_is_banned_at_first(bans: BanList) -> None:
    assert "198.51.100.7" not in bans
    assert list(bans) == []


def test_a_network_is_banned_with_all_its_addresses(bans: BanList) -> None:
    assert bans.add("198.51.100.0/24") == "198.51.100.0/24"
    assert "198.51.100.7" in bans
    assert "198.51.101.7" not in bans
    assert "2001:db8::1" not in bans
    assert "no address" not in bans


def test_a_ban_outlives_the_process(bans: BanList, tmp_path: Path) -> None:
    bans.add("2001:db8::1")
    again = BanList(tmp_path / "banned")
    assert "2001:db8::2" in again, "of the same network of 64 bits"
    again.remove("2001:db8::1")
    assert list(BanList(tmp_path / "banned")) == []


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "127.0.0.0/8"])
def test_the_machine_itself_cannot_be_banned(bans: BanList, address: str) -> None:
    with pytest.raises(Refusal, match="is this machine"):
        bans.add(address)
    assert list(bans) == []


def test_what_is_not_banned_cannot_be_lifted(bans: BanList) -> None:
    bans.add("198.51.100.7")
    with pytest.raises(Refusal, match=r"is not banned; there are: 198\.51\.100\.7"):
        bans.remove("198.51.100.8")
    assert "198.51.100.7" in bans


def test_what_is_no_address_is_refused(bans: BanList) -> None:
    with pytest.raises(Refusal, match="is not an address or network"):
        bans.add("somewhere")
