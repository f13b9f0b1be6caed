"""The language of people, programs and a crossroom server. No sockets."""
