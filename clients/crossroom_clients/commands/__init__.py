"""The commands of `crossroom`, a module each; :mod:`crossroom_clients.main` lists them all."""
