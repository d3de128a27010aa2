"""The engine: the line protocol and the JSON batch."""
