"""Everything a client may ask: a class for each command, and the parser of lines."""
