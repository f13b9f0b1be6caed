"""The full-screen table, with Textual: draws what the server says and holds no rules."""
