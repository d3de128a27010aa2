"""The computers at a server's tables."""
