"""Searches of two-player games without chance. `stages` is what `selective` asks before any move, `probcut` the numbers it foretells deep values by."""
