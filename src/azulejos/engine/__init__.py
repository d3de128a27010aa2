"""The engine for other programs: a line protocol to play by, and lines of JSON to analyze many positions."""
