"""A game: its moves, positions, records and reasons, around the compiled rules."""
