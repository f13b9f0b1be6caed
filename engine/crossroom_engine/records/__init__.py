"""Records of games: read, write and check GCG."""
