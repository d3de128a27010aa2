"""The table as pieces on a screen."""
