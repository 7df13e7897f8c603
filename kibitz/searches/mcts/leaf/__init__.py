"""Values and move probabilities of new positions.

playout          a game played from there, and rewards
evaluation       the game's own evaluation in place of a playout
priors           how likely moves are by the game's policy
external_eval    networks and Python functions, asked about many positions at once
subtree_eval     a small search as an evaluator
"""
