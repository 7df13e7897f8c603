"""The games: one file or folder each, found by its name."""
