"""Searches that reason about any number of players.

maxn            each player for himself: a value for every player
paranoid        one against all others: a guaranteed value
bestreply       one against all others, of whom one at a time replies
ties            rules for choosing among moves of equal value
vector_node     a node of max^n: leaves, the table, pruning
vector_search   the shell of searches with a value for each player
coalition       the shell of searches of one against all others
"""
