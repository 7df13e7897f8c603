"""`kibitz check`: does a game keep the protocol?

conformance        the whole examination: start here
random_walk        one random game, written down move by move
source_check       what can be seen without playing
display_check      names, text, pictures, symmetry
evaluation_check   evaluate and what goes with it
solver_hook_check  what a game tells the solver
ranking_check      numbers of positions
unplay_check       the positions before a position
hidden_check       what players learn, where they do not see everything
hint_check         advice to searches: noisy, policy, playout, ...
"""
