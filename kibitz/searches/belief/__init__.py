"""Searches over beliefs: forced results, and best chances, under hidden information.

positions   positions as numbers, each kept once, with what may follow and what is heard of it
seeing      how soon a position is won by a player who sees everything: no belief that holds it is won sooner
beliefs     beliefs as nodes of a graph: sets of such numbers, each kept once
dominance   what is known of a belief holds for its parts, or for whatever it is a part of
memory      the arrays of all that
sure        AND-OR search: can the player be sure to reach the goal within a number of his own moves?
guarantee   the question in words, the answer with its strategy
hope        the best chance if nothing can be forced
andor       the search as a player
"""
