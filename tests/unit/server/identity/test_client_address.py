"""What limits count of an address."""

import pytest

from crossroom_server.identity.client_address import rate_limit_key, rate_limit_keys


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("198.51.100.7", "198.51.100.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("::ffff:198.51.100.7", "198.51.100.7"),
        ("a socket", "a socket"),
    ],
)
def test_an_address_counts_as_one_line_of_a_provider(address: str, key: str) -> None:
    assert rate_limit_key(address) == key


def test_wider_networks_count_too_and_more_generously() -> None:
    assert rate_limit_keys("198.51.100.7") == (("198.51.100.7", 1),)
    keys = dict(rate_limit_keys("2001:db8:1:2::1"))
    assert keys["2001:db8:1:2::/64"] == 1
    assert keys["2001:db8:1::/48"] > 1
