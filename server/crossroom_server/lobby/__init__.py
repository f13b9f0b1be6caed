"""Rooms opened, found and unloaded; accounts, ratings and retention."""
