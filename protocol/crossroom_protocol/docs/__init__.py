"""The generated reference: PROTOCOL.md, its example and the JSON schema."""
