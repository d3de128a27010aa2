"""The network: what it sees, and how it answers without any framework."""
