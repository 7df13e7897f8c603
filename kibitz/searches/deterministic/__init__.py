"""Searches of two-player games without chance.

minimax        every position, in three forms
alphabeta      a window; recursive to be read, a loop to be used
negascout      null windows for all but the first move
scout          TEST and SCOUT, as in the paper
mtdf           null windows alone
selective      pruning and extending by judgement
stages         what selective asks of a node before any move
probcut        the numbers that foretell deep values
realization    depth by how likely moves are
"""
