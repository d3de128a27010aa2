"""The packages, and the commands that look after an installed program."""
