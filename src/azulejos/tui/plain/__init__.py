"""The game line by line, in any terminal, in a pipe and with a screen reader."""
