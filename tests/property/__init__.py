"""What holds for every game and every text."""
