"""`kibitz check`: does a game keep the protocol?

conformance        the whole examination: start here
random_walk        one random game, written down move by move
source_check       what can be seen without playing
display_check      names, text, pictures, symmetry
evaluation_check   `evaluate` and its features
solver_hook_check  hints for the solver
ranking_check      numbers of positions
unplay_check       predecessors of a position
hidden_check       percepts of games of hidden information
hint_check         advice to searches: noisy, policy, playout, ...
"""
