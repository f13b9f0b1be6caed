"""Metrics, the event loop's lag and the garbage collection policy."""
