"""What servers that share their tables tell each other: hints that may be lost, since the truth is in the database."""
