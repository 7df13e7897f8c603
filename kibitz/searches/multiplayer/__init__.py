"""Searches that reason about any number of players.

maxn            each for himself: a value for every player
paranoid        one against all others: what he can be sure of
bestreply       one against all others, of whom one at a time replies
ties            among equals: which move a player makes
vector_node     what max^n does at a node: leaves, the table, pruning
vector_search   the shell of searches with a value for each player
coalition       the shell of searches of one against all others
"""
