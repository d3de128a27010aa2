"""Azulejos in the terminal."""
