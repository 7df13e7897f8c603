"""Counting and measuring.

perft          move paths of a given length
random_games   playouts and what they end in
many_games     the same by the million, on a GPU if there is one
census         how many moves and outcomes, ply by ply
determinacy    how far the player to move decides what happens
intervals      numbers with 95 % intervals
"""
