"""Commands for the person at the server; :mod:`crossroom_clients.main` lists them all."""
