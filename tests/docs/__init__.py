"""The documentation: what it says is run, parsed, built and looked at."""
