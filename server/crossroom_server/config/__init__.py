"""Settings: declaring, reading, checking and documenting them."""
