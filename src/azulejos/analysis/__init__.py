"""What can be learned from a finished or running game: the loss of every move, the luck of every deal, and why."""
