"""Notices as sentences, boards and tables for people."""
