"""Names and addresses: comparing, checking and banning them."""
