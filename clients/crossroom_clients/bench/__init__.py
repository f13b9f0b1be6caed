"""`crossroom bench`: load on servers, and speed of the word engine."""
