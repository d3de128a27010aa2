"""Search: a tree of positions in arrays, walked by compiled functions that serve one tree or thousands."""
