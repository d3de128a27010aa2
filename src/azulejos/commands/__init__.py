"""Commands of the command line that have a file of their own; each registers itself with the application."""
