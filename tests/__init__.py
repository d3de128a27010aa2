"""The tests, a package so that they can share positions and the slow reference."""
