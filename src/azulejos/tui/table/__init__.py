"""Where moves are made: a game at this keyboard, or a table on a server."""
