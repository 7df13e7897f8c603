"""What a game and a search agree on.

rules          names and signatures of all rules and constants
parameters     parameters of a game
outcomes       won, drawn or lost, of a utility
evaluation     evaluations made of features
weights        their weights, in a file beside the game
default_text   text for games that bring none, and NAME=VALUE
"""
