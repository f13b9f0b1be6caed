"""Names, resume codes, addresses and bans."""
