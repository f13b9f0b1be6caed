"""Notices as plain lines, tagged lines or JSON."""
