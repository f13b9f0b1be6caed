"""What people and programs say to a crossroom server, and what it says back. No sockets."""
