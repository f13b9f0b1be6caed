"""The table that fills the screen. It draws what the server says and holds no rules of its own.

``laying``, ``drawing``, ``history`` and ``clocks`` are plain functions and values; ``app`` and the
widgets show them with Textual.
"""
