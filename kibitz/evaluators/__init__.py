"""Evaluations from outside the rules: networks, Python functions, batches of positions."""
