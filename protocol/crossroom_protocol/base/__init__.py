"""Refusal codes, reserved names and translation."""
