"""Listening sockets: websocket, plain TCP and the host's console."""
